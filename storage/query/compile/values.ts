/** SQL of the values of fields and of parts of documents. */
import type { JsonPart, PathStep } from "../dialect/types.ts";
import type { DocumentParts } from "../entities/index.ts";
import { QueryError } from "../errors.ts";
import type { DottedRef, PathPart, ValueRef } from "../tree.ts";
import type { Scope } from "./scope.ts";
import { duckdb } from "../dialect/duckdb.ts";

/** SQL of a value; of a part its JSON text, NULL where the document does not have the part. */
export function valueSql(scope: Scope, ref: ValueRef): string {
  if (ref.path === undefined) return scope.use(ref.field.sql);
  const parts = partsOf(ref);
  if (parts.whole !== undefined) return partAt(scope, scope.use(parts.whole), ref.path).json;
  const [first, ...rest] = ref.path;
  if (first?.kind !== "key") throw new QueryError(`'${ref.name}' names no part that could be extracted`);
  return scope.pivot(parts).part(first.name, stepsOf(rest));
}

/** SQL that a value is ordered, grouped and compared by. */
export function sortKeyOf(scope: Scope, ref: ValueRef): string {
  if (ref.path !== undefined) return duckdb.json.orderKey(valueSql(scope, ref));
  return scope.use(ref.field.sortKey ?? ref.field.sql);
}

/** The part of a document at a path. */
export function partAt(scope: Scope, document: string, path: readonly PathPart[]): JsonPart {
  return duckdb.json.part(document, stepsOf(path), (value) => scope.value(value));
}

export function stepsOf(path: readonly PathPart[]): PathStep[] {
  return path.map((part) => {
    if (part.kind === "match") throw new Error("match() is not a place in a document");
    return part;
  });
}

export function partsOf(ref: DottedRef): DocumentParts {
  if (ref.field.parts === undefined) throw new Error(`${ref.name} has no parts`);
  return ref.field.parts;
}
