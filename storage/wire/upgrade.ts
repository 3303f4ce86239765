import { type Json, type JsonObject, isObject } from "../json.ts";
import { isEmpty } from "./shape.ts";

/** Upgrades a payload by one version. `received`: the time of receipt. */
export type Upgrade = (payload: Json, received: Date) => Json;

/** The upgrade from each old version to the next. */
export type Upgrades = Readonly<Record<number, Upgrade>>;

/**
 * Upgrades a payload from `version` to the newest, step by step. A malformed payload stays malformed and is not an
 * error here.
 */
export function upgrade(payload: Json, version: number, steps: Upgrades, received: Date): Json {
  let upgraded = payload;
  for (let from = version; ; from++) {
    const step = steps[from];
    if (step === undefined) return upgraded;
    upgraded = step(upgraded, received);
  }
}

/** A step for payloads that are objects; anything else stays unchanged, and is rejected by the check. */
export function onObject(change: (payload: JsonObject, received: Date) => JsonObject): Upgrade {
  return (payload, received) => (isObject(payload) ? change(payload, received) : payload);
}

/** Applies `change` to the objects in a list, which is empty where nothing is in its place; anything else stays unchanged. */
export function onEach(list: Json | undefined, change: (element: JsonObject) => JsonObject): Json {
  if (list !== undefined && isEmpty(list)) return [];
  if (!Array.isArray(list)) return list ?? null;
  return list.map((element) => (isObject(element) ? change(element) : element));
}

/** Renames the keys of `object` by `names`; an existing key with the new name is replaced. */
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

/** Replaces `-` by `_` in the keys of `object`. */
export function underscored(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key.replaceAll("-", "_"), value]));
}
