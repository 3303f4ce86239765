import { sortKey, sortRank } from "../../jsonb/sort-key.ts";
import type { SqlType } from "../dialect/types.ts";
import { QueryError } from "../errors.ts";
import {
  asText,
  castOrNull,
  type FieldSql,
  type FieldType,
  jsonText,
  needsOf,
  sql,
  sqlText,
  written,
} from "../entities/index.ts";
import type { Condition, FieldRef, Scalar, Selection } from "../tree.ts";
import { pagingSql } from "./paging.ts";
import { partSql } from "./parts.ts";
import {
  compareSql,
  elementSql,
  fieldTextSql,
  newestSql,
  jsonSql,
  jsonTypeSql,
  nodeStateSql,
  nullSql,
  oneOfSql,
  parameterSql,
  pathMatchSql,
  pathText,
} from "./predicates.ts";
import type { MarkedRows } from "./marks.ts";
import type { Scope } from "./scope.ts";
import { inListSql } from "./value-lists.ts";
import { sortKeyOf } from "./values.ts";
import { duckdb } from "../dialect/duckdb.ts";

/**
 * SQL of a condition, three-valued as in PostgreSQL (`reference/query.md §7.1`).
 * @param negated whether the condition is inside a `not`
 */
export function conditionSql(scope: Scope, condition: Condition, negated = false): string {
  switch (condition.kind) {
    case "and":
    case "or":
      return junctionSql(scope, condition, negated);
    case "not":
      return `(NOT ${conditionSql(scope, condition.clause, true)})`;
    case "constant":
      return String(condition.value);
    case "known":
      return `coalesce(${conditionSql(scope, condition.clause, negated)}, false)`;
    case "newest-of-resource":
      return newestSql(scope, condition);
    case "compare":
      return compareSql(scope, condition.ref, condition.op, condition.value);
    case "text":
      return fieldTextSql(scope, condition.ref, condition.test);
    case "element":
      return elementSql(scope, condition.ref, condition.test);
    case "null":
      return nullSql(scope, condition.ref, condition.isNull);
    case "json":
      return jsonSql(scope, condition.ref, condition.op, sortKey(condition.value));
    case "json-type":
      return jsonTypeSql(scope, condition.ref, condition.test);
    case "path":
      return `${scope.use(condition.ref.field.sql)} = ${scope.value(pathText(condition.ref, condition.path))}`;
    case "path-match":
      return pathMatchSql(scope, condition.ref, condition.elements);
    case "one-of":
      return oneOfSql(scope, condition.ref, condition.values);
    case "one-of-json":
      return inListSql(scope, sortKeyOf(scope, condition.ref), condition.values.map(sortKey));
    case "one-of-paths":
      return inListSql(
        scope,
        scope.use(condition.ref.field.sql),
        condition.paths.map((path) => pathText(condition.ref, path)),
      );
    case "in-query":
      return inQuerySql(scope, condition, negated);
    case "part":
      return partSql(scope, condition.ref, condition.test, negated);
    case "node-state":
      return nodeStateSql(scope, condition.state);
    case "parameter":
      return parameterSql(scope, condition);
  }
}

/** Conjuncts over joined columns from which on they are one expression for the engine. */
const MANY_CONJUNCTS = 16;

/** Alternatives from which on each is one expression for the engine. */
const MANY_ALTERNATIVES = 64;

function junctionSql(
  scope: Scope,
  { kind, clauses }: Extract<Condition, { kind: "and" | "or" }>,
  negated: boolean,
): string {
  const sqlOf = (clause: Condition): string => conditionSql(scope, clause, negated);
  if (kind === "or" && clauses.length >= MANY_ALTERNATIVES) {
    const known = clauses.map((clause) => asOne(sqlOf(clause)));
    return `(${known.join(" OR ")})`;
  }
  const sql = (some: readonly Condition[]): string => some.map(sqlOf).join(kind === "and" ? " AND " : " OR ");
  const joined = kind === "and" && !negated ? clauses.filter((clause) => readsOtherRows(clause)) : [];
  if (joined.length < MANY_CONJUNCTS) return `(${sql(clauses)})`;
  // The engine compares every conjunct with every other one, though none of these can be evaluated before the join.
  const others = clauses.filter((clause) => !joined.includes(clause));
  return `(${[...(others.length === 0 ? [] : [sql(others)]), `coalesce(${sql(joined)}, false)`].join(" AND ")})`;
}

/**
 * The same truth value, unknown included. The engine looks for conjuncts that all alternatives of a disjunction share,
 * which takes the square of their number.
 */
