import { isNumber, isObject, type Json, numberText, stringifyJson } from "#storage/json.ts";
import { readFilterText } from "#storage/query/facets/filter-text.ts";
import { nameText } from "../value/text.ts";
import type { Codec } from "../address/codecs.ts";
import type { ComponentChildren } from "preact";
import { factTitle } from "../pql/fact-path.ts";
import { and, fieldElsewhere, literal, or } from "../pql/text.ts";
import { stateCondition, stateKeys, type Silence } from "../state/states.ts";

/** A value that a facet has; null: the field has no value. */
export type FilterValue = Exclude<Json, { [key: string]: Json }>;

/** A condition that was chosen in a facet. Several for one field: one of them must apply. */
export interface Filter {
  /** A field of the entity, `state` of nodes, or a fact: `facts.os.name`, `facts.mountpoints."/".size_bytes`. */
  readonly field: string;
  readonly value: FilterValue;
  /** Rows with this value are left out. */
  readonly excludes: boolean;
}

/** Reads `FIELD=JSON` or `FIELD!=JSON`; a value that is no JSON is a text. @returns undefined when it is not a filter */
export function readFilter(text: string): Filter | undefined {
  const { field, excludes, written, value = written } = readFilterText(text) ?? {};
  if (field === undefined || excludes === undefined || value === undefined || isObject(value)) return undefined;
  return { field, value, excludes };
}

/** `facts.os.name="Debian"`, for the address and for the endpoint of facets. */
export function writeFilter({ field, value, excludes }: Filter): string {
  return `${field}${excludes ? "!=" : "="}${stringifyJson(value)}`;
}

/** The parameter `f` of an address. */
export const filtersCodec: Codec<readonly Filter[]> = {
  read: (texts) => texts.flatMap((text) => readFilter(text) ?? []),
  write: (filters) => filters.map(writeFilter),
  fallback: [],
};

/** Whether two values are the same. */
export function sameValue(one: Json, other: Json): boolean {
  return stringifyJson(one) === stringifyJson(other);
}

/** How a value takes part: rows with it are shown, left out, or it is not chosen. */
export function choiceOf(filters: readonly Filter[], field: string, value: Json): "shown" | "excluded" | undefined {
  const filter = filters.find((one) => one.field === field && sameValue(one.value, value));
  if (filter === undefined) return undefined;
  return filter.excludes ? "excluded" : "shown";
}

/** Only rows with this value; all rows when that is so already. */
export function chooseOnly(filters: readonly Filter[], field: string, value: FilterValue): readonly Filter[] {
  const own = filters.filter((one) => one.field === field);
  const others = filters.filter((one) => one.field !== field);
  const isOnly = own.length === 1 && choiceOf(own, field, value) === "shown";
  return isOnly ? others : [...others, { field, value, excludes: false }];
}

/** Rows with this value too; without it when it was chosen already. */
export function chooseAlso(filters: readonly Filter[], field: string, value: FilterValue): readonly Filter[] {
  return toggled(filters, { field, value, excludes: false });
}

/** Rows without this value; no longer when that is so already. */
export function exclude(filters: readonly Filter[], field: string, value: FilterValue): readonly Filter[] {
  return toggled(filters, { field, value, excludes: true });
}

function toggled(filters: readonly Filter[], filter: Filter): readonly Filter[] {
  const rest = without(filters, filter);
  const was = choiceOf(filters, filter.field, filter.value);
  return was === (filter.excludes ? "excluded" : "shown") ? rest : [...rest, filter];
}

/** All filters but those of the same field and value. */
export function without(filters: readonly Filter[], { field, value }: Filter): readonly Filter[] {
  return filters.filter((one) => one.field !== field || !sameValue(one.value, value));
}

/** A value as text; numbers as they were written. */
export function valueText(value: Json): string {
  if (value === null) return "none";
  if (isNumber(value) || typeof value !== "string") return stringifyJson(value);
  return nameText(value);
}

/** A facet: the commonest values of a field, each with how often it occurs. */
export interface Facet {
  /** A field of the entity, `state` of nodes, or a fact: `facts.os.name`. */
  readonly field: string;
  readonly label: string;
  /** How a value is shown; default: its text. */
  readonly show?: (value: FilterValue) => ComponentChildren;
  /** Values in this order come first, instead of the commonest ones. */
  readonly order?: readonly FilterValue[];
}

/** The title of a field's facet, in a list that may not have it: facts without `facts.`. */
export function facetLabel(field: string, facets: readonly Facet[]): string {
  return facets.find((facet) => facet.field === field)?.label ?? factTitle(field) ?? field;
}

export interface FacetValue {
  readonly value: FilterValue;
  readonly count: number;
}

/** The rows that facets are counted in. */
export interface FacetedRows {
  readonly entity: string;
  /** All conditions but the filters of the facets. */
  readonly where: string | undefined;
  /** Counts different values of this field instead of rows. */
  readonly per?: string;
}

