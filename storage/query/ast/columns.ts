import type { Json } from "../../json.ts";
import { MaskError, numberToChar, readNumberMask } from "../../postgres/number-to-char.ts";
import { type Entity, isProjectable, asListed, projectableFields } from "../entities/index.ts";
import { mapOrder, QueryError, quotedList } from "../errors.ts";
import { type AggregateName, type Column, typeOf, type ValueRef } from "../tree.ts";
import type { Problems } from "./builder.ts";
import { clojureText } from "./clojure.ts";
import { documentOf, valueNamed, valueOfPart } from "./dotted.ts";

const aggregates: readonly AggregateName[] = ["count", "sum", "avg", "min", "max"];

/** The kinds of field that sum and avg support. */
const summable: ReadonlySet<string> = new Set(["numeric", "json"]);
const comparable: ReadonlySet<string> = new Set(["numeric", "json", "string", "timestamp"]);

/**
 * The columns of `["extract", columns, …]`: names, dotted names and functions; an empty list means all. A column that
 * occurs twice appears as `name` and `name_2` (`reference/query.md §6`).
 */
export function buildColumns(problems: Problems, entity: Entity, requested: Json, fallback: () => Column[]): Column[] {
  const list = typeof requested === "string" ? [requested] : requested;
  if (!Array.isArray(list)) {
    problems.formError(`extract takes a field or a list of fields and functions, not ${clojureText(requested)}`);
    return [];
  }
  if (list.length === 0) return fallback();
  const unknown: string[] = [];
  const columns: Column[] = [];
  for (const entry of list) {
    const column =
      typeof entry === "string"
        ? problems.attemptValue(() => nameColumn(entity, entry) ?? (unknown.push(entry), undefined))
        : problems.attemptValue(() => functionColumn(entity, entry));
    if (column !== undefined) columns.push(withUniqueKey(column, columns));
  }
  if (unknown.length > 0) {
    problems.field(
      `Can't extract unknown '${entity.alias}' ${unknown.length === 1 ? "field" : "fields"} ${quotedList(unknown)}. Acceptable fields are ${quotedList(mapOrder(asListed(entity, projectableFields(entity))))}`,
    );
  }
  return columns;
}

/** The entries of `["group_by", …]`: names, or functions of the projection by their name. */
export function buildGrouping(
  problems: Problems,
  entity: Entity,
  requested: readonly Json[],
  columns: readonly Column[],
): Column[] {
  if (requested.length === 0) problems.otherError('group_by takes at least one field: ["group_by", field, …]');
  return requested.flatMap((entry): Column[] => {
    const name = Array.isArray(entry) && entry[0] === "function" ? entry[1] : entry;
    if (typeof name !== "string") {
      problems.otherError(`${clojureText(entry)} cannot be grouped by; write a field or a function of the projection`);
      return [];
    }
    if (Array.isArray(entry)) {
      const column = columns.find((candidate) => candidate.key === name && isFunction(candidate));
      if (column?.kind === "aggregate") problems.otherError(`${name} is computed from groups and cannot make them`);
      if (column !== undefined) return [column];
    } else {
      const column = problems.attemptValue(() => nameColumn(entity, name));
      if (column !== undefined) return [column];
    }
    problems.otherError(`"${name}" is niether a valid column name nor function name`);
    return [];
  });
}

export function isFunction(column: Column): boolean {
  return column.kind !== "field" && column.kind !== "part";
}

function nameColumn(entity: Entity, name: string): Column | undefined {
  const field = Object.hasOwn(entity.fields, name) ? entity.fields[name] : undefined;
  if (isProjectable(field)) return { kind: "field", key: name, ref: { name, field } };
  const document = documentOf(entity, name);
  return document === undefined ? undefined : { kind: "part", key: name, ref: valueOfPart(document, name) };
}

/** @throws QueryError for anything but a function of the projection */
export function functionColumn(entity: Entity, entry: Json): Column {
  if (!Array.isArray(entry) || entry[0] !== "function") {
    throw new QueryError(`${clojureText(entry)} is neither a field nor a function; write ["function", name, field]`);
  }
  const [, name, ...args] = entry;
  if (name === "to_string") return toStringColumn(entity, args);
  if (name === "jsonb_typeof") {
    throw new QueryError('jsonb_typeof is for filters: ["=", ["function", "jsonb_typeof", "value"], "number"]');
  }
  const fn = aggregates.find((known) => known === name);
  if (fn === undefined) {
    throw new QueryError(`"${clojureText(name ?? null).replaceAll('"', "")}" is not a valid function`);
  }
  if (args.length === 0 && fn === "count") return { kind: "aggregate", key: fn, fn, ref: null };
  if (args.length !== 1) {
    throw new QueryError(`wrong number of arguments (${args.length}) provided for function ${fn}`);
  }
  const ref = argument(entity, args[0]);
  const suits = fn === "count" || (fn === "sum" || fn === "avg" ? summable : comparable).has(typeOf(ref));
  if (!suits) throw new QueryError(`field "${ref.name}" must be a numeric type`);
  return { kind: "aggregate", key: fn, fn, ref };
}

function toStringColumn(entity: Entity, args: readonly Json[]): Column {
  const [name, mask] = args;
  if (args.length !== 2 || typeof mask !== "string") {
    throw new QueryError(`wrong number of arguments (${args.length}) provided for function to_string`);
  }
  const ref = argument(entity, name);
  const type = typeOf(ref);
  if (type === "numeric" || type === "json") checkNumberMask(mask);
  else if (type !== "timestamp") {
    throw new QueryError(`to_string formats times and numbers; field "${ref.name}" is neither`);
  }
  return { kind: "to_string", key: "to_string", ref, mask };
}

/**
 * PostgreSQL rejects a mask whatever the number is, except for `TH` without digits, which negative numbers do not use.
 */
function checkNumberMask(mask: string): void {
  try {
    numberToChar(readNumberMask(mask), "1");
  } catch (error) {
    throw error instanceof MaskError ? new QueryError(`to_string: ${error.message}`) : error;
  }
}

function argument(entity: Entity, name: Json | undefined): ValueRef {
  const ref = typeof name === "string" ? valueNamed(entity, name) : undefined;
  if (ref !== undefined) return ref;
  throw new QueryError(`field "${clojureText(name ?? null).replaceAll('"', "")}" is not a valid queryable field`);
}

function withUniqueKey(column: Column, before: readonly Column[]): Column {
  const same = before.filter((other) => other.key === column.key || other.key.startsWith(`${column.key}_`));
  const repeats = same.filter((other) => sameColumn(other, column)).length;
  return repeats === 0 ? column : { ...column, key: `${column.key}_${repeats + 1}` };
}

/** Functions of one name share their key, whatever their argument. */
function sameColumn(a: Column, b: Column): boolean {
  return baseKey(a) === baseKey(b);
}

function baseKey(column: Column): string {
  if (column.kind === "aggregate") return column.fn;
  return column.kind === "to_string" ? column.kind : column.ref.name;
}
