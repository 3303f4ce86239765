import { isInteger } from "../hash/canonical.ts";
import { isNumber, isObject, type Json } from "../json.ts";
import { decimal } from "../jsonb/text.ts";

/** The place of a value inside a document: keys and list indexes. */
export type Path = readonly (string | number)[];

/** One place where two documents differ. */
export type ValueChange =
  | { readonly kind: "added"; readonly path: Path; readonly to: Json }
  | { readonly kind: "removed"; readonly path: Path; readonly from: Json }
  | { readonly kind: "changed"; readonly path: Path; readonly from: Json; readonly to: Json };

/**
 * All places where two documents differ, in the order of their keys. Lists of the same length are compared element by
 * element, others as one value, because an inserted first element would make all others differ. undefined is a missing
 * value.
 */
export function compareValues(from: Json | undefined, to: Json | undefined, path: Path = []): ValueChange[] {
  const changes: ValueChange[] = [];
  collect(changes, path, from, to);
  return changes;
}

function collect(changes: ValueChange[], path: Path, from: Json | undefined, to: Json | undefined): void {
  if (from === undefined || to === undefined) {
    if (to !== undefined) changes.push({ kind: "added", path, to });
    if (from !== undefined) changes.push({ kind: "removed", path, from });
  } else if (isObject(from) && isObject(to)) {
    for (const key of sortedKeys(from, to)) collect(changes, [...path, key], own(from, key), own(to, key));
  } else if (Array.isArray(from) && Array.isArray(to) && from.length === to.length) {
    for (const [index, element] of from.entries()) collect(changes, [...path, index], element, to[index]);
  } else if (!isSame(from, to)) {
    changes.push({ kind: "changed", path, from, to });
  }
}

function sortedKeys(from: object, to: object): string[] {
  return [...new Set([...Object.keys(from), ...Object.keys(to)])].sort();
}

/** The value of an object's own key; keys of its prototype are ignored, because the object comes from outside. */
function own<T>(object: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/**
 * Numbers are equal if they have one value and both have a fraction or both have none: 1.50 is 1.5, but 1.0 is not 1.
 */
function isSame(from: Json, to: Json): boolean {
  if (!isNumber(from) || !isNumber(to)) return from === to;
  const [a, b] = [decimal(from), decimal(to)];
  return (
    isInteger(from) === isInteger(to) && a.negative === b.negative && a.exponent === b.exponent && a.digits === b.digits
  );
}

const NEEDS_QUOTES = /[.[\]"\p{Cc}]|^$/u;

/** A path for people and for patterns: `mountpoints./var.used`, `services[0].port`, `trusted.extensions."1.3.6"`. */
export function pathText(path: Path): string {
  let text = "";
  for (const element of path) {
    if (typeof element === "number") text += `[${element}]`;
    else text += `${text === "" ? "" : "."}${NEEDS_QUOTES.test(element) ? JSON.stringify(element) : element}`;
  }
  return text;
}
