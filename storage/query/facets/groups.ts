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
  const listed = found.toSorted(inOrder).slice(0, limit);
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
