import type { AttributeValue } from "../mbean.ts";
import { JolokiaFailure } from "./failure.ts";
import type { ProcessingOptions } from "./options.ts";
import type { PathPart } from "./path.ts";

type ValueMap = { readonly [key: string]: AttributeValue };

/** Levels of a value that are maps of names rather than values of their own; they call a wrong key by another name. */
export type NameLevels = 0 | 1 | 2;

/**
 * The value at a path inside a value. A path with open parts returns the values under all keys that have one.
 * @returns undefined when there is none
 */
export function atPath(value: AttributeValue, path: readonly PathPart[]): AttributeValue | undefined {
  const [part, ...rest] = path;
  if (path.length === 0) return value;
  if (!isMap(value)) return undefined;
  if (part !== undefined) {
    const inner = Object.hasOwn(value, part) ? value[part] : undefined;
    return inner === undefined ? undefined : atPath(inner, rest);
  }
  const found = Object.entries(value).flatMap(([key, inner]) => {
    const reached = atPath(inner, rest);
    return reached === undefined ? [] : [[key, reached] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** Says which part of a path without wildcards led nowhere. */
export function lostOnPath(value: AttributeValue, path: readonly PathPart[], names: NameLevels): JolokiaFailure {
  let current = value;
  for (const [level, part = "*"] of path.entries()) {
    const inner = isMap(current) && Object.hasOwn(current, part) ? current[part] : undefined;
    if (inner === undefined) {
      const isNames = level < names;
      const shown = JSON.stringify(current);
      const map = shown.length > 400 ? `${shown.slice(0, 400)} ...` : shown;
      return new JolokiaFailure(
        "no-attribute",
        isNames ? `Map key '${part}' is unknown for map ${map}` : `Invalid path '${part}'`,
      );
    }
    current = inner;
  }
  throw new Error("the path leads somewhere");
}

/** Cuts a value to the limits of a request; deeper values are shown as text. */
export function limited(value: AttributeValue, options: ProcessingOptions): AttributeValue {
  const { maxDepth, maxCollectionSize, maxObjects } = options;
  if (maxDepth === 0 && maxCollectionSize === 0 && maxObjects === 0) return value;
  const size = maxCollectionSize === 0 ? Infinity : maxCollectionSize;
  let objects = 0;
  const cut = (inner: AttributeValue, depth: number): AttributeValue => {
    if (inner !== null && typeof inner === "object" && maxDepth !== 0 && depth >= maxDepth)
      return JSON.stringify(inner);
    if (maxObjects !== 0 && objects++ >= maxObjects) return "[Object limit exceeded]";
    if (isList(inner)) return inner.slice(0, size).map((element) => cut(element, depth + 1));
    if (!isMap(inner)) return inner;
    return Object.fromEntries(
      Object.entries(inner)
        .slice(0, size)
        .map(([key, element]) => [key, cut(element, depth + 1)]),
    );
  };
  return cut(value, 0);
}

function isList(value: AttributeValue): value is readonly AttributeValue[] {
  return Array.isArray(value);
}

function isMap(value: AttributeValue): value is ValueMap {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
