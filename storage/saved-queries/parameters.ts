import { quotedText } from "../engine/quoted-text.ts";
import { isScalar, isSeq, type Node } from "yaml";
import type { Json } from "../json.ts";
import { didYouMean, type FileReader } from "./file-reader.ts";
import type { ParameterScalar, ParameterValue, QueryLanguage } from "./types.ts";

export type Parameters = ReadonlyMap<string, ParameterValue | undefined>;

/** A text with the values of its parameters. */
export interface Filled {
  readonly text: string;
  readonly unset: readonly string[];
}

/**
 * The parameters of a file with their values.
 * @param given values from elsewhere, as texts; each is read as what its default is
 */
export function readParameters(reader: FileReader, node: Node | null, given: ReadonlyMap<string, string>): Parameters {
  const parameters = new Map<string, ParameterValue | undefined>();
  for (const [name, { key, value }] of reader.entries(node, "parameters")) {
    if (!/^[A-Za-z_]\w*$/.test(name)) {
      throw reader.error(key, `${JSON.stringify(name)} is not the name of a parameter; use letters, digits and _`);
    }
    const usual = defaultOf(reader, name, value);
    const text = given.get(name);
    parameters.set(name, text === undefined ? usual : valueOf(name, text, usual));
  }
  return parameters;

  function valueOf(name: string, text: string, usual: ParameterValue | undefined): ParameterValue {
    const value = typedAs(text, usual);
    if (value !== undefined) return value;
    const kind = typeof usual === "boolean" ? "true or false" : "a number";
    throw reader.error(node, `parameter ${name} is ${kind}, as its default; it cannot be ${JSON.stringify(text)}`);
  }
}

function defaultOf(reader: FileReader, name: string, node: Node | null): ParameterValue | undefined {
  if (node === null) return undefined;
  if (isSeq(node)) return node.items.map((item) => scalarOf(reader, name, item as Node));
  return isScalar(node) && node.value === null ? undefined : scalarOf(reader, name, node);
}

function scalarOf(reader: FileReader, name: string, node: Node): ParameterScalar {
  const value: unknown = isScalar(node) ? node.value : undefined;
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw reader.error(node, `the default of parameter ${name} must be a text, a number, true, false or a list of these`);
}

/** A text as what another value is; undefined when it cannot be. Elements of a list are separated by commas. */
function typedAs(text: string, like: ParameterValue | undefined): ParameterValue | undefined {
  if (typeof like === "number") return text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : undefined;
  if (typeof like === "boolean") return text === "true" ? true : text === "false" ? false : undefined;
  if (!isValues(like)) return text;
  const elements = text === "" ? [] : text.split(",").map((element) => typedAs(element, like[0]));
  return elements.every((element) => element !== undefined) ? (elements as ParameterScalar[]) : undefined;
}

function isValues(value: ParameterValue | undefined): value is readonly ParameterScalar[] {
  return Array.isArray(value);
}

/** What is skipped in a text: quoted texts and comments. What remains may have parameters. */
const SKIPPED: Readonly<Record<QueryLanguage, string>> = {
  PQL: `"(?:[^"\\\\]|\\\\.)*"|'(?:[^'\\\\]|\\\\.)*'`,
  AST: `"(?:[^"\\\\]|\\\\.)*"`,
  SQL: `'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\\n]*|/\\*.*?\\*/|\\$\\$.*?\\$\\$`,
};

/**
 * Puts the values of parameters into the text of a query, each as a literal of its language: `$name` outside of quotes.
 * @param refuse throws for a name that is not a parameter
 */
export function fillText(
  text: string,
  language: QueryLanguage,
  parameters: Parameters,
  refuse: (message: string) => never,
): Filled {
  const unset = new Set<string>();
  const pattern = new RegExp(`${SKIPPED[language]}|\\$(?<name>[A-Za-z_]\\w*)`, "gs");
  const filled = text.replaceAll(pattern, (found, ...rest) => {
    const { name } = rest.at(-1) as { name: string | undefined };
    if (name === undefined) return found;
    if (!parameters.has(name)) refuse(unknownParameter(name, parameters));
    const value = parameters.get(name);
    if (value !== undefined) return parameterLiteral(value, language);
    unset.add(name);
    return found;
  });
  return { text: filled, unset: [...unset] };
}

/** A value of the file in which a text `$name` alone is the parameter's value. */
export function fillValue(
  value: Json,
  parameters: Parameters,
  refuse: (message: string) => never,
): { readonly value: Json; readonly unset: readonly string[] } {
  const { name } = /^\$(?<name>[A-Za-z_]\w*)$/.exec(typeof value === "string" ? value : "")?.groups ?? {};
  if (name !== undefined) {
    if (!parameters.has(name)) refuse(unknownParameter(name, parameters));
    const filled = parameters.get(name);
    if (filled === undefined) return { value, unset: [name] };
    return { value: isValues(filled) ? [...filled] : filled, unset: [] };
  }
  if (!Array.isArray(value)) return { value, unset: [] };
  const elements = value.map((element) => fillValue(element, parameters, refuse));
  return { value: elements.map((element) => element.value), unset: elements.flatMap(({ unset }) => unset) };
}

function unknownParameter(name: string, parameters: Parameters): string {
  const known = [...parameters.keys()];
  const hint = known.length === 0 ? "this file has no parameters" : didYouMean(name, known);
  return `unknown parameter $${name}; ${hint}`;
}

function parameterLiteral(value: ParameterValue, language: QueryLanguage): string {
  if (language !== "SQL") return JSON.stringify(value);
  if (isValues(value)) return `(${value.map((element) => parameterLiteral(element, language)).join(", ")})`;
  return typeof value === "string" ? quotedText(value) : String(value);
}