function asOne(condition: string): string {
  return `coalesce(${condition}, ${duckdb.values.cast("NULL", "boolean")})`;
}

/** Whether a condition reads rows other than that of the entity. */
function readsOtherRows(condition: Condition): boolean {
  switch (condition.kind) {
    case "and":
    case "or":
      return condition.clauses.some(readsOtherRows);
    case "not":
    case "known":
      return readsOtherRows(condition.clause);
    default:
      return condition.kind === "part" || isMembership(condition);
  }
}

function isMembership(condition: Condition): boolean {
  if (condition.kind === "part") return condition.ref.field.parts?.whole !== undefined;
  return condition.kind === "in-query" || condition.kind === "parameter";
}

/** Memberships of a row from which on those in the same rows become one join. */
const MANY_MEMBERSHIPS = 8;

/** The number of memberships of a row of the entity, up to {@link MANY_MEMBERSHIPS}. */
function membershipsIn(where: Condition | null): number {
  const open = where === null ? [] : [where];
  let count = 0;
  for (let condition = open.pop(); condition !== undefined && count < MANY_MEMBERSHIPS; condition = open.pop()) {
    if (condition.kind === "and" || condition.kind === "or") open.push(...condition.clauses);
    else if (condition.kind === "not" || condition.kind === "known") open.push(condition.clause);
    else if (isMembership(condition)) count++;
  }
  return count;
}

