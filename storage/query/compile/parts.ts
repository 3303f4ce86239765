import { parameterDigest } from "../../hash/parameter-digest.ts";
import { type Json, isNumber, isObject, numberText } from "../../json.ts";
import { requiredText } from "../../jsonb/contains.ts";
import { sortKey } from "../../jsonb/sort-key.ts";
import { jsonbText } from "../../jsonb/text.ts";
import { QueryError } from "../errors.ts";
import type { DocumentParts } from "../entities/index.ts";
import { translateRegex } from "../../postgres/regex.ts";
import type { DottedRef, PartTest, PathPart } from "../tree.ts";
import type { JsonKind, JsonPart } from "../dialect/types.ts";
import { matchesSql, ownerSql, textTestSql } from "./predicates.ts";
import type { Scope } from "./scope.ts";
import { inListSql, listSql } from "./value-lists.ts";
import { partAt, partsOf, stepsOf } from "./values.ts";
import { duckdb } from "../dialect/duckdb.ts";

/**
 * Conditions on parts of documents: `facts.os.family = "Debian"` (`reference/query.md §5`). A document is stored as one
 * row per top-level key. Where it is stored only so, the parts become columns of the entity's row; where it is also
 * stored as a whole, a condition is "the owner is among the owners of matching rows".
 *
 * @param negated inside a `not`: rows that have the first component but lack the rest must then be unknown rather than
 *   false, as must all rows that lack the part where it is tested for null; elsewhere that makes no difference and
 *   requires reading the rows twice
 */
export function partSql(scope: Scope, ref: DottedRef, test: PartTest, negated: boolean): string {
  const parts = partsOf(ref);
  const key = scope.use(parts.key);
  if (ref.path.length === 0) return wholeSql(scope, ref, parts, test);
  if (ref.path.some((part) => part.kind === "match")) return matchSql(scope, ref, parts, test);
  const [first, ...rest] = ref.path;
  const name = first === undefined || first.kind === "index" || first.kind === "match" ? "" : first.name;
  if (parts.whole === undefined)
    return pivotSql(scope, parts, { name, rest }, test, negated && leavesUnknown(ref, test));
  const owners = { table: parts.table, owner: parts.owner, key };
  const named = { column: parts.name, value: name };
  const { digest } = parts;
  const found =
    digest !== undefined && isOwnValue(rest, test)
      ? ownerSql(scope, owners, { column: digest, value: parameterDigest(name, parts.encode(test.value)) })
      : ownerSql(
          scope,
          owners,
          named,
          ownValueSql(scope, parts, rest, test) ?? testSql(scope, parts.value, rest, test),
        );
  if (!negated || !leavesUnknown(ref, test)) return found;
  const part = partAt(scope, parts.value, rest).json;
  if (test.kind === "null") {
    const known = ownerSql(scope, owners, named, `${part} IS NOT NULL`);
    return `CASE WHEN ${found} THEN true WHEN ${known} THEN false ELSE NULL END`;
  }
  const unknown = ownerSql(scope, owners, named, `${part} IS NULL`);
  return `CASE WHEN ${found} THEN true WHEN ${unknown} THEN NULL ELSE false END`;
}

/** The same with columns of the entity's row. */
function pivotSql(
  scope: Scope,
  parts: DocumentParts,
  { name, rest }: { name: string; rest: readonly PathPart[] },
  test: PartTest,
  mayBeUnknown: boolean,
): string {
  const { json, values } = duckdb;
  const pivot = scope.pivot(parts);
  const part = pivot.part(name, stepsOf(rest));
  const isWritten = test.kind === "contains" || test.kind === "equals";
  const found =
    test.kind === "one-of"
      ? pivotOneOfSql(scope, parts, part, rest, test.values)
      : rest.length > 0 && isWritten && typeof test.value === "string"
        ? `${part} = ${json.text(values.cast(scope.value(test.value), "text"))}`
        : (ownValueSql(scope, { ...parts, value: part }, rest, test) ?? testSql(scope, part, [], test));
  if (!mayBeUnknown) return `coalesce(${found}, false)`;
  const unknown = test.kind === "null" ? `${part} IS NULL` : `${pivot.has(name)} AND ${part} IS NULL`;
  return `CASE WHEN ${found} THEN true WHEN ${unknown} THEN NULL ELSE false END`;
}

