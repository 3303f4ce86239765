import { isObject, type Json } from "#storage/json.ts";

const STRANGERS: readonly Json[] = [null, true, 1, -1.5, "", "x\0\ud800", [], {}, [null], [[]], [{}], { a: null }];

/** Every payload that has a stranger in one place. */
export function* mangled(value: Json): Generator<Json> {
  yield* STRANGERS;
  if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) for (const m of mangled(element)) yield value.with(index, m);
  } else if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) for (const m of mangled(inner)) yield { ...value, [key]: m };
  }
}
