import { compareBytewise } from "#storage/bytewise.ts";
import { isObject, type JsonObject, stringifyJson } from "#storage/json.ts";
import { cellText } from "#storage/output/cells.ts";
import { UsageError } from "../errors.ts";
import type { UsedName } from "../names/used-name.ts";
import { readLimit } from "../sources/paging.ts";
import { declaredAt } from "./events.ts";
import { largestFirst } from "./groups.ts";
import type { ShortFormArguments } from "./options.ts";
import { dottedField, readPath } from "#storage/query/pql/path-text.ts";
import { pqlString } from "#storage/query/pql/string-text.ts";
import { pqlText, pqlValue } from "./pql.ts";
import { readResourceName, resourceConditions } from "./resource-name.ts";
import type { Fold, ShortForm } from "./run.ts";

/** What `census resources` takes. */
export interface ResourcesArguments extends ShortFormArguments {
  readonly resource?: string | undefined;
  readonly "by-node"?: boolean | undefined;
  /** `NAME=VALUE` each. */
  readonly parameters?: readonly string[];
}

/** Types of resources, the resources of a type, or the nodes that have one and its parameters. */
export function resourcesForm(args: ResourcesArguments): ShortForm {
  const { resource, "by-node": isByNode = false } = args;
  const limit = readLimit(args.limit);
  const name = resource === undefined ? undefined : readResourceName(resource);
  if (resource !== undefined && name === undefined) {
    throw new UsageError(
      `resources: the resource must be Type or Type[title], e.g. Service[ntp], not ${JSON.stringify(resource)}`,
    );
  }
  const parameters = (args.parameters ?? []).map(parameterCondition);
  if (parameters.length > 0) {
    if (name === undefined) throw new UsageError("resources: --param needs a type or a resource");
    const text = pqlText({
      entity: "resources",
      fields: ["certname", "type", "title", "file", "line", "parameters"],
      conditions: [...resourceConditions(name), ...parameters],
      order: ["order by certname, title"],
      limit,
    });
    const names: UsedName[] = [{ kind: "resource", ...name }];
    return { name: "resources", names, query: () => text, shape: withParameter, isLimited: limit !== undefined };
  }
  if (isByNode && name?.title === undefined) throw new UsageError("resources: --by-node needs a resource, Type[title]");
  const names: UsedName[] = name === undefined ? [] : [{ kind: "resource", ...name }];
  if (name?.title === undefined) {
    const field = name === undefined ? "type" : "title";
    const conditions = name === undefined ? [] : resourceConditions(name);
    const order = [`group by ${field}`];
    const text = pqlText({ entity: "resources", fields: [field, "count()"], conditions, order });
    return {
      name: "resources",
      names,
      query: () => text,
      fold: { rows: (rows) => largestFirst(rows, "count"), limit },
    };
  }
  const text = pqlText({
    entity: "resources",
    fields: ["certname", "exported", "file", "line", "parameters"],
    conditions: resourceConditions(name),
    order: ["order by certname"],
  });
  const rows: Fold["rows"] = isByNode ? (found) => found.map(shown) : byValue;
  return { name: "resources", names, query: () => text, fold: { rows, limit } };
}

/** A value that looks like a number or a boolean may be one, or a text: `mode=0777`. @throws UsageError without a name */
function parameterCondition(text: string): string {
  const { name, value } = /^(?<name>[^=]+)=(?<value>.*)$/s.exec(text)?.groups ?? {};
  const path = name === undefined ? undefined : readPath(name);
  if (path === undefined || value === undefined) {
    throw new UsageError(`resources: --param must be NAME=VALUE, e.g. mode=0777, not ${JSON.stringify(text)}`);
  }
  const field = dottedField("parameters", path);
  const values = new Set([pqlString(value), pqlValue(value)]);
  // A number with zeros before it is a text.
  const possible = [...values].filter((one) => !/^-?0\d/.test(one)).map((one) => `${field} = ${one}`);
  return possible.length === 1 ? String(possible[0]) : `(${possible.join(" or ")})`;
}

function withParameter({ type, title, file, line, certname = null, parameters = {} }: JsonObject): JsonObject {
  const resource = `${cellText(type)}[${cellText(title)}]`;
  return { certname, resource, declared: declaredAt(file, line), parameters };
}

function shown({ certname = null, exported = null, file, line, parameters = {} }: JsonObject): JsonObject {
  return { certname, declared: declaredAt(file, line), exported, parameters };
}

/** Each parameter with its values and the nodes that have them; null where a node does not set it. */
function byValue(resources: readonly JsonObject[]): JsonObject[] {
  const sets = resources.map(({ certname = null, parameters }) => ({
    certname,
    parameters: isObject(parameters) ? parameters : {},
  }));
  const names = [...new Set(sets.flatMap(({ parameters }) => Object.keys(parameters)))].sort(compareBytewise);
  // A resource without parameters has nodes as well.
  const parameters = names.length > 0 || sets.length === 0 ? names : [null];
  return parameters.flatMap((parameter) => {
    const values = sets.map(({ certname, parameters: set }) => ({
      certname,
      value: (parameter === null ? undefined : set[parameter]) ?? null,
    }));
    const groups = [...Map.groupBy(values, ({ value }) => stringifyJson(value)).values()].map((group) => ({
      parameter,
      value: group[0]?.["value"] ?? null,
      count: group.length,
      certnames: group.map(({ certname }) => cellText(certname)),
    }));
    return largestFirst(groups, "count");
  });
}
