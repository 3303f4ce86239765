import { quotedText } from "../../engine/quoted-text.ts";
import { parameterDigest } from "../../hash/parameter-digest.ts";
import { encodePath } from "../../wire/fact-leaves.ts";
import { sortRank } from "../../jsonb/sort-key.ts";
import type { Regex } from "../../postgres/regex.ts";
import { alias, type FieldSql, isNotNull, isNull, sql } from "../entities/index.ts";
import { comparisonNamed } from "../operators.ts";
import type { Condition, FieldRef, Ordering, PathPattern, Scalar, TextTest, ValueRef } from "../tree.ts";
import type { Guard } from "./marks.ts";
import type { Scope } from "./scope.ts";
import { inListSql, MAX_INLINE_VALUES, numberListSql } from "./value-lists.ts";
import { sortKeyOf } from "./values.ts";
import { duckdb } from "../dialect/duckdb.ts";

/** The name in `jsonb_typeof` of each kind that a {@link sortKey} begins with. */
const typeOfRank: Readonly<Record<string, string>> = {
  [sortRank.emptyArray]: "array",
  [sortRank.null]: "null",
  [sortRank.string]: "string",
  [sortRank.number]: "number",
  [sortRank.boolean]: "boolean",
  [sortRank.array]: "array",
  [sortRank.object]: "object",
};

export function compareSql(scope: Scope, ref: FieldRef, op: string, value: Scalar): string {
  const { node } = ref.field;
  const id = op === "=" && node !== undefined && typeof value === "string" ? scope.context.nodeOf?.(value) : undefined;
  if (node !== undefined && id !== undefined) return `${scope.use(node)} = ${scope.value(id)}`;
  const sql = scope.use(ref.field.sql);
  // The engine can join by a plain condition, but not by a comparison with true.
  if (ref.field.isCondition === true && op === "=" && typeof value === "boolean") return value ? sql : `NOT ${sql}`;
  const { begins } = ref.field;
  const start = op === "=" && typeof value === "string" ? begins?.with(value) : undefined;
  const compared = comparedSql(op, sql, scope.value(value));
  if (begins === undefined || start === undefined) return compared;
  return `(${duckdb.texts.startsWith(scope.use(begins.in), scope.value(start))} AND ${compared})`;
}

/** SQL of an operator between a column and a value. */
function comparedSql(op: string, column: string, value: string): string {
  const sql = comparisonNamed(op)?.sql;
  if (sql === undefined) throw new Error(`${op} has no SQL`);
  return sql(column, value);
}

/** SQL of a test of a text. */
export function textTestSql(scope: Scope, text: string, test: TextTest): string {
  if (test.kind === "compares") return comparedSql(test.op, text, scope.value(test.text));
  return matchesSql(scope, text, test.regex);
}

/** Whether a text matches. */
export function matchesSql(scope: Scope, text: string, regex: Regex): string {
  return duckdb.texts.matches(text, regex, (value) => scope.value(value));
}

/** On columns a test of NULL is false, so that `not ~` includes NULL; on JSON values it is unknown. */
export function fieldTextSql(scope: Scope, ref: FieldRef, test: TextTest): string {
  const column = scope.use(ref.field.sql);
  if (ref.field.type !== "json") return `coalesce(${textTestSql(scope, column, test)}, false)`;
  // Stored documents have jsonb's spacing already; only strings need their quotes removed.
  const key = sortKeyOf(scope, ref);
  const string = duckdb.json.string(column);
  const text = `CASE left(${key}, 1) WHEN '${sortRank.string}' THEN ${string} WHEN '${sortRank.null}' THEN NULL ELSE ${column} END`;
  const full = textTestSql(scope, text, test);
  if (test.kind !== "matches" || test.regex.engine !== "re2" || !test.regex.inJson) return full;
  // Few values match, and a test of the stored text is much cheaper than of what a string has in its quotes. A null remains
  // unknown.
  return `((${column} = 'null' OR ${matchesSql(scope, column, test.regex)}) AND ${full})`;
}

