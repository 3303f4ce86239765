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
 * PQL has no order and no limit beside `group by`: they are parameters of the request then.
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
