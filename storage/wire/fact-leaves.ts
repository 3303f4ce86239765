import { isInteger } from "../hash/canonical.ts";
import { type Json, type JsonObject, type JsonScalar, isExactNumber } from "../json.ts";

export type LeafType = "string" | "integer" | "float" | "boolean" | "null";

/** One scalar in a node's facts, with its path. */
export interface FactLeaf {
  /** keys and list indexes, the fact's name first */
  readonly path: readonly (string | number)[];
  /** the path as one text, e.g. `disks#~0#~size`; see {@link encodePath} */
  readonly encoded: string;
  /** the top-level fact */
  readonly name: string;
  /** 0 for a fact that is itself a scalar */
  readonly depth: number;
  readonly type: LeafType;
  readonly value: JsonScalar;
}

/** The scalars in a fact set's values, depth first. Empty lists and objects have none (reference/commands.md §3.2). */
export function leavesOf(values: JsonObject): FactLeaf[] {
  const leaves: FactLeaf[] = [];
  for (const [name, value] of Object.entries(values)) collect(leaves, [name], encodeKey(name), name, value);
  return leaves;
}

function collect(leaves: FactLeaf[], path: (string | number)[], encoded: string, name: string, value: Json): void {
  if (typeof value !== "object" || value === null || isExactNumber(value)) {
    leaves.push({ path, encoded, name, depth: path.length - 1, type: leafType(value), value });
  } else if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) {
      collect(leaves, [...path, index], `${encoded}#~${index}`, name, element);
    }
  } else {
    for (const key of Object.keys(value)) {
      collect(leaves, [...path, key], `${encoded}#~${encodeKey(key)}`, name, value[key] as Json);
    }
  }
}

/** The empty lists and objects in facts, by their paths as JSON arrays. They have no scalars. */
export function emptyContainers(values: JsonObject): (readonly [path: string, value: "[]" | "{}"])[] {
  const found: (readonly [string, "[]" | "{}"])[] = [];
  const collectIn = (path: readonly (string | number)[], value: Json): void => {
    if (typeof value !== "object" || value === null || isExactNumber(value)) return;
    const members = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
    if (members.length === 0) found.push([JSON.stringify(path), Array.isArray(value) ? "[]" : "{}"]);
    for (const [key, inner] of members) collectIn([...path, key], inner);
  };
  for (const [name, value] of Object.entries(values)) collectIn([name], value);
  return found;
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