function isEquality(test: TextTest): test is Extract<TextTest, { kind: "compares" }> {
  return test.kind === "compares" && test.op === "=";
}

export function elementSql(scope: Scope, ref: FieldRef, test: TextTest): string {
  const list = scope.use(ref.field.elements ?? ref.field.sql);
  const { lists } = duckdb;
  if (isEquality(test)) return lists.has(list, scope.value(test.text));
  return `coalesce(${lists.some(list, (element) => textTestSql(scope, element, test))}, false)`;
}

export function nullSql(scope: Scope, ref: FieldRef, wantsNull: boolean): string {
  if (ref.field.type === "json") return `${sortKeyOf(scope, ref)} ${wantsNull ? "=" : "<>"} '${sortRank.null}'`;
  const { sql: declared } = ref.field;
  // This tests for JSON's null; where there is no document at all the result is unknown.
  if (ref.field.serialized === true || ref.field.type === "document")
    return `${scope.use(declared)} ${wantsNull ? "=" : "<>"} 'null'`;
  if ("column" in declared) return scope.use(wantsNull ? isNull(declared) : isNotNull(declared));
  return `${scope.use(declared)} IS ${wantsNull ? "" : "NOT "}NULL`;
}

/** Ordering compares numbers only: keys of other kinds are outside of the range. */
export function jsonSql(scope: Scope, ref: FieldRef, op: "=" | Ordering, key: string): string {
  const column = sortKeyOf(scope, ref);
  const compared = `${column} ${op} ${scope.value(key)}`;
  if (op === "=") return compared;
  const bound = op === ">" || op === ">=" ? `${column} < '${sortRank.boolean}'` : `${column} >= '${sortRank.number}'`;
  return `(${compared} AND ${bound})`;
}

export function jsonTypeSql(scope: Scope, ref: ValueRef, test: TextTest): string {
  const rank = `left(${sortKeyOf(scope, ref)}, 1)`;
  if (isEquality(test)) {
    const ranks = Object.keys(typeOfRank).filter((candidate) => typeOfRank[candidate] === test.text);
    return ranks.length === 0 ? "false" : `${rank} IN (${ranks.map(quotedText).join(", ")})`;
  }
  const cases = Object.entries(typeOfRank).map(([candidate, type]) => `WHEN '${candidate}' THEN '${type}'`);
  return textTestSql(scope, `CASE ${rank} ${cases.join(" ")} END`, test);
}

/** A path as one text in the field's spelling: JSON in fact_contents, an encoding of its own in fact_paths. */
export function pathText(ref: FieldRef, path: readonly (string | number)[]): string {
  return ref.field.type === "encoded-path" ? encodePath(path) : JSON.stringify(path);
}

export function pathMatchSql(scope: Scope, ref: FieldRef, patterns: readonly PathPattern[]): string {
  const { elements, kinds } = ref.field;
  if (elements === undefined || kinds === undefined) throw new Error(`${ref.name} is not a path`);
  const { lists } = duckdb;
  const [texts, letters] = [scope.use(elements), scope.use(kinds)];
  const tests = patterns.map((pattern, index) => {
    const element = lists.element(texts, index + 1);
    const kind = lists.element(letters, index + 1);
    if (pattern.kind === "index") return `(${element} = ${scope.value(String(pattern.index))} AND ${kind} = 'i')`;
    const matches = matchesSql(scope, element, pattern.regex);
    return pattern.isKey ? `(${matches} AND ${kind} = 's')` : matches;
  });
  return `(${[`${lists.length(texts)} = ${patterns.length}`, ...tests].join(" AND ")})`;
}

export function oneOfSql(scope: Scope, ref: FieldRef, values: readonly (Scalar | null)[]): string {
  const column = scope.use(ref.field.sql);
  if (values.every((value) => typeof value === "string")) return inListSql(scope, column, values);
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return "false";
  if (known.length <= MAX_INLINE_VALUES) return `${column} IN (${known.map((value) => scope.value(value)).join(", ")})`;
  return `${column} IN (SELECT ${scalarListSql(scope, known)})`;
}

