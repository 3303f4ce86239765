import { type Json, isObject, stringifyJson } from "../../json.ts";
import { parseTimestamp } from "../../time.ts";
import { unknownFieldText } from "../ast/comparison.ts";
import { documentOf, dottedRef } from "../ast/dotted.ts";
import { buildSelection } from "../ast/selection.ts";
import {
  alias,
  entities,
  type Entity,
  type Field,
  isProjectable,
  isQueryable,
  sql,
  stored,
  written,
} from "../entities/index.ts";
import { QueryError } from "../errors.ts";
import { junction } from "../fold.ts";
import { stateKeys, stateTest, type Silence } from "../../states/node-state.ts";
import { comparisonNamed, readEquality } from "../operators.ts";
import { parsePql } from "../pql/parse.ts";
import type { Condition, DottedRef, FieldRef } from "../tree.ts";
import { duckdb } from "../dialect/duckdb.ts";

/** A field that rows are counted by. */
export type FacetField =
  | { readonly kind: "field"; readonly name: string; readonly ref: FieldRef }
  | { readonly kind: "part"; readonly name: string; readonly ref: DottedRef }
  | CaseField;

/** A field whose value is the name of the first case that matches a row. */
export interface CaseField {
  readonly kind: "cases";
  readonly name: string;
  readonly cases: readonly {
    readonly name: string;
    /** Absent: every row. */
    readonly when?: Condition;
  }[];
}

/** A condition: rows that have one of some values in a field, or none of them. */
export interface FacetFilter {
  readonly field: string;
  readonly value: Json;
  readonly excludes: boolean;
}

const STATE = "state";

/** Entities with the same rows as `nodes`: their fields are fields of a node too, as in `catalogs.producer`. */
const sameRows = ["catalogs", "factsets"];

/** Fields of `nodes` besides the entity's own. */
const ofNodes = [STATE, "catalogs", "factsets", "facts", "trusted", "origins"];

/** The servers that are followed and have the node. */
const originNames: Field = {
  type: "array",
  sql: sql`(SELECT ${written((name) => duckdb.aggregates.list(name), "o.origin")}
    FROM ${stored("origin_nodes")} o WHERE o.node_id = ${alias("n")("id")})`,
};

/**
 * Finds a field by its name: the entity's own, a dotted path into a document (`parameters.ensure`), and for `nodes` a
 * path into the facts (`facts.os.name`), a field of the catalog or the factset (`catalogs.producer`), `origins.name` and `state`.
 * @throws QueryError with the text of a query's condition if there is no such field, or it has no values to count
 */
export function facetField(entity: Entity, name: string, silence: Silence): FacetField {
  const isNodes = entity.alias === "nodes";
  if (isNodes && name === STATE) return stateField(entity, silence);
  const field = fieldOf(entity, name) ?? (isNodes ? fieldOfSameRow(name) : undefined);
  if (field !== undefined && (isQueryable(field) || isProjectable(field))) {
    return { kind: "field", name, ref: { name, field: countable(name, field) } };
  }
  const document = documentOf(entity, name) ?? (isNodes ? documentOf(entityOf("inventory"), name) : undefined);
  if (document === undefined) throw new QueryError(unknownFieldText(entity, name, isNodes ? ofNodes : []));
  return { kind: "part", name, ref: partRef(document, name) };
}

/** The states of nodes (`storage/states/`). */
function stateField(entity: Entity, silence: Silence): CaseField {
  const cases = stateKeys.map((name) => {
    const test = stateTest(name, silence);
    const when = test === undefined ? null : conditionOf(entity, test);
    return when === null ? { name } : { name, when };
  });
  return { kind: "cases", name: STATE, cases };
}

function conditionOf(entity: Entity, pql: string): Condition | null {
  const ast = parsePql(`nodes{ ${pql} }`);
  return Array.isArray(ast) ? buildSelection(entity, ast[2]).where : null;
}

function fieldOf(entity: Entity, name: string): Field | undefined {
  return Object.hasOwn(entity.fields, name) ? entity.fields[name] : undefined;
}

/** `catalogs.producer` */
function fieldOfSameRow(name: string): Field | undefined {
  if (name === "origins.name") return originNames;
  const [, entity = "", own = ""] = /^(\w+)\.(\w+)$/.exec(name) ?? [];
  return sameRows.includes(entity) ? fieldOf(entityOf(entity), own) : undefined;
}