/** One of several strings, compared with the JSON texts of the part. */
function pivotOneOfSql(
  scope: Scope,
  parts: DocumentParts,
  part: string,
  rest: readonly PathPart[],
  values: readonly string[],
): string {
  if (rest.length === 0) return inListSql(scope, part, values.map(parts.encode));
  const { json, lists } = duckdb;
  return `${part} IN (SELECT ${json.text(lists.rows(listSql(scope, values)))})`;
}

/** A string or boolean that is a top-level value is compared as it is stored, without extracting anything. */
function ownValueSql(
  scope: Scope,
  parts: DocumentParts,
  rest: readonly PathPart[],
  test: PartTest,
): string | undefined {
  if (test.kind === "one-of") {
    return rest.length > 0 ? undefined : inListSql(scope, parts.value, test.values.map(parts.encode));
  }
  return isOwnValue(rest, test) ? `${parts.value} = ${scope.value(parts.encode(test.value))}` : undefined;
}

/** Whether only one text passes the test. */
function isOwnValue(
  rest: readonly PathPart[],
  test: PartTest,
): test is Extract<PartTest, { kind: "contains" | "equals" }> & { readonly value: string | boolean } {
  if (rest.length > 0 || (test.kind !== "contains" && test.kind !== "equals")) return false;
  return typeof test.value === "string" || typeof test.value === "boolean";
}

/** Containment and paths of digits are true or false; the other tests are unknown where the value is missing. */
function leavesUnknown(ref: DottedRef, test: PartTest): boolean {
  const kind = test.kind === "one-of" ? test.as : test.kind;
  if (kind === "contains") return false;
  return kind !== "equals" || ref.path.some((part) => part.kind === "index");
}

function testSql(scope: Scope, document: string, path: readonly PathPart[], test: PartTest): string {
  const { json } = duckdb;
  const part = partAt(scope, document, path);
  switch (test.kind) {
    case "null":
      return json.isKind(part.kind, test.isNull ? "=" : "<>", "null");
    case "text":
      return textTestSql(
        scope,
        `CASE WHEN ${json.isOneOf(part.kind, ["array", "object"])} THEN ${json.spaced(part.json)} ELSE ${part.string} END`,
        test.test,
      );
    case "contains":
      if (Array.isArray(test.value) || isObject(test.value)) {
        return containsSql(scope, part.json, test.value);
      }
      return equalSql(scope, test.value, part);
    case "equals":
      return equalSql(scope, test.value, part);
    case "one-of":
      return `(${json.isKind(part.kind, "=", "string")} AND ${inListSql(scope, part.string, test.values)})`;
    case "order":
      return orderSql(scope, test.op, test.value, part);
  }
}

/** Documents that do not contain a text of the operand need no call of our function. */
function containsSql(scope: Scope, document: string, operand: Json): string {
  const { json, texts } = duckdb;
  const found = json.contains(document, scope.value(jsonbText(operand)));
  const text = requiredText(operand);
  return text === undefined
    ? found
    : `CASE WHEN ${texts.contains(document, scope.value(text))} THEN ${found} ELSE false END`;
}

function equalSql(scope: Scope, operand: Json, part: JsonPart): string {
  const { json } = duckdb;
  if (operand === null) return json.isKind(part.kind, "=", "null");
  if (typeof operand === "string" || typeof operand === "boolean") {
    const kind = typeof operand === "string" ? "string" : "boolean";
    return `(${json.isKind(part.kind, "=", kind)} AND ${part.string} = ${scope.value(String(operand))})`;
  }
  if (isNumber(operand))
    return `(${json.isOneOf(part.kind, ["number"])} AND ${numberCompare(scope, "=", operand, part.string)})`;
  return `${json.spaced(part.json)} = ${scope.value(jsonbText(operand))}`;
}

