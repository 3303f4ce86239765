import { isObject, stringifyJson, type Json } from "#storage/json.ts";

/** A value or a text as a difference shows it: one line of at most `length` characters. */
export function excerpt(value: Json | undefined, length = 200): string {
  const text = value === undefined ? "nothing" : stringifyJson(value);
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

/** Where two values in normal form part first, as `path: expected x, got y`; undefined when they are equal. */
export function firstDifference(expected: Json, actual: Json, path = "$"): string | undefined {
  if (Array.isArray(expected) && Array.isArray(actual)) return arrayDifference(expected, actual, path);
  if (isObject(expected) && isObject(actual)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
      const [left, right] = [expected[key], actual[key]];
      if (left === undefined) return `${path}.${key}: not expected, got ${excerpt(right)}`;
      if (right === undefined) return `${path}.${key}: expected ${excerpt(left)}, missing`;
      const difference = firstDifference(left, right, `${path}.${key}`);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
  if (stringifyJson(expected) === stringifyJson(actual)) return undefined;
  return `${path}: expected ${excerpt(expected)}, got ${excerpt(actual)}`;
}

function arrayDifference(expected: readonly Json[], actual: readonly Json[], path: string): string | undefined {
  if (expected.length !== actual.length) return `${path}: expected ${expected.length} elements, got ${actual.length}`;
  for (const [index, left] of expected.entries()) {
    const difference = firstDifference(left, actual[index] as Json, `${path}[${index}]`);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

/** How two multisets of rows in normal form differ; undefined when they are equal. */
export function multisetDifference(expected: readonly Json[], actual: readonly Json[]): string | undefined {
  const surplus = Map.groupBy(actual, stringifyJson);
  const missing = expected.filter((row) => surplus.get(stringifyJson(row))?.pop() === undefined);
  const extra = [...surplus.values()].flat();
  const [lost, found] = [missing[0], extra[0]];
  if (lost === undefined && found === undefined) return undefined;
  const first =
    lost !== undefined && found !== undefined
      ? firstDifference(lost, found, "$[..]")
      : lost === undefined
        ? `got ${excerpt(found, 300)}`
        : `expected ${excerpt(lost, 300)}`;
  return `rows: ${missing.length} of ${expected.length} missing, ${extra.length} of ${actual.length} not expected; first: ${first}`;
}
