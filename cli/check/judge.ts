import { canonicalText } from "#storage/hash/canonical.ts";
import { isNumber, type Json, type JsonObject, numberText, stringifyJson } from "#storage/json.ts";
import { rowObject } from "#storage/output/cells.ts";
import { nearestWords } from "#storage/nearest-words.ts";
import type { Bounds, ColumnExpectation, Expectation } from "#storage/saved-queries/types.ts";
import { CensusError } from "#storage/errors.ts";
import { counted } from "../output/counted.ts";
import type { Rows } from "../output/rows.ts";

/** Whether an expectation is met. */
export interface Verdict {
  readonly isMet: boolean;
  /** What was found, e.g. `3 rows`. */
  readonly found: string;
  /** The first rows that must not be there. */
  readonly rows: readonly JsonObject[];
  /** How many such rows there are. */
  readonly count: number;
}

/** Rows that are kept of those that must not be there. */
const KEPT = 20;

/** Rows that must not be there: the first ones, and their number. */
class Offending {
  readonly rows: JsonObject[] = [];
  count = 0;

  add(row: JsonObject): void {
    this.count++;
    if (this.rows.length < KEPT) this.rows.push(row);
  }
}

/**
 * Judges rows by what is expected of them.
 * @param older the rows of the older source, for what is expected of changes
 * @throws CensusError "bad-input" when the rows do not have the column
 */
export async function judge(expectation: Expectation, rows: Rows, older: () => Promise<Rows>): Promise<Verdict> {
  return expectation.kind === "rows" ? judgeRows(expectation, rows) : judgeChange(expectation, rows, await older());
}

type RowsExpectation = Extract<Expectation, { kind: "rows" }>;

async function judgeRows({ count: bounds, column }: RowsExpectation, rows: Rows): Promise<Verdict> {
  const [all, wrong] = [new Offending(), new Offending()];
  const missing = new Map((column?.includes ?? []).map((value) => [keyOf(value), value]));
  for await (const batch of rows) {
    for (const text of batch) {
      const row = rowObject(text);
      all.add(row);
      if (column === undefined) continue;
      const value = valueOf(row, column.name);
      missing.delete(keyOf(value));
      if (!isAllowed(value, column)) wrong.add(row);
    }
  }
  const isCount = bounds === undefined || isWithin(all.count, bounds);
  const findings = [
    ...(isCount ? [] : [counted(all.count, "row")]),
    ...(wrong.count === 0 ? [] : [`${counted(wrong.count, "row")} of ${all.count} with another ${column?.name}`]),
    ...(missing.size === 0
      ? []
      : [`no row with ${column?.name} ${[...missing.values()].map(stringifyJson).join(", ")}`]),
  ];
  const isMet = findings.length === 0;
  const isTooMany = !isCount && all.count > bounds.max;
  const shown = isTooMany ? all : wrong;
  return {
    isMet,
    found: isMet ? counted(all.count, "row") : findings.join("; "),
    rows: shown.rows,
    count: shown.count,
  };
}

type ChangeExpectation = Extract<Expectation, { kind: "change" }>;

/** Rows are compared as a whole; one that is there twice counts twice. */
async function judgeChange(expected: ChangeExpectation, rows: Rows, older: Rows): Promise<Verdict> {
  const before = new Map<string, number>();
  for await (const batch of older) {
    for (const text of batch) before.set(rowKey(text), (before.get(rowKey(text)) ?? 0) + 1);
  }
  const [added, gone] = [new Offending(), new Offending()];
  for await (const batch of rows) {
    for (const text of batch) {
      const key = rowKey(text);
      const count = before.get(key) ?? 0;
      if (count === 0) added.add({ change: "new", ...rowObject(text) });
      else before.set(key, count - 1);
    }
  }
  for (const [key, count] of before) {
    for (let left = count; left > 0; left--) gone.add({ change: "missing", ...rowObject(key) });
  }
  const wrong = [...(expected.mayBeNew ? [] : [added]), ...(expected.mayBeMissing ? [] : [gone])];
  return {
    isMet: wrong.every(({ count }) => count === 0),
    found: `${counted(added.count, "new row")}, ${counted(gone.count, "missing row")}`,
    rows: wrong.flatMap((each) => each.rows).slice(0, KEPT),
    count: wrong.reduce((sum, { count }) => sum + count, 0),
  };
}

function valueOf(row: JsonObject, column: string): Json {
  const value = row[column];
  if (value !== undefined) return value;
  const columns = Object.keys(row);
  const near = nearestWords(column, columns);
  const hint = near.length === 0 ? `its columns are ${columns.join(", ")}` : `did you mean ${near.join(" or ")}?`;
  throw new CensusError("bad-input", `the result has no column ${JSON.stringify(column)}; ${hint}`);
}

function isAllowed(value: Json, { only, bounds }: ColumnExpectation): boolean {
  if (only !== undefined && !only.some((allowed) => keyOf(allowed) === keyOf(value))) return false;
  return bounds === undefined || (isNumber(value) && isWithin(Number(numberText(value)), bounds));
}

function isWithin(value: number, { min, max }: Bounds): boolean {
  return min <= value && value <= max;
}

/** The same for values that are equal: numbers by their value, however they are written. */
function keyOf(value: Json): string {
  const number = isNumber(value) ? Number(numberText(value)) : Number.NaN;
  if (Number.isFinite(number) && Math.abs(number) <= Number.MAX_SAFE_INTEGER) return String(number);
  return canonicalText(value, "strings");
}

/** The same for rows that are equal, whatever the order of their columns; it is the row's JSON. */
function rowKey(text: string): string {
  return canonicalText(rowObject(text), "strings");
}