/** Many scalars as rows of one column. */
function scalarListSql(scope: Scope, values: readonly Scalar[]): string {
  const { lists } = duckdb;
  const times = values.flatMap((value) => (typeof value === "object" ? [value.micros] : []));
  if (times.length === values.length) return lists.timeRows(numberListSql(scope, times));
  const numbers = values.filter((value) => typeof value === "number" || typeof value === "bigint");
  if (numbers.length !== values.length) throw new Error("a list has values of several kinds");
  const isWhole = numbers.every((value) => typeof value === "bigint");
  return lists.rows(numberListSql(scope, numbers, isWhole ? "integer" : "double"));
}

const n = alias("n");
const active = sql`(${isNull(n("deactivated"))} AND ${isNull(n("expired"))})`;
const inactive = (horizon: string): FieldSql =>
  sql`coalesce(${n("deactivated")} > ${horizon} OR ${n("expired")} > ${horizon}, false)`;

export function nodeStateSql(scope: Scope, state: "active" | "inactive"): string {
  if (state === "active") return scope.use(active);
  return scope.use(inactive(scope.value({ micros: scope.context.purgeHorizon })));
}

export function parameterSql(scope: Scope, { key, name, value }: Extract<Condition, { kind: "parameter" }>): string {
  const owners = { table: "resource_parameters", owner: "resource_id", key: scope.use(key) };
  if (isEquality(name) && isEquality(value)) {
    return ownerSql(scope, owners, { column: "digest", value: parameterDigest(name.text, value.text) });
  }
  return ownerSql(
    scope,
    owners,
    undefined,
    `(${textTestSql(scope, "name", name)} AND ${textTestSql(scope, "value", value)})`,
  );
}

/** Rows of a table that belong to owners, and what the owner is compared with. */
interface Owners {
  readonly table: string;
  readonly owner: string;
  readonly key: string;
}

/**
 * SQL of whether an owner has a row that meets a condition.
 * @param guard a value that the row has in a column
 */
export function ownerSql(
  scope: Scope,
  { table, owner, key }: Owners,
  guard: Guard | undefined,
  condition = "true",
): string {
  const isValue = guard === undefined ? "true" : `${guard.column} = ${scope.value(guard.value)}`;
  if (scope.isCrowded) {
    // Only where the value is right is the condition evaluated.
    const found = condition === "true" ? isValue : `CASE WHEN ${isValue} THEN ${condition} ELSE false END`;
    return scope.tableMarks(table, owner, key).add(found, guard);
  }
  scope.countSubquery();
  scope.read(table);
  const where = [isValue, condition].filter((each) => each !== "true");
  return `${key} IN (SELECT ${owner} FROM ${table} WHERE ${where.join(" AND ")})`;
}

/**
 * All events of one resource and node that tie for the newest are selected. The columns of the partition may be NULL;
 * PARTITION BY treats NULLs as equal.
 */
export function newestSql(scope: Scope, window: Extract<Condition, { kind: "newest-of-resource" }>): string {
  for (const table of ["events", "reports"]) scope.read(table);
  scope.read("nodes", ["report_id"]);
  const candidates = [
    "e.report_id > 0",
    `e.timestamp BETWEEN ${scope.value({ micros: window.start })} AND ${scope.value({ micros: window.end })}`,
    ...(window.latest === null ? [] : [`coalesce(r.id = n.report_id, false) = ${window.latest}`]),
  ];
  const ranked = `SELECT e.report_id, e.position, rank() OVER (
      PARTITION BY r.node_id, e.resource_type, e.resource_title, e.property, e.name ORDER BY e.timestamp DESC) AS place
    FROM events e JOIN reports r ON r.id = e.report_id JOIN nodes n ON n.id = r.node_id
    WHERE ${candidates.join(" AND ")}`;
  return `(e.report_id, e.position) IN (SELECT report_id, position FROM (${ranked}) WHERE place = 1)`;
}