function entityOf(name: string): Entity {
  const found = entities[name];
  if (found === undefined) throw new Error(`there is no entity ${name}`);
  return found;
}

function countable(name: string, field: Field): Field {
  if (field.type === "document") {
    throw new QueryError(`'${name}' is a document: name a part of it, as in ${name}.NAME`);
  }
  if (field.type === "expanded") {
    throw new QueryError(`'${name}' contains records of another entity; count them there`);
  }
  return field;
}

function partRef(document: Field, name: string): DottedRef {
  const ref = dottedRef(document, name);
  if (ref.path.some(({ kind }) => kind === "match")) {
    throw new QueryError(`'${name}' has match(), which names no single part`);
  }
  const [first, ...rest] = ref.path;
  return first?.kind === "digits" ? { ...ref, path: [{ kind: "key", name: first.name }, ...rest] } : ref;
}

/**
 * The condition for rows with one of the included values, if there are any, and none of the excluded ones.
 * @throws QueryError for a value that the field cannot have
 */
export function filterCondition(field: Exclude<FacetField, CaseField>, filters: readonly FacetFilter[]): Condition {
  const [excluded, included] = [true, false].map((excludes) =>
    filters.filter((filter) => filter.excludes === excludes).map(({ value }) => valueCondition(field, value)),
  );
  const clauses: Condition[] = [];
  if (included !== undefined && included.length > 0) clauses.push(junction("or", included));
  if (excluded !== undefined && excluded.length > 0) {
    // Rows without a value have none of the excluded ones.
    clauses.push({ kind: "not", clause: { kind: "known", clause: junction("or", excluded) } });
  }
  return junction("and", clauses);
}

function valueCondition(field: Exclude<FacetField, CaseField>, value: Json): Condition {
  if (field.kind === "part") return partCondition(field.ref, value);
  const { ref } = field;
  if (value === null) return isNothing(ref);
  if (ref.field.type === "timestamp") return timeCondition(ref, value);
  return readEquality(ref, value);
}

function isNothing(ref: FieldRef): Condition {
  if (ref.field.type !== "array") return { kind: "null", ref, isNull: true };
  // An empty list counts as none.
  const anything: Condition = { kind: "element", ref, test: { kind: "compares", op: ">=", text: "" } };
  return { kind: "not", clause: { kind: "known", clause: anything } };
}

/** A time is shown to the millisecond, but stored to the microsecond. */
function timeCondition(ref: FieldRef, value: Json): Condition {
  const time = typeof value === "string" ? parseTimestamp(value) : undefined;
  if (time === undefined || time % 1000n !== 0n || ref.field.onlyNull === true) return readEquality(ref, value);
  return junction("and", [
    { kind: "compare", ref, op: ">=", value: { micros: time } },
    { kind: "compare", ref, op: "<", value: { micros: time + 1000n } },
  ]);
}

function partCondition(ref: DottedRef, value: Json): Condition {
  if (value === null) {
    const isPresent: Condition = { kind: "part", ref, test: { kind: "null", isNull: false } };
    return { kind: "not", clause: { kind: "known", clause: isPresent } };
  }
  const test = comparisonNamed("=")?.onPart?.(ref, value);
  if (test === undefined) throw new Error("a part of a document has no equality");
  // A document matches others that contain it; a filter means only this one.
  const isWhole = test.kind === "contains" && (Array.isArray(value) || isObject(value));
  return { kind: "part", ref, test: isWhole ? { kind: "equals", value } : test };
}

/** The names of the cases that filters allow. @throws QueryError for an unknown case */
export function casesLeft({ name, cases }: CaseField, filters: readonly FacetFilter[]): string[] {
  const names = cases.map((each) => each.name);
  for (const { value } of filters) {
    if (names.every((known) => known !== value)) {
      throw new QueryError(`${stringifyJson(value)} is not a ${name}; use one of ${names.join(", ")}`);
    }
  }
  const [excluded, included] = [true, false].map((excludes) =>
    filters.filter((filter) => filter.excludes === excludes),
  );
  const isIn = (some: readonly FacetFilter[] | undefined, known: string): boolean =>
    some?.some(({ value }) => value === known) === true;
  return names.filter((known) => (included?.length === 0 || isIn(included, known)) && !isIn(excluded, known));
}
