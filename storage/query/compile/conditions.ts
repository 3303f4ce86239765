import { sortKey, sortRank } from "../../jsonb/sort-key.ts";
import { QueryError } from "../errors.ts";
import { type FieldSql, sql } from "../entities/index.ts";
import type { Condition, FieldRef, Scalar, Selection } from "../tree.ts";
import { inListSql } from "./dialect.ts";
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
  sortKeyOf,
} from "./predicates.ts";
import type { Scope } from "./scope.ts";

/**
 * SQL of a condition, three-valued as in PostgreSQL (`reference/query.md §7.1`).
 * @param negated whether the condition is inside a `not`
 */
export function conditionSql(scope: Scope, condition: Condition, negated = false): string {
  switch (condition.kind) {
    case "and":
    case "or": {
      const clauses = condition.clauses.map((clause) => conditionSql(scope, clause, negated));
      return `(${clauses.join(condition.kind === "and" ? " AND " : " OR ")})`;
    }
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
      return inQuerySql(scope, condition);
    case "part":
      return partSql(scope, condition.ref, condition.test, negated);
    case "node-state":
      return nodeStateSql(scope, condition.state);
    case "parameter":
      return parameterSql(scope, condition.key, condition.name, condition.test);
  }
}

/** WHERE of a selection, with the condition of its entity; empty where there is no condition. */
export function whereSql(scope: Scope, selection: Selection): string {
  const conditions = allConditions(scope, selection);
  return conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`;
}

/** SQL of the conditions that all rows of a selection meet. */
export function allConditions(scope: Scope, selection: Selection): string[] {
  const { always } = scope.entity;
  const certname = certnameOf(selection.where);
  if (certname !== undefined) scope.limitTo(certname);
  const conditions: string[] = [];
  if (always !== undefined) conditions.push(scope.use(always));
  if (selection.where !== null) conditions.push(conditionSql(scope, selection.where));
  return conditions;
}

/** The only certname that a condition can be true for, where it is an equality. */
function certnameOf(where: Condition | null): Scalar | undefined {
  if (where?.kind === "and") return where.clauses.map(certnameOf).find((certname) => certname !== undefined);
  return where?.kind === "compare" && where.op === "=" && where.ref.field.node !== undefined ? where.value : undefined;
}

function inQuerySql(scope: Scope, condition: Extract<Condition, { kind: "in-query" }>): string {
  const { refs, selection } = condition;
  const pairs = refs.map((outer, index) => {
    const column = selection.columns[index];
    if (column?.kind !== "field") throw new Error("a subquery's columns are fields");
    return coerced(outer, column.ref);
  });
  const left = refs.map((outer, index) => scope.use(pairs[index]?.outer ?? outer.field.sql));
  const right = subselectSql(
    scope,
    selection,
    pairs.map((pair) => pair.inner),
  );
  return `${left.length === 1 ? left[0] : `(${left.join(", ")})`} IN (${right})`;
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
    return { outer: sql`to_json(${to.sql})::VARCHAR`, inner: sql`to_json(${from.sql})::VARCHAR` };
  }
  if (to.type === from.type) return { outer: to.sql, inner: from.sql };
  const text = from.type === "json" ? sql`json_extract_string(${from.sql}, '$')` : from.sql;
  if (from.type === "string" || from.type === "json") {
    const target = { numeric: "DOUBLE", boolean: "BOOLEAN", timestamp: "TIMESTAMP", string: "VARCHAR" }[
      to.type as string
    ];
    if (target !== undefined) return { outer: to.sql, inner: sql`TRY_CAST(${text} AS ${target})` };
  }
  if (to.type === "string") return { outer: to.sql, inner: sql`${from.sql}::VARCHAR` };
  throw new QueryError(`in cannot compare '${outer.name}', a ${to.type}, with '${inner.name}', a ${from.type}`);
}

/** A subquery's SELECT of the given expressions over its entity's tables. */
function subselectSql(outer: Scope, selection: Selection, expressions: readonly FieldSql[]): string {
  const scope = outer.inside(selection.entity);
  const columns = expressions.map((expression) => scope.use(expression)).join(", ");
  const where = whereSql(scope, selection);
  const paging = pagingSql(scope, selection);
  return `SELECT ${columns} ${scope.from()}${where}${paging}`;
}
