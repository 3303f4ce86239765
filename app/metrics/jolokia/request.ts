import { isObject, type Json, type JsonObject, stringifyJson } from "#storage/json.ts";
import {
  canonicalName,
  isPattern,
  MalformedName,
  type ObjectName,
  parseObjectName,
  propertyList,
} from "../object-name.ts";
import { JolokiaFailure } from "./failure.ts";
import { type ProcessingOptions, readOptions, optionText } from "./options.ts";
import { innerPath, joinPath, type PathPart, splitPath } from "./path.ts";

/** One request, checked (`reference/metrics.md §1, §2`). */
export type JolokiaRequest = RequestBase &
  (
    | { readonly type: "read"; readonly name: ObjectName; readonly attributes: Attributes }
    | { readonly type: "search"; readonly name: ObjectName }
    | { readonly type: "exec"; readonly name: ObjectName; readonly operation: string }
    | { readonly type: "write"; readonly name: ObjectName; readonly attribute: string }
    | { readonly type: "list" | "version" }
  );

interface RequestBase {
  readonly options: ProcessingOptions;
  readonly path: readonly PathPart[] | undefined;
  /** The request as the answer repeats it. */
  readonly echo: JsonObject;
  /** The request is to be forwarded to another server. */
  readonly isProxied: boolean;
}

/** `single`: the answer is the bare value. No names: every attribute. */
export interface Attributes {
  readonly names: readonly string[];
  readonly single: boolean;
}

type RequestType = JolokiaRequest["type"];

/** The names of the parts of a GET's path, after the type. */
const positions: Readonly<
  Record<RequestType, { required?: readonly string[]; optional?: readonly string[]; rest?: "path" | "arguments" }>
> = {
  read: { required: ["mbean"], optional: ["attribute"], rest: "path" },
  list: { rest: "path" },
  search: { required: ["mbean"] },
  version: {},
  exec: { required: ["mbean", "operation"], rest: "arguments" },
  write: { required: ["mbean", "attribute", "value"], rest: "path" },
};

/**
 * A GET's request.
 * @param path what follows `/metrics/v2`, decoded
 * @throws JolokiaFailure
 */
export function readPathRequest(path: string, options: ProcessingOptions): JolokiaRequest {
  const [typeName, ...parts] = splitPath(path.replace(/^\//, ""));
  const type = typeName === undefined ? "version" : typeNamed(typeName);
  const { required = [], optional = [], rest } = positions[type];
  if (parts.length < required.length) {
    throw new JolokiaFailure("argument", `Invalid arguments in pathinfo ${path} for command ${type.toUpperCase()}`);
  }
  const names = [...required, ...optional];
  const given: JsonObject = Object.fromEntries(parts.slice(0, names.length).map((part, at) => [names[at] ?? "", part]));
  const more = parts.slice(names.length);
  if (rest === "arguments" && more.length > 0) given["arguments"] = more;
  return build(type, given, rest === "path" ? more : [], options);
}

/**
 * A request of a POST. Keys that are not known are ignored: collectors send keys of their own.
 * @throws JolokiaFailure
 */
export function readBodyRequest(body: JsonObject, before: ProcessingOptions): JolokiaRequest {
  const { config, type, path } = body as { config?: Json; type?: Json; path?: Json };
  const options = isObject(config) ? readOptions(config, before) : before;
  if (type === undefined || type === null) throw new JolokiaFailure("argument", "No type given");
  const parts = typeof path === "string" && path !== "/" ? splitPath(path) : [];
  return build(typeNamed(optionText(type)), body, parts, options);
}

function typeNamed(text: string): RequestType {
  const type = text.toLowerCase();
  if (Object.hasOwn(positions, type)) return type as RequestType;
  throw new JolokiaFailure("argument", `No type with name '${text}' exists`);
}

function build(
  type: RequestType,
  given: JsonObject,
  parts: readonly string[],
  options: ProcessingOptions,
): JolokiaRequest {
  const path = innerPath(parts);
  const isProxied = isObject(given["target"]);
  const pathEcho: JsonObject = path === undefined ? {} : { path: joinPath(path) };
  if (type === "list" || type === "version") return { type, options, path, isProxied, echo: { ...pathEcho, type } };
  const name = nameGiven(given["mbean"]);
  const echo = (own: JsonObject): JsonObject => ({ ...pathEcho, mbean: nameText(name, options), ...own, type });
  const base = { options, path, isProxied, name };
  switch (type) {
    case "search":
      return { type, ...base, echo: echo({}) };
    case "read": {
      const attribute = given["attribute"];
      const attributes = attributesGiven(attribute);
      return { type, ...base, attributes, echo: echo(attributeEcho(attribute, attributes)) };
    }
    case "exec": {
      const operation = optionText(given["operation"] ?? "");
      const own: JsonObject = given["arguments"] === undefined ? {} : { arguments: given["arguments"] };
      return { type, ...base, operation, echo: echo({ operation, ...own }) };
    }
    case "write": {
      const attribute = optionText(given["attribute"] ?? "");
      const value: JsonObject = given["value"] === undefined ? {} : { value: given["value"] };
      return { type, ...base, attribute, echo: echo({ attribute, ...value }) };
    }
  }
}

function nameGiven(mbean: Json | undefined): ObjectName {
  if (mbean === undefined || mbean === null) throw new JolokiaFailure("argument", "Objectname can not be null");
  try {
    return parseObjectName(optionText(mbean));
  } catch (error) {
    if (!(error instanceof MalformedName)) throw error;
    throw new JolokiaFailure("argument", `Invalid object name. ${error.message}`, { cause: error });
  }
}

/** A name as answers show it; patterns always in canonical form. */
export function nameText(name: ObjectName, { canonicalNaming }: ProcessingOptions): string {
  return canonicalNaming || isPattern(name) ? canonicalName(name) : `${name.domain}:${propertyList(name, false)}`;
}

/** A text may name several attributes, with commas between them; `\,` is a comma of a name. */
function attributesGiven(attribute: Json | undefined): Attributes {
  if (attribute === undefined || attribute === null) return { names: [], single: false };
  if (Array.isArray(attribute))
    return { names: attribute.filter((name) => name !== null).map(optionText), single: false };
  if (typeof attribute !== "string") {
    const given = stringifyJson(attribute);
    throw new JolokiaFailure(
      "argument",
      `Attribute names must be either a String, Collection or null (and not ${given})`,
    );
  }
  const names = attribute.split(/(?<!\\),/).filter((name) => name !== "");
  return { names: names.map((name) => name.replaceAll("\\,", ",")), single: names.length === 1 };
}

function attributeEcho(attribute: Json | undefined, { names, single }: Attributes): JsonObject {
  if (attribute === undefined || names.length === 0) return {};
  return { attribute: single ? (names[0] ?? "") : [...names] };
}