/** WHERE of a selection, with the condition of its entity; empty where there is no condition. */
export function whereSql(scope: Scope, selection: Selection): string {
  const conditions = allConditions(scope, selection);
  return conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`;
}

/**
 * SQL of the conditions that all rows of a selection meet.
 * @param withImplied whether also what they imply for joined tables: not where few rows are left before these are joined
 */
export function allConditions(scope: Scope, selection: Selection, withImplied = true): string[] {
  const { always } = scope.entity;
  const certname = certnameOf(selection.where);
  if (certname !== undefined) scope.limitTo(certname);
  if (scope.entity.name === "facts" && isOfSteadyFacts(scope, selection.where)) scope.readSteadyFacts();
  if (membershipsIn(selection.where) >= MANY_MEMBERSHIPS) scope.isCrowded = true;
  const conditions: string[] = [];
  if (always !== undefined) conditions.push(scope.use(always));
  if (selection.where !== null) {
    conditions.push(conditionSql(scope, selection.where));
    if (withImplied) conditions.push(...impliedSql(scope, selection.where));
  }
  return conditions;
}

/** SQL of what a condition implies for tables that are joined anyway. */
function impliedSql(scope: Scope, where: Condition): string[] {
  if (where.kind === "and") return where.clauses.flatMap((clause) => impliedSql(scope, clause));
  if (where.kind !== "compare" || where.op !== "=" || where.ref.field.alsoIn === undefined) return [];
  const { alsoIn } = where.ref.field;
  if (needsOf(alsoIn).some((alias) => scope.canSpare(alias))) return [];
  return [`${scope.use(alsoIn)} = ${scope.value(where.value)}`];
}

/** The only certname that a condition can be true for, where it is an equality. */
function certnameOf(where: Condition | null): Scalar | undefined {
  if (where?.kind === "and") return where.clauses.map(certnameOf).find((certname) => certname !== undefined);
  return where?.kind === "compare" && where.op === "=" && where.ref.field.node !== undefined ? where.value : undefined;
}

/** Whether a condition is true for some facts only, by their names, and none of these is volatile. */
function isOfSteadyFacts({ context: { isSteadyFact } }: Scope, where: Condition | null): boolean {
  const isSteady = (name: Scalar | null): boolean => typeof name === "string" && isSteadyFact?.([name]) === true;
  const isNamed = (condition: Condition): boolean => {
    if (condition.kind === "and") return condition.clauses.some(isNamed);
    if (condition.kind === "one-of") return condition.ref.name === "name" && condition.values.every(isSteady);
    return (
      condition.kind === "compare" && condition.op === "=" && condition.ref.name === "name" && isSteady(condition.value)
    );
  };
  return where !== null && isNamed(where);
}

function inQuerySql(
  scope: Scope,
  { refs, selection }: Extract<Condition, { kind: "in-query" }>,
  negated: boolean,
): string {
  const pairs = refs.map((outer, index) => {
    const column = selection.columns[index];
    if (column?.kind !== "field") throw new Error("a subquery's columns are fields");
    const isNeverNull = outer.field.node !== undefined && column.ref.field.node !== undefined;
    return { ...coerced(outer, column.ref), isNeverNull };
  });
  const left = pairs.map(({ outer }) => scope.use(outer));
  const inner = pairs.map((pair) => pair.inner);
  // Outside of a `not` a membership that is unknown is as good as false.
  const canBeFalse = !negated || pairs.every(({ isNeverNull }) => isNeverNull);
  if (scope.isCrowded && canBeFalse && isPlain(selection)) {
    const isOfNode = pairs.length === 1 && pairs.every(({ isNeverNull }) => isNeverNull);
    const owned = isOfNode ? (isRowOfNode(selection.entity) ? "row" : "all") : "found";
    return markedSql(scope, selection, { keys: left, expressions: inner, owned });
  }
  scope.countSubquery();
  const right = subselectSql(scope, selection, inner);
  return `${left.length === 1 ? left[0] : `(${left.join(", ")})`} IN (${right})`;
}

/** Whether the rows of a selection are those that meet its condition. */
function isPlain({ groupBy, paging }: Selection): boolean {
  return groupBy === null && paging.limit === undefined && paging.offset === undefined;
}

/** Whether a node has at most one row. */
function isRowOfNode({ unique, fields }: Selection["entity"]): boolean {
  return unique?.length === 1 && unique.every((name) => fields[name]?.node !== undefined);
}

/** A membership as a column of a join, which other memberships in the same rows share. */
function markedSql(
  scope: Scope,
  { entity, where }: Selection,
  { keys, expressions, owned }: Required<Pick<MarkedRows, "keys" | "owned">> & { expressions: readonly FieldSql[] },
): string {
  const owners = expressions.map((expression) => sqlText(expression, { moment: () => "moment" }));
  const { marks, inner } = scope.entityMarks(JSON.stringify([entity.name, keys, owners]), entity, (within) => ({
    keys,
    owners: expressions.map((expression) => within.use(expression)),
    from: () => within.from(),
    always: entity.always && within.use(entity.always),
    owned,
  }));
  return marks.add(where === null ? "true" : conditionSql(inner, where));
}

/**
 * Makes the two sides of a membership comparable: inner values are converted to the outer type where PuppetDB converts
 * them, and rejected where its database would fail (`reference/query.md §7`).
 */
function coerced(outer: FieldRef, inner: FieldRef): { outer: FieldSql; inner: FieldSql } {
  const [to, from] = [outer.field, inner.field];
  if (to.node !== undefined && from.node !== undefined) return { outer: to.node, inner: from.node };
  if (to.type === "json") {
    if (from.type === "json") return { outer: to.sortKey ?? to.sql, inner: from.sortKey ?? from.sql };
    if (from.type === "string") return { outer: to.sortKey ?? to.sql, inner: sql`'${sortRank.string}' || ${from.sql}` };
  }
  if (to.type === "path" || to.type === "encoded-path") {
    if (from.type === "path" || from.type === "encoded-path") {
      return { outer: to.json ?? to.sql, inner: from.json ?? from.sql };
    }
  }
  // Lists of texts and lists of pairs are different types in the engine.
  if (to.type === "array" && from.type === "array") {
    return { outer: jsonText(to.sql), inner: jsonText(from.sql) };
  }
  if (to.type === from.type) return { outer: to.sql, inner: from.sql };
  const text = from.type === "json" ? written((value) => duckdb.json.string(value), from.sql) : from.sql;
  if (from.type === "string" || from.type === "json") {
    const target = comparableTypes[to.type];
    if (target !== undefined) return { outer: to.sql, inner: castOrNull(text, target) };
  }
  if (to.type === "string") return { outer: to.sql, inner: asText(from.sql) };
  throw new QueryError(`in cannot compare '${outer.name}', a ${to.type}, with '${inner.name}', a ${from.type}`);
}

/** What texts are converted to that are compared with a field. */
const comparableTypes: Readonly<Partial<Record<FieldType, SqlType>>> = {
  numeric: "double",
  boolean: "boolean",
  timestamp: "time",
  string: "text",
};

/** A subquery's SELECT of the given expressions over its entity's tables. */
function subselectSql(outer: Scope, selection: Selection, expressions: readonly FieldSql[]): string {
  const scope = outer.inside(selection.entity);
  const columns = expressions.map((expression) => scope.use(expression)).join(", ");
  const where = whereSql(scope, selection);
  const paging = pagingSql(scope, selection);
  return `SELECT ${columns} ${scope.from()}${where}${paging}`;
}
