import { isNumber, isObject, type Json, numberText } from "#storage/json.ts";
import type { Parameters } from "../address/address.ts";
import type { PageKey } from "../address/pages.ts";
import { factAddress } from "../pql/fact-path.ts";

/** A row of a result. Entities whose rows are bare values have them under `value`. */
export type ResultRow = { readonly [column: string]: Json };

/** What the values of a column are. */
export type ColumnKind = "text" | "number" | "time" | "boolean" | "json" | "nothing";

/** A column of a result. */
export interface ResultColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  /** Characters of its longest value, of the first rows, at most 60. */
  readonly width: number;
}

/** How many rows are looked at for types and widths. */
const LOOKED_AT = 200;
const WIDEST = 60;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)$/;

/** Values of a response as rows. */
export function resultRows(values: readonly Json[]): ResultRow[] {
  return values.map((row) => (isObject(row) ? row : { value: row }));
}

/** The columns of rows, in the order in which they first occur. */
export function columnsOf(rows: readonly ResultRow[]): ResultColumn[] {
  const names = new Set<string>();
  for (const row of rows) for (const name of Object.keys(row)) names.add(name);
  const seen = rows.slice(0, LOOKED_AT);
  return [...names].map((name) => {
    const values = seen.flatMap((row) => (Object.hasOwn(row, name) ? [row[name] ?? null] : []));
    const width = Math.max(name.length + 3, ...values.map(lengthOf));
    return { name, kind: kindOf(values), width: Math.min(WIDEST, width) };
  });
}

function kindOf(values: readonly Json[]): ColumnKind {
  const kinds = new Set(values.filter((value) => value !== null).map(kindOfValue));
  const [only] = kinds;
  if (only === undefined) return "nothing";
  if (kinds.size === 1) return only;
  return kinds.has("json") || kinds.has("number") || kinds.has("boolean") ? "json" : "text";
}

function kindOfValue(value: Json): ColumnKind {
  if (isNumber(value)) return "number";
  if (typeof value === "boolean") return "boolean";
  if (typeof value === "string") return TIME.test(value) ? "time" : "text";
  return "json";
}

function lengthOf(value: Json): number {
  if (typeof value === "string") return value.length;
  if (isNumber(value)) return numberText(value).length;
  if (value === null || typeof value === "boolean") return 5;
  return WIDEST;
}

/** What a value is sorted by. */
export function sortValue(value: Json | undefined): string | number | boolean | null {
  if (value === undefined || value === null) return null;
  if (isNumber(value)) return Number(numberText(value));
  return typeof value === "string" || typeof value === "boolean" ? value : JSON.stringify(value);
}

/** The page that a value of a result is about. */
export interface ResultLink {
  readonly page: PageKey;
  readonly segments?: readonly string[];
  readonly parameters?: Parameters;
}

/** Columns whose values have a page, whatever the entity. */
const byColumn: Readonly<Record<string, (text: string) => ResultLink>> = {
  certname: (text) => ({ page: "node", segments: [text] }),
  latest_report_hash: (text) => ({ page: "report", segments: [text] }),
  report: (text) => ({ page: "report", segments: [text] }),
  containing_class: (text) => ({ page: "classes", parameters: { class: text } }),
};

/** Pairs of columns that name a resource. */
const resources = [
  ["type", "title"],
  ["resource_type", "resource_title"],
  ["source_type", "source_title"],
  ["target_type", "target_title"],
] as const;

/** Where a value of a result leads; undefined for values without page. */
export function linkOf(entity: string | undefined, column: string, row: ResultRow): ResultLink | undefined {
  const value = row[column];
  if (Array.isArray(value)) {
    const isPath = column === "path" && value.every((part) => typeof part === "string" || typeof part === "number");
    return isPath && value.length > 0 ? factLink(value) : undefined;
  }
  if (typeof value !== "string" || value === "") return undefined;
  if (column === "hash" && entity === "reports") return { page: "report", segments: [value] };
  if (column === "name" && (entity === "facts" || entity === "fact_contents")) return factLink([value]);
  return Object.hasOwn(byColumn, column) ? byColumn[column]?.(value) : resourceLink(entity, column, row);
}

function factLink(path: readonly (string | number)[]): ResultLink {
  return { page: "fact", parameters: { path: factAddress(path) } };
}

function resourceLink(entity: string | undefined, column: string, row: ResultRow): ResultLink | undefined {
  const [typeColumn, titleColumn] = resources.find((pair) => pair.some((name) => name === column)) ?? [];
  if (typeColumn === undefined || titleColumn === undefined) return undefined;
  // Other entities have types of something else.
  if (typeColumn === "type" && entity !== "resources") return undefined;
  const [type, title] = [row[typeColumn], row[titleColumn]];
  if (typeof type !== "string") return undefined;
  if (column === typeColumn) return { page: "resources", parameters: { type } };
  if (typeof title !== "string") return undefined;
  return type === "Class"
    ? { page: "classes", parameters: { class: title } }
    : { page: "resource", parameters: { type, title } };
}
