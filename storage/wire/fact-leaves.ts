import { isInteger } from "../hash/canonical.ts";
import { type Json, type JsonObject, type JsonScalar, isExactNumber } from "../json.ts";

export type LeafType = "string" | "integer" | "float" | "boolean" | "null";

/** One scalar of a fact. */
export interface FactLeaf {
  /** keys and list indexes as a JSON array, the fact's name first */
  readonly path: string;
  /** 0 for a fact that is itself a scalar */
  readonly depth: number;
  readonly type: LeafType;
  readonly value: JsonScalar;
}

/** An empty list or object, which has no scalars. Its path is that of a {@link FactLeaf}. */
export type EmptyContainer = readonly [path: string, value: "[]" | "{}"];

/** What a fact consists of, depth first (reference/commands.md §3.2). */
export interface FactParts {
  readonly leaves: FactLeaf[];
  readonly empty: EmptyContainer[];
}

export function partsOfFact(name: string, value: Json): FactParts {
  const parts: FactParts = { leaves: [], empty: [] };
  collect(parts, `[${JSON.stringify(name)}`, 0, value);
  return parts;
}

/** @param start the path without its closing bracket */
function collect(parts: FactParts, start: string, depth: number, value: Json): void {
  if (typeof value !== "object" || value === null || isExactNumber(value)) {
    parts.leaves.push({ path: `${start}]`, depth, type: leafType(value), value });
  } else if (Array.isArray(value)) {
    if (value.length === 0) parts.empty.push([`${start}]`, "[]"]);
    for (const [index, element] of value.entries()) collect(parts, `${start},${index}`, depth + 1, element);
  } else {
    const keys = Object.keys(value);
    if (keys.length === 0) parts.empty.push([`${start}]`, "{}"]);
    for (const key of keys) collect(parts, `${start},${JSON.stringify(key)}`, depth + 1, value[key] as Json);
  }
}

/** The empty lists and objects in facts. */
export function emptyContainers(values: JsonObject): EmptyContainer[] {
  return Object.entries(values).flatMap(([name, value]) => partsOfFact(name, value).empty);
}

/**
 * A path as one text: elements joined by `#~`, indexes as digits, a key of digits alone (or of nothing) in double quotes,
 * a key's own `#~` as `\#\~` (reference/entities.md §3).
 */
export function encodePath(path: readonly (string | number)[]): string {
  return path.map((element) => (typeof element === "number" ? String(element) : encodeKey(element))).join("#~");
}

// Backslashes before either character of the separator count as part of it, as in PuppetDB.
function encodeKey(key: string): string {
  if (/^\d*$/.test(key)) return `"${key}"`;
  return key.includes("#") ? key.replace(/(\\?#)(\\*~)/g, String.raw`\$1\$2`) : key;
}

/** The kind of a scalar; 12.0 and 1e3 are floats. */
export function leafType(value: JsonScalar): LeafType {
  if (value === null) return "null";
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "boolean";
  return isInteger(value) ? "integer" : "float";
}
