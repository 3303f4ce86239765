import { isObject, type Json, type JsonObject, parseJson } from "../json.ts";
import { jsonbText } from "./text.ts";

/** A path in a document with the value that was there; without one where nothing was. */
type Change = [path: (string | number)[], value?: Json];

/**
 * A fact as it was before some of its scalars changed.
 * @param document the present value as JSON text; empty where there is none
 * @param changes JSON text of a list: `[path, value]` for a scalar that had another value, `[path]` for one that was not
 *   there; the first part of a path is the name of the fact
 * @returns its text; empty where there was no such fact
 */
export function undoChanges(document: string, changes: string): string {
  const root: JsonObject = document === "" ? {} : { fact: parseJson(document) };
  const undone = (parseJson(changes) as Change[]).map(([[, ...path], ...value]): Change => [
    ["fact", ...path],
    ...value,
  ]);
  // First what came, so that a value can be where a list or an object is now, or the reverse.
  for (const [path] of undone.filter((change) => change.length === 1)) remove(root, path);
  const withGaps = new Set<Json[]>();
  for (const [path, value = null] of undone.filter((change) => change.length === 2)) set(root, path, value, withGaps);
  withGaps.forEach(closeGaps);
  const { fact } = root;
  return fact === undefined ? "" : jsonbText(fact);
}

/** An element that was removed from a list, before others that remain. */
const removed: JsonObject = {};

/** Removes a value, and what would be empty without it: an empty list or object is a change of its own. */
function remove(container: Json, [key, ...rest]: readonly (string | number)[]): void {
  if (key === undefined) return;
  const inner = memberOf(container, key);
  if (inner === undefined) return;
  if (rest.length > 0) {
    remove(inner, rest);
    if (!isEmpty(inner)) return;
  }
  if (Array.isArray(container)) {
    container[Number(key)] = removed;
    while (container.at(-1) === removed) container.pop();
  } else if (isObject(container)) delete container[key];
}

/** @param withGaps lists that may have no element at some index are added to it */
function set(
  container: Json,
  [key = "", ...rest]: readonly (string | number)[],
  value: Json,
  withGaps: Set<Json[]>,
): void {
  const [next] = rest;
  const inner = memberOf(container, key);
  const isContainer = Array.isArray(inner) || (inner !== undefined && isObject(inner));
  const made: Json = next === undefined ? value : isContainer ? inner : typeof next === "number" ? [] : {};
  if (Array.isArray(container)) {
    if (Number(key) > container.length) withGaps.add(container);
    container[Number(key)] = made;
  } else if (isObject(container)) Object.defineProperty(container, key, { value: made, ...plain });
  if (next !== undefined) set(made, rest, value, withGaps);
}

/** An index in the history of an archive may be as large as its author likes. */
function closeGaps(list: Json[]): void {
  const elements = Object.values(list);
  if (elements.length < list.length) {
    list.length = 0;
    for (const element of elements) list.push(element);
  }
}

/** A key may be `__proto__`, which an assignment would not store. */
const plain = { writable: true, enumerable: true, configurable: true };

function memberOf(container: Json, key: string | number): Json | undefined {
  if (Array.isArray(container)) return container[Number(key)] === removed ? undefined : container[Number(key)];
  return isObject(container) && Object.hasOwn(container, key) ? container[key] : undefined;
}

function isEmpty(value: Json): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}
