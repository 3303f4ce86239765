import { isObject, type Json } from "#storage/json.ts";

/** A value in a document, where it is, and what becomes of both. */
export interface Pair {
  /** keys and indexes, e.g. `resources[0].parameters.ensure` */
  readonly field: string;
  readonly value: Json;
  readonly newField: string;
  /** undefined: it is left out */
  readonly newValue: Json | undefined;
}

/** The values of a document, each with its replacement; of longer lists the first, the middle and the last element. */
export function* pairsOf(before: Json, after: Json | undefined, field = "", newField = ""): Generator<Pair> {
  if (Array.isArray(before) && before.length > 0) {
    for (const index of new Set([0, before.length >> 1, before.length - 1])) {
      const inside = Array.isArray(after) ? after[index] : undefined;
      yield* pairsOf(before[index] ?? null, inside, `${field}[${index}]`, `${newField}[${index}]`);
    }
  } else if (isObject(before) && Object.keys(before).length > 0) {
    for (const [key, value, newKey, newValue] of entriesOf(before, after)) {
      yield* pairsOf(value, newValue, below(field, key), newKey === undefined ? "" : below(newField, newKey));
    }
  } else {
    yield { field, value: before, newField: after === undefined ? "" : newField, newValue: after };
  }
}

/** Renamed keys keep their position. If keys were removed, the remaining ones have their old names. */
function entriesOf(
  before: { [key: string]: Json },
  after: Json | undefined,
): [key: string, value: Json, newKey: string | undefined, newValue: Json | undefined][] {
  const entries = Object.entries(before);
  if (!isObject(after)) return entries.map(([key, value]) => [key, value, undefined, undefined]);
  const renamed = Object.entries(after);
  return entries.map(([key, value], index) => {
    const byPlace = renamed.length === entries.length ? renamed[index] : undefined;
    const [newKey, newValue] = byPlace ?? (Object.hasOwn(after, key) ? [key, after[key]] : []);
    return [key, value, newKey, newValue];
  });
}

function below(field: string, key: string): string {
  return field === "" ? key : `${field}.${key}`;
}
