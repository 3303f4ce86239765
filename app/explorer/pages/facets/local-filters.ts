import type { Facet, FacetValue } from "./facet.ts";
import { type Filter, type FilterValue, sameValue, valueText } from "./filters.ts";

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
