import { isNumber, type Json, numberText } from "../json.ts";

/** The type that a column of a Parquet file has. */
export type ColumnType = "BOOLEAN" | "BIGINT" | "DOUBLE" | "TIMESTAMPTZ" | "VARCHAR" | "JSON";

/** The kinds of values that require different column types. */
type Kind = "boolean" | "integer" | "double" | "exact" | "time" | "text" | "nested";

/** Whether a text is a time as answers have them. */
export function isTime(text: string): boolean {
  return TIME.test(text);
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z$/;

/** The kinds that a column may contain besides null, and its type then; the first match counts. */
const types: readonly (readonly [ReadonlySet<Kind>, ColumnType])[] = [
  [new Set<Kind>([]), "VARCHAR"],
  [new Set<Kind>(["boolean"]), "BOOLEAN"],
  [new Set<Kind>(["integer"]), "BIGINT"],
  [new Set<Kind>(["integer", "double"]), "DOUBLE"],
  [new Set<Kind>(["time"]), "TIMESTAMPTZ"],
  [new Set<Kind>(["time", "text"]), "VARCHAR"],
];

/** Determines the kinds of values in each column from the rows of a response. */
export class ColumnKinds {
  readonly #kinds: Map<string, Set<Kind>>;

  /** @param columns known columns, in their order */
  constructor(columns: readonly string[] = []) {
    this.#kinds = new Map(columns.map((name) => [name, new Set()]));
  }

  add(row: Readonly<Record<string, Json>>): void {
    for (const [name, value] of Object.entries(row)) {
      let kinds = this.#kinds.get(name);
      if (kinds === undefined) this.#kinds.set(name, (kinds = new Set()));
      if (value !== null) kinds.add(kindOf(value));
    }
  }

  /** Each column's type, in the order of first occurrence; a column with mixed or nested values is JSON. */
  types(): [name: string, type: ColumnType][] {
    return [...this.#kinds].map(([name, kinds]) => {
      const fitting = types.find(([allowed]) => [...kinds].every((kind) => allowed.has(kind)));
      return [name, fitting?.[1] ?? "JSON"];
    });
  }
}

function kindOf(value: Exclude<Json, null>): Kind {
  if (typeof value === "boolean") return "boolean";
  if (typeof value === "string") return isTime(value) ? "time" : "text";
  if (!isNumber(value)) return "nested";
  const text = numberText(value);
  if (/^-?\d+$/.test(text)) return BigInt.asIntN(64, BigInt(text)) === BigInt(text) ? "integer" : "exact";
  return digits(String(Number(text))) === digits(text) ? "double" : "exact";
}

/** A number's significant digits: two texts of one number have the same. */
function digits(text: string): string {
  return text
    .replace(/e.*$/i, "")
    .replace(/[-.]/g, "")
    .replace(/^0+|0+$/g, "");
}
