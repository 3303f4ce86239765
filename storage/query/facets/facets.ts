import type { Silence } from "../../states/node-state.ts";
import { isObject, parseJson } from "../../json.ts";
import { compileFacets, type FacetSelection, type FieldFilter } from "../compile/facets.ts";
import type { CompileContext } from "../compile/statement.ts";
import type { Entity } from "../entities/index.ts";
import { QueryError } from "../errors.ts";
import { type Plan, type RowsSpec, rowsSelected } from "../query.ts";
import type { Facet, Facets } from "./answer.ts";
import { casesLeft, type FacetField, facetField, type FacetFilter, filterCondition } from "./field.ts";

export type { Facet, Facets } from "./answer.ts";
export type { FacetFilter } from "./field.ts";

/** Counts of fields' values in the rows of a query. */
export interface FacetsSpec extends RowsSpec {
  /** The names of each facet's fields. */
  readonly facets: readonly (readonly string[])[];
  readonly filters: readonly FacetFilter[];
  /** Maximum values of a facet. */
  readonly limit: number;
  /** Only values that contain this text, in any case. */
  readonly like?: string;
  /** The field whose distinct values are counted; absent: rows are counted. */
  readonly per?: string;
  /** The field whose distinct values are counted for each value. */
  readonly distinct?: string;
  /** Nodes whose latest report is older are silent. */
  readonly silence: Silence;
}

/** Maximum facets of one request. */
const MOST_FACETS = 32;
/** Maximum fields of one facet. */
const MOST_FIELDS = 4;
/** Maximum filters of one request. */
const MOST_FILTERS = 1000;

export function planFacets(spec: FacetsSpec, context: CompileContext): Plan {
  const statement = compileFacets(facetSelection(spec), context);
  return { rows: statement, total: () => statement };
}

/** @throws QueryError for an invalid query or field */
export function facetSelection(spec: FacetsSpec): FacetSelection {
  const { silence, limit, like, per, distinct } = spec;
  checkCounts(spec);
  const rows = rowsSelected(spec);
  const { entity } = rows;
  const facets = spec.facets.map((names) => facetFields(entity, names, silence));
  return {
    rows,
    facets,
    filters: fieldFilters(entity, spec),
    limit,
    ...(like === undefined || like === "" ? {} : { like }),
    ...(per === undefined ? {} : { per: countedField(entity, per, silence) }),
    ...(distinct === undefined ? {} : { distinct: countedField(entity, distinct, silence) }),
  };
}

function checkCounts({ facets, filters }: FacetsSpec): void {
  if (facets.length > MOST_FACETS) throw new QueryError(`there are more than ${MOST_FACETS} facets`);
  if (filters.length > MOST_FILTERS) throw new QueryError(`there are more than ${MOST_FILTERS} filters`);
}

function facetFields(entity: Entity, names: readonly string[], silence: Silence): FacetField[] {
  if (names.length > MOST_FIELDS) throw new QueryError(`a facet has more than ${MOST_FIELDS} fields`);
  if (new Set(names).size < names.length) throw new QueryError(`a facet has a field twice: ${names.join(",")}`);
  const fields = names.map((name) => facetField(entity, name, silence));
  if (fields.filter(isList).length > 1) {
    throw new QueryError(`a facet has more than one list: ${names.join(",")}`);
  }
  return fields;
}

function isList(field: FacetField): boolean {
  return field.kind === "field" && field.ref.field.type === "array";
}

function countedField(entity: Entity, name: string, silence: Silence): FacetField {
  const field = facetField(entity, name, silence);
  if (isList(field)) throw new QueryError(`'${name}' is a list, whose values cannot be counted once each`);
  return field;
}

/** Filters by their fields, so that a facet can ignore its own. */
function fieldFilters(entity: Entity, { filters, silence }: FacetsSpec): FieldFilter[] {
  return [...new Set(filters.map(({ field }) => field))].map((name) => {
    const field = facetField(entity, name, silence);
    const own = filters.filter((filter) => filter.field === name);
    const leaves = field.kind === "cases" ? { of: field, cases: casesLeft(field, own) } : filterCondition(field, own);
    return { field: name, leaves };
  });
}

/** Reads the texts that the statement of {@link planFacets} yields. */
export function facetsOf(texts: readonly string[]): Facets {
  const rows = texts.map(parseJson).filter(isObject);
  const total = rows.find((row) => "total" in row)?.["total"];
  const facets = rows
    .filter((row) => "facet" in row)
    .sort((a, b) => Number(a["facet"]) - Number(b["facet"]))
    .map((row) => row["of"] as unknown as Facet);
  return { total: Number(total ?? 0), facets };
}
