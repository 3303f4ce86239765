import { type Json, parseJson } from "../../json.ts";
import type { Facet } from "./facets.ts";
import type { FacetField } from "./field.ts";

/** The rows that have the same values in the fields of a facet. */
export interface Group {
  /** Distinguishes the values, and orders them. */
  readonly texts: readonly (string | null)[];
  /** The JSON texts of the values that their texts do not say. */
  readonly written?: readonly (string | null)[];
  readonly count: number;
  /** {@link Facet.values} */
  readonly distinct?: number;
}

/** A facet of its groups. */
export function facetOf(fields: readonly FacetField[], groups: readonly Group[], limit: number): Facet {
  const found = groups.filter(({ texts }) => texts.some((text) => text !== null));
  const missing = sumOf(groups) - sumOf(found);
  const listed = firstInOrder(found, limit);
  return {
    fields: fields.map(({ name }) => name),
    distinct: found.length,
    missing,
    others: sumOf(found) - sumOf(listed),
    values: listed.map(({ texts, written, count, distinct }) => {
      const values = texts.map((text, index) => valueOf(fields[index], text, written?.[index] ?? null));
      const value = values.length === 1 ? (values[0] ?? null) : values;
      return { value, count, ...(distinct === undefined ? {} : { distinct }) };
    }),
  };
}

/** The first groups in order. Of many, most are left out by their counts before texts are compared. */
function firstInOrder(groups: readonly Group[], limit: number): readonly Group[] {
  const least = leastCount(groups, limit);
  return groups
    .filter(({ count }) => count >= least)
    .toSorted(inOrder)
    .slice(0, limit);
}

/** The count of the last of the first groups; 0 if all are listed. */
function leastCount(groups: readonly Group[], limit: number): number {
  if (groups.length <= limit) return 0;
  const byCount = new Map<number, number>();
  for (const { count } of groups) byCount.set(count, (byCount.get(count) ?? 0) + 1);
  let left = limit;
  for (const [count, number] of [...byCount].toSorted(([a], [b]) => b - a)) {
    left -= number;
    if (left <= 0) return count;
  }
  return 0;
}

function sumOf(groups: readonly Group[]): number {
  return groups.reduce((sum, { count }) => sum + count, 0);
}

/** The most frequent first, with equal counts in the engine's order of their texts; null is last. */
function inOrder(a: Group, b: Group): number {
  if (a.count !== b.count) return b.count - a.count;
  for (const [index, text] of a.texts.entries()) {
    const other = b.texts[index] ?? null;
    if (text === other) continue;
    if (text === null) return 1;
    if (other === null) return -1;
    return Buffer.compare(Buffer.from(text), Buffer.from(other));
  }
  return 0;
}

function valueOf(field: FacetField | undefined, text: string | null, written: string | null): Json {
  if (text === null) return null;
  if (written !== null) return parseJson(written);
  return field?.kind === "part" || (field?.kind === "field" && field.ref.field.type === "boolean")
    ? parseJson(text)
    : text;
}
