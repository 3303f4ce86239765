import { isNumber, isObject, type Json, type JsonObject, numberText, stringifyJson } from "#storage/json.ts";
import { sortKey } from "#storage/jsonb/sort-key.ts";
import { jsonbText } from "#storage/jsonb/text.ts";
import type { Facet, FacetFilter, Facets } from "#storage/query/facets/facets.ts";
import { type NodeStateRow, stateOf, type Silence } from "#storage/states/node-state.ts";

/** Fields whose values are kept, and ordered, as JSON texts. */
const asTexts: ReadonlySet<string> = new Set(["path", "new_value"]);

/** What {@link facetsInTypeScript} is given: the rows themselves, and the same options as the engine. */
export interface Counting {
  readonly rows: readonly JsonObject[];
  readonly facets: readonly (readonly string[])[];
  readonly filters: readonly FacetFilter[];
  readonly limit: number;
  readonly like?: string;
  readonly per?: string;
  readonly distinct?: string;
  readonly silence: Silence;
}

/** The same counts as the engine's, by plain arithmetic over rows. */
export function facetsInTypeScript(counting: Counting): Facets {
  const left = counting.rows.filter((row) => meetsAll(row, counting, []));
  return { total: counted(left, counting), facets: counting.facets.map((fields) => facet(fields, counting)) };
}

function facet(fields: readonly string[], counting: Counting): Facet {
  const groups = new Map<string, { value: Json[]; rows: JsonObject[] }>();
  for (const row of counting.rows.filter((each) => meetsAll(each, counting, fields))) {
    for (const value of combinations(fields.map((field) => valuesOf(row, field, counting.silence)))) {
      const key = value.map(keyOf).join("\u0000");
      const group = groups.get(key) ?? { value, rows: [] };
      group.rows.push(row);
      groups.set(key, group);
    }
  }
  const all = [...groups.values()];
  const found = all.filter((group) => !isNothing(group) && group.value.some((value) => hasText(value, counting.like)));
  const sized = found.map(({ value, rows }) => ({ value, rows, count: counted(rows, counting) }));
  sized.sort((a, b) => b.count - a.count || compareValues(fields, a.value, b.value));
  const shown = sized.slice(0, counting.limit);
  const nothing = all.find(isNothing);
  return {
    fields,
    distinct: found.length,
    missing: nothing === undefined ? 0 : counted(nothing.rows, counting),
    others: sum(sized) - sum(shown),
    values: shown.map(({ value, rows, count }) => ({
      value: fields.length === 1 ? (value[0] ?? null) : value,
      count,
      ...(counting.distinct === undefined ? {} : { distinct: differentValues(rows, counting.distinct, counting) }),
    })),
  };
}

function isNothing({ value }: { readonly value: readonly Json[] }): boolean {
  return value.every((each) => each === null);
}

function sum(some: readonly { readonly count: number }[]): number {
  return some.reduce((total, { count }) => total + count, 0);
}

function counted(rows: readonly JsonObject[], counting: Counting): number {
  return counting.per === undefined ? rows.length : differentValues(rows, counting.per, counting);
}

function differentValues(rows: readonly JsonObject[], field: string, { silence }: Counting): number {
  const values = rows.flatMap((row) => valuesOf(row, field, silence)).filter((value) => value !== null);
  return new Set(values.map(keyOf)).size;
}

function meetsAll(row: JsonObject, { filters, silence }: Counting, without: readonly string[]): boolean {
  return [...new Set(filters.map(({ field }) => field))]
    .filter((field) => !without.includes(field))
    .every((field) => {
      const values = valuesOf(row, field, silence);
      const own = filters.filter((filter) => filter.field === field);
      const included = own.filter(({ excludes }) => !excludes);
      const has = ({ value }: FacetFilter): boolean => values.some((each) => keyOf(each) === keyOf(value));
      return (included.length === 0 || included.some(has)) && !own.some((filter) => filter.excludes && has(filter));
    });
}

/** The values of a row in a field; `[null]` where it has none. */
export function valuesOf(row: JsonObject, field: string, silence: Silence): Json[] {
  if (field === "state") return [stateOf(row as unknown as NodeStateRow, silence)];
  const [head = "", ...path] = Object.hasOwn(row, field) ? [field] : field.split(".");
  const value = path.reduce<Json | undefined>(
    (at, name) => (isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined),
    row[head],
  );
  const isList = ["tags", "containment_path"].includes(field);
  if (isList) return Array.isArray(value) && value.length > 0 ? [...new Set(value)] : [null];
  return [value ?? null];
}

function combinations(lists: readonly Json[][]): Json[][] {
  return lists.reduce<Json[][]>((all, values) => all.flatMap((head) => values.map((value) => [...head, value])), [[]]);
}

function keyOf(value: Json): string {
  return value === null ? "null" : sortKey(value);
}

function hasText(value: Json, like: string | undefined): boolean {
  if (like === undefined || like === "") return true;
  if (value === null) return false;
  const text = typeof value === "string" ? value : isNumber(value) ? numberText(value) : jsonbText(value);
  return text.toLowerCase().includes(like.toLowerCase());
}

function compareValues(fields: readonly string[], a: readonly Json[], b: readonly Json[]): number {
  for (const [index, value] of a.entries()) {
    const other = b[index] ?? null;
    if (keyOf(value) === keyOf(other)) continue;
    if (value === null) return 1;
    if (other === null) return -1;
    const key = asTexts.has(fields[index] ?? "") ? stringifyJson : keyOf;
    const [left, right] = [key(value), key(other)];
    return Buffer.from(left).compare(Buffer.from(right));
  }
  return 0;
}
