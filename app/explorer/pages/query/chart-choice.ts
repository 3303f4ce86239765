import { isNumber, type Json, numberText } from "#storage/json.ts";
import type { LinePoint } from "../charts/axis.ts";
import type { ResultColumn, ResultRow } from "./columns.ts";

export const chartKinds = ["bars", "line", "histogram"] as const;

export type ChartKind = (typeof chartKinds)[number];

/** What a chart of a result shows. */
export interface ChartChoice {
  readonly kind: ChartKind;
  /** Columns whose values name a bar, or the place along a line. A histogram has none. */
  readonly by: readonly string[];
  /** The columns with the numbers; none: rows are counted. */
  readonly values: readonly string[];
}

/** The chart that fits the types of the columns; undefined when nothing can be drawn. */
export function choiceFor(columns: readonly ResultColumn[]): ChartChoice | undefined {
  const named = (...kinds: readonly string[]): string[] =>
    columns.filter(({ kind }) => kinds.includes(kind)).map(({ name }) => name);
  const [texts, times, numbers] = [named("text", "boolean", "json"), named("time"), named("number")];
  const [time] = times;
  if (time !== undefined && numbers.length > 0 && texts.length === 0) {
    return { kind: "line", by: [time], values: numbers.slice(0, 4) };
  }
  // Of several numbers beside names, the last one is the count as a rule.
  if (texts.length > 0 && numbers.length > 0) return { kind: "bars", by: texts.slice(0, 3), values: numbers.slice(-1) };
  if (numbers.length === 1) return { kind: "histogram", by: [], values: numbers };
  const [place, ...rest] = numbers;
  if (place !== undefined) return { kind: "line", by: [place], values: rest.slice(0, 4) };
  const [label] = [...texts, ...times];
  return label === undefined ? undefined : { kind: "bars", by: [label], values: [] };
}

/** A bar: its names, and the sum of its rows' numbers. */
export interface ChartBar {
  readonly key: string;
  readonly names: readonly Json[];
  readonly sum: number;
}

/** Bars of rows, the longest first; rows with the same names are one bar. */
export function barsOf(rows: readonly ResultRow[], { by, values }: ChartChoice): ChartBar[] {
  const [value] = values;
  const bars = new Map<string, ChartBar>();
  for (const row of rows) {
    const names = by.map((column) => row[column] ?? null);
    const key = JSON.stringify(names);
    const add = value === undefined ? 1 : (numberOf(row[value]) ?? 0);
    bars.set(key, { key, names, sum: (bars.get(key)?.sum ?? 0) + add });
  }
  return [...bars.values()].sort((one, other) => other.sum - one.sum);
}

/** Points of rows, ascending along the line; rows without place are left out. */
export function pointsOf(rows: readonly ResultRow[], { by, values }: ChartChoice): LinePoint[] {
  const [place = ""] = by;
  return rows
    .flatMap((row): LinePoint[] => {
      const at = placeOf(row[place]);
      return at === undefined ? [] : [[at, ...values.map((column) => numberOf(row[column]) ?? null)]];
    })
    .sort(([one], [other]) => one - other);
}

/** Numbers of a column, each once with how often it occurs. */
export function countedOf(rows: readonly ResultRow[], column: string): { value: number; count: number }[] {
  const counts = new Map<number, number>();
  for (const row of rows) {
    const value = numberOf(row[column]);
    if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].map(([value, count]) => ({ value, count }));
}

function placeOf(value: Json | undefined): number | undefined {
  if (typeof value !== "string") return numberOf(value);
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : time;
}

function numberOf(value: Json | undefined): number | undefined {
  if (!isNumber(value)) return undefined;
  const number = Number(numberText(value));
  return Number.isFinite(number) ? number : undefined;
}