/** The order of JSON values: the kind decides before the value does, but an empty array is less than anything else. */
function orderSql(scope: Scope, op: ">" | "<" | ">=" | "<=", operand: Json, part: JsonPart): string {
  const { json } = duckdb;
  if (Array.isArray(operand)) return `${json.orderKey(part.json)} ${op} ${scope.value(sortKey(operand))}`;
  const own = kindOf(operand);
  const rank = kindOrder.indexOf(own);
  const isGreater = op === ">" || op === ">=";
  const others = isGreater ? kindOrder.slice(rank + 1) : kindOrder.slice(0, rank);
  const otherKind = otherKindSql(part, others, isGreater);
  const same = json.isOneOf(part.kind, [own]);
  if (isNumber(operand)) return `(${otherKind} OR (${same} AND ${numberCompare(scope, op, operand, part.string)}))`;
  if (typeof operand === "string" || typeof operand === "boolean") {
    // false < true as texts too.
    return `(${otherKind} OR (${same} AND ${part.string} ${op} ${scope.value(String(operand))}))`;
  }
  // Of null only the kind is compared.
  return op === ">=" || op === "<=" ? `(${otherKind} OR ${same})` : otherKind;
}

/** Whether the value is of one of these kinds, or is an empty array where lesser values are wanted. */
function otherKindSql(part: JsonPart, kinds: readonly JsonKind[], isGreater: boolean): string {
  const { json } = duckdb;
  if (kinds.includes("array") !== isGreater) return json.isOneOf(part.kind, kinds);
  const found = json.isOneOf(
    part.kind,
    kinds.filter((kind) => kind !== "array"),
  );
  return `(${found} OR (${json.isOneOf(part.kind, ["array"])} AND ${part.string} ${isGreater ? "<>" : "="} '[]'))`;
}

/** Numbers are compared as doubles, except for whole numbers too large for a double, which are compared exactly. */
function numberCompare(scope: Scope, op: string, operand: Parameters<typeof numberText>[0], text: string): string {
  const { values } = duckdb;
  const digits = numberText(operand);
  const isLarge = /^-?\d{16,38}$/.test(digits);
  const type = isLarge ? "large integer" : "double";
  const compared = values.cast(scope.value(isLarge ? digits : Number(digits)), type);
  return `${values.castOrNull(text, type)} ${op} ${compared}`;
}

/** The kinds of JSON value in jsonb's order. */
const kindOrder = ["null", "string", "number", "boolean", "array", "object"] as const satisfies JsonKind[];

function kindOf(operand: Json): JsonKind {
  if (operand === null) return "null";
  if (isNumber(operand)) return "number";
  if (Array.isArray(operand)) return "array";
  if (typeof operand === "string") return "string";
  return typeof operand === "boolean" ? "boolean" : "object";
}

/** `["=", "facts", {…}]`: every key of the operand is contained; any operand but an object is not. */
function wholeSql(scope: Scope, ref: DottedRef, parts: DocumentParts, test: PartTest): string {
  if (test.kind !== "contains" || !isObject(test.value)) return "false";
  const keys = Object.entries(test.value).map(([name, value]) =>
    partSql(scope, { ...ref, path: [{ kind: "key", name }] }, { kind: "contains", value }, false),
  );
  return keys.length === 0 ? `${scope.use(parts.key)} IS NOT NULL` : `(${keys.join(" AND ")})`;
}

/**
 * A path with match(): tests every stored fact path that the joined components match, unanchored
 * (`reference/query.md §5`). Where no path matches, no row is selected; PuppetDB fails there.
 */
function matchSql(scope: Scope, ref: DottedRef, parts: DocumentParts, test: PartTest): string {
  if (parts.table !== "facts") throw new QueryError(`match() works on facts and trusted, not in '${ref.name}'`);
  const joined = ref.path
    .map((part) => (part.kind === "match" ? part.pattern : part.kind === "index" ? String(part.index) : part.name))
    .join("#~");
  const paths = `SELECT p.id FROM fact_paths p WHERE ${matchesSql(scope, "p.path", translateRegex(joined))}`;
  // Empty rows that separate long ones (`ingest/write/spaced-rows.ts`) have no JSON, and the engine may look at values first.
  const condition = testSql(scope, "nullif(l.value, '')", [], test);
  scope.countSubquery();
  for (const table of ["fact_leaves", "fact_paths"]) scope.read(table);
  return `${scope.use(parts.key)} IN (SELECT l.node_id FROM fact_leaves l WHERE l.path_id IN (${paths}) AND ${condition})`;
}
