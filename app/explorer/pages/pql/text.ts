import { href } from "../address/address.ts";

/** A text as a PQL string. */
export function quote(text: string): string {
  return JSON.stringify(text);
}

/** A scalar as PQL writes it. Times are ISO texts. */
export function literal(value: string | number | boolean | null | Date): string {
  if (value instanceof Date) return quote(value.toISOString());
  return typeof value === "string" ? quote(value) : String(value);
}

/** A dotted path, with the parts quoted that need it: `facts.mountpoints."/".size_bytes` */
export function field(parts: readonly string[]): string {
  return parts
    .map((part, index) => (index === 0 || /^[A-Za-z_][A-Za-z0-9_-]*$/.test(part) ? part : quotedPart(part)))
    .join(".");
}

/** PQL takes what is between the quotes as it is, and has no spelling for a quote before a dot or white space. */
function quotedPart(part: string): string {
  return `"${part}"`;
}

/** The text as a regular expression that matches it literally. */
export function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

/** That one of some fields has a text in it, whatever the case; no condition for an empty text. */
export function contains(text: string, ...fields: readonly string[]): string | undefined {
  if (text === "") return undefined;
  const pattern = literal(`(?i)${escapePattern(text)}`);
  return or(...fields.map((name) => `${name} ~ ${pattern}`));
}

/** Conditions that must all be true; undefined and empty ones do not count. */
export function and(...conditions: readonly (string | undefined)[]): string | undefined {
  return joined(conditions, "and");
}

/** Conditions of which one must be true. */
export function or(...conditions: readonly (string | undefined)[]): string | undefined {
  return joined(conditions, "or");
}

function joined(conditions: readonly (string | undefined)[], operator: "and" | "or"): string | undefined {
  const given = conditions.filter((one) => one !== undefined && one.trim() !== "") as string[];
  if (given.length < 2) return given[0];
  return given.map((one) => (needsParentheses(one) ? `(${one})` : one)).join(` ${operator} `);
}

/** Whether a condition has `and` or `or` outside of quotes. */
function needsParentheses(condition: string): boolean {
  return /\b(?:and|or)\b/i.test(condition.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, ""));
}

/** The parts of a query. */
export interface QueryParts {
  readonly select?: readonly string[];
  readonly where?: string | undefined;
  readonly groupBy?: readonly string[];
  /** `report_timestamp desc` */
  readonly orderBy?: readonly string[];
  readonly limit?: number;
  readonly offset?: number;
}

/**
 * `nodes[certname]{ report_timestamp is null order by certname limit 10 }`
 *
 * PuppetDB has no order and no limit beside `group by` in PQL, only as parameters of the request.
 */
export function query(entity: string, parts: QueryParts = {}): string {
  const { select = [], where, groupBy = [], orderBy = [], limit, offset } = parts;
  const clauses = [
    where ?? "",
    groupBy.length === 0 ? "" : `group by ${listed(groupBy)}`,
    orderBy.length === 0 ? "" : `order by ${orderBy.join(", ")}`,
    limit === undefined ? "" : `limit ${limit}`,
    offset === undefined || offset === 0 ? "" : `offset ${offset}`,
  ].filter((clause) => clause !== "");
  const columns = select.length === 0 ? "" : `[${listed(select)}]`;
  return `${entity}${columns}{${clauses.length === 0 ? "" : ` ${clauses.join(" ")} `}}`;
}

/** Names with commas. PQL wants white space behind the quote that ends a name. */
function listed(names: readonly string[]): string {
  return names.map((name) => (name.endsWith('"') ? `${name} ` : name)).join(", ");
}

/**
 * The condition that limits an entity to an environment; undefined for all environments. Nodes have one environment each for
 * report, catalog and facts: the report's counts, and without report that of the catalog or the facts.
 */
export function inEnvironment(entity: string, name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  const is = (field: string): string => `${field} = ${literal(name)}`;
  const none = (field: string): string => `${field} is null`;
  if (entity !== "nodes") return is("environment");
  return or(
    is("report_environment"),
    and(
      none("report_environment"),
      or(is("catalog_environment"), and(none("catalog_environment"), is("facts_environment"))),
    ),
  );
}

/** Opens the workbench with a query. The query is in the fragment, which reaches neither logs nor proxies. */
export function workbenchHref(
  query: string,
  { lang = "pql", view = "table", asOf }: { lang?: string; view?: string; asOf?: string } = {},
): string {
  return `${href("query", [], asOf === undefined ? {} : { as_of: asOf })}#${new URLSearchParams({ lang, q: query, view }).toString()}`;
}

/** Entities with one row for each node, whose fields are shown beside the node's own. */
export const relatedEntities = ["catalogs", "factsets"] as const;

/** The servers that have a node, where servers are followed. */
export const originField = "origins.name";

/** A field of the row that another entity has of a node. */
interface RelatedField {
  readonly entity: (typeof relatedEntities)[number];
  readonly field: string;
}

/** Reads `catalogs.producer`; undefined for other fields. */
function relatedField(name: string): RelatedField | undefined {
  const [, before, field = ""] = /^(\w+)\.(\w+)$/.exec(name) ?? [];
  const entity = relatedEntities.find((one) => one === before);
  return entity === undefined ? undefined : { entity, field };
}

/** Where a field is that an entity itself has not: `facts.os.name` in `inventory`, `catalogs.producer` in `catalogs`. */
export function fieldElsewhere(
  field: string,
  entity: string,
): { readonly entity: string; readonly field: string } | undefined {
  // `facts.os.name` and `trusted.extensions.pp_role` are fields of `inventory`.
  if (/^(?:facts|trusted)\./.test(field)) return entity === "inventory" ? undefined : { entity: "inventory", field };
  if (entity !== "nodes") return undefined;
  return field === originField ? { entity: "origins", field: "name" } : relatedField(field);
}