/** What the filters apply to. */
export interface FilteredEntity {
  readonly entity: string;
  /** Nodes whose latest report is older are silent. */
  readonly silence: Silence;
}

/**
 * The filters as a condition in PQL; undefined without filters. Of one field, one of the values must be there and none of those
 * that are excluded; rows without value count as having another one.
 */
export function filterCondition(filters: readonly Filter[], entity: FilteredEntity): string | undefined {
  const fields = [...new Set(filters.map(({ field }) => field))];
  return and(
    ...fields.map((field) => {
      const own = filters.filter((filter) => filter.field === field);
      const shown = own.filter(({ excludes }) => !excludes).map((filter) => equals(filter, entity));
      const excluded = own.filter(({ excludes }) => excludes).map((filter) => differs(filter, entity));
      return and(or(...shown), ...excluded);
    }),
  );
}

function equals({ field, value }: Filter, { entity, silence }: FilteredEntity): string {
  if (field === "state") return stateFilter(value, entity, silence);
  const other = fieldElsewhere(field, entity);
  if (other === undefined) return value === null ? `${field} is null` : `${field} = ${pqlValue(value)}`;
  return value === null
    ? `!${other.entity}{ ${other.field} is not null }`
    : `${other.entity}{ ${other.field} = ${pqlValue(value)} }`;
}

function differs(filter: Filter, entity: FilteredEntity): string {
  const { field, value } = filter;
  const other = fieldElsewhere(field, entity.entity);
  const isField = field !== "state" && other === undefined;
  if (value === null) {
    return other === undefined ? `${field} is not null` : `${other.entity}{ ${other.field} is not null }`;
  }
  const condition = equals(filter, entity);
  // A comparison with null is neither true nor false, so that the opposite of a state is the rest of the nodes.
  if (field === "state") {
    return entity.entity === "nodes" ? `!(certname in nodes[certname]{ ${condition} })` : `!${condition}`;
  }
  return isField ? (or(`${field} is null`, `!(${condition})`) ?? "") : `!${condition}`;
}

function stateFilter(value: FilterValue, entity: string, silence: Silence): string {
  const key = stateKeys.find((one) => one === value);
  // No node is in a state that does not exist.
  const condition = key === undefined ? "certname is null" : stateCondition(key, silence);
  return entity === "nodes" ? condition : `nodes{ ${condition} }`;
}

/** A value as PQL writes it; an array only fits `path`. */
function pqlValue(value: Exclude<FilterValue, null>): string {
  if (isNumber(value)) return pqlNumber(numberText(value));
  return Array.isArray(value) ? stringifyJson(value) : literal(value);
}

/** PQL has no exponent behind a whole number, and no whole number beyond 64 bits: both are written with a fraction. */
function pqlNumber(text: string): string {
  const whole = /^-?\d+(?=e|$)/i.exec(text)?.[0];
  if (whole === undefined) return text;
  const isInteger = whole === text && BigInt.asIntN(64, BigInt(whole)) === BigInt(whole);
  return isInteger ? text : `${whole}.0${text.slice(whole.length)}`;
}

/** A facet of rows that are in the browser. */
export interface LocalFacet<Row> extends Facet {
  /** The values that a row has: one, or several where it is a list. */
  readonly valuesOf: (row: Row) => readonly FilterValue[];
}

/** The rows that filters leave. */
export function filteredRows<Row>(
  rows: readonly Row[],
  facets: readonly LocalFacet<Row>[],
  filters: readonly Filter[],
): readonly Row[] {
  const tests = facets.flatMap((facet) => {
    const own = filters.filter(({ field }) => field === facet.field);
    return own.length === 0 ? [] : [testOf(facet, own)];
  });
  return tests.length === 0 ? rows : rows.filter((row) => tests.every((test) => test(row)));
}

function testOf<Row>({ valuesOf }: LocalFacet<Row>, filters: readonly Filter[]): (row: Row) => boolean {
  const shown = filters.filter(({ excludes }) => !excludes);
  const excluded = filters.filter(({ excludes }) => excludes);
  return (row) => {
    const values = valuesOf(row);
    const isIn = (some: readonly Filter[]): boolean =>
      some.some((filter) => values.some((value) => sameValue(filter.value, value)));
    return (shown.length === 0 || isIn(shown)) && !isIn(excluded);
  };
}

/** The values of a facet with their counts, the commonest first; filters on its own field do not count. */
export function countedValues<Row>(
  rows: readonly Row[],
  facet: LocalFacet<Row>,
  facets: readonly LocalFacet<Row>[],
  filters: readonly Filter[],
): readonly FacetValue[] {
  const others = filteredRows(
    rows,
    facets,
    filters.filter(({ field }) => field !== facet.field),
  );
  const counts = new Map<FilterValue, number>();
  for (const row of others) {
    for (const value of facet.valuesOf(row)) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  for (const { field, value } of filters) if (field === facet.field && !counts.has(value)) counts.set(value, 0);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((one, other) => other.count - one.count || valueText(one.value).localeCompare(valueText(other.value)));
}
