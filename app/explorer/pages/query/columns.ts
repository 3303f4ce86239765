import { isNumber, isObject, type Json, numberText } from "#storage/json.ts";

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
