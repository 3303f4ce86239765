import { isNumber, isObject, type Json, stringifyJson } from "#storage/json.ts";
import { readFilterText } from "#storage/query/facets/filter-text.ts";
import { nameText } from "../value/text.ts";
import type { Codec } from "../address/codecs.ts";

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
