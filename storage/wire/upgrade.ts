import { type Json, type JsonObject, isObject } from "../json.ts";

/** Makes a payload of one version one of the next. `received`: when the command came in. */
export type Upgrade = (payload: Json, received: Date) => Json;

/** What leads from each old version to the next. */
export type Upgrades = Readonly<Record<number, Upgrade>>;

/** Takes a payload from `version` to the newest, step by step. A malformed payload comes out malformed, not as an error. */
export function upgrade(payload: Json, version: number, steps: Upgrades, received: Date): Json {
  let upgraded = payload;
  for (let from = version; ; from++) {
    const step = steps[from];
    if (step === undefined) return upgraded;
    upgraded = step(upgraded, received);
  }
}

/** A step for payloads that are objects; anything else passes through, to be refused by the check. */
export function onObject(change: (payload: JsonObject, received: Date) => JsonObject): Upgrade {
  return (payload, received) => (isObject(payload) ? change(payload, received) : payload);
}

/** `change` applied to the objects in a list; anything else passes through. */
export function onEach(list: Json | undefined, change: (element: JsonObject) => JsonObject): Json {
  if (!Array.isArray(list)) return list ?? null;
  return list.map((element) => (isObject(element) ? change(element) : element));
}

/** `object` with the keys of `names` called what their values say; an existing key of the new name gives way. */
export function renamed(object: JsonObject, names: Readonly<Record<string, string>>): JsonObject {
  const result = { ...object };
  for (const [from, to] of Object.entries(names)) {
    const value = object[from];
    if (value === undefined) continue;
    delete result[from];
    result[to] = value;
  }
  return result;
}

/** `object` with `_` for every `-` in its keys. */
export function underscored(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key.replaceAll("-", "_"), value]));
}
