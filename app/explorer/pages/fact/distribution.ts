import { isNumber, type Json, numberText } from "#storage/json.ts";
import { type Counted, type Spread, spreadOf } from "../charts/bins.ts";
import { compareNaturally } from "../table/column.ts";

/** A value of a fact and how many nodes have it. */
export interface ValueCount {
  readonly value: Json;
  readonly count: number;
}

/** What a fact's values are. */
export type FactKind = "numbers" | "versions" | "values";

const VERSION = /^v?\d+(?:\.\d+)*(?:[-._+~:][\w.+~-]*)?$/i;
/** Shares of the values that have to look like versions, and of those that have to have several parts. */
const MOSTLY = 0.9;
const HALF = 0.5;

/** Numbers when all values are; versions when most texts look like them: `9.6`, `2022`, `5.14.0-570.el9`. */
export function kindOf(values: readonly ValueCount[]): FactKind {
  const present = values.filter(({ value }) => value !== null);
  if (present.length === 0) return "values";
  if (present.every(({ value }) => isNumber(value))) return "numbers";
  const versions = present.filter(({ value }) => typeof value === "string" && VERSION.test(value));
  const inParts = versions.filter(({ value }) => typeof value === "string" && /^v?\d+\.\d/i.test(value));
  return versions.length >= MOSTLY * present.length && inParts.length >= HALF * present.length ? "versions" : "values";
}

/** The numbers among values. */
export function numbersOf(values: readonly ValueCount[]): Counted[] {
  return values.flatMap(({ value, count }) => {
    const number = isNumber(value) ? Number(numberText(value)) : NaN;
    return Number.isFinite(number) ? [{ value: number, count }] : [];
  });
}

/** Values in the order of versions or numbers, the highest first. */
export function highestFirst(values: readonly ValueCount[]): ValueCount[] {
  return values.toSorted((one, other) => -compareNaturally(sortable(one.value), sortable(other.value)));
}

function sortable(value: Json): string | number | boolean | null {
  if (isNumber(value)) return Number(numberText(value));
  return typeof value === "object" ? JSON.stringify(value) : value;
}

/** A value that few nodes have, or a number far from the others. */
export interface Outlier extends ValueCount {
  readonly why: "rare" | "low" | "high";
}

/** Values that fewer nodes have are rare. */
const RARE = 0.01;
/** Where more of the nodes have a value of their own, rare values are what one expects. */
const OWN_VALUES = 0.2;

/** Unusual values. @param total nodes that have the fact */
export function outliersOf(values: readonly ValueCount[], total: number, kind: FactKind): Outlier[] {
  if (kind === "numbers") {
    const spread = spreadOf(numbersOf(values));
    // Where most nodes have the same number, any other one would be outside.
    if (spread === undefined || isNarrow(spread)) return rareOf(values, total);
    const [low, high] = spread.fences;
    return values.flatMap((one): Outlier[] => {
      const number = Number(numberText(isNumber(one.value) ? one.value : NaN));
      if (number < low) return [{ ...one, why: "low" }];
      return number > high ? [{ ...one, why: "high" }] : [];
    });
  }
  return rareOf(values, total);
}

function isNarrow({ fences: [low, high] }: Spread): boolean {
  return low === high;
}

function rareOf(values: readonly ValueCount[], total: number): Outlier[] {
  const rare = values.filter(({ count }) => count < RARE * total);
  const nodes = rare.reduce((sum, { count }) => sum + count, 0);
  return nodes > OWN_VALUES * total ? [] : rare.map((one) => ({ ...one, why: "rare" as const }));
}
