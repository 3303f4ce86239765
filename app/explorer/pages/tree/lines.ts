import { isNumber, isObject, type Json, numberText } from "#storage/json.ts";
import type { FactPath } from "../pql/fact-path.ts";

/** A line of a tree: a key or index with its value. */
export interface TreeLine {
  /** Unique in the tree. */
  readonly id: string;
  readonly path: FactPath;
  readonly name: string | number;
  readonly value: Json;
  /** 1 for the outermost. */
  readonly level: number;
  /** Entries inside; undefined for scalars. */
  readonly size: number | undefined;
  readonly isOpen: boolean;
}

/** Deeper values are shown in one line. */
const DEEPEST = 100;

/**
 * The lines that are seen, from top to bottom.
 * @param open ids of the lines that were opened
 * @param search only lines whose path or value contains it, and those around them, which are open then; lower case
 */
export function treeLines(root: Json, open: ReadonlySet<string>, search: string): readonly TreeLine[] {
  const lines: TreeLine[] = [];
  const found = search === "" ? undefined : matching(root, search);
  const add = (value: Json, path: FactPath): void => {
    for (const [name, child] of entriesOf(value)) {
      const childPath = [...path, name];
      const id = JSON.stringify(childPath);
      if (found !== undefined && !found.shown.has(id)) continue;
      const size = childPath.length > DEEPEST ? undefined : sizeOf(child);
      const isOpen = size !== undefined && size > 0 && open.has(id) !== (found?.around.has(id) ?? false);
      lines.push({ id, path: childPath, name, value: child, level: childPath.length, size, isOpen });
      if (isOpen) add(child, childPath);
    }
  };
  add(root, []);
  return lines;
}

/** The entries of an object or a list. */
export function entriesOf(value: Json): readonly (readonly [string | number, Json])[] {
  if (Array.isArray(value)) return value.map((child, index) => [index, child] as const);
  return isObject(value) ? Object.entries(value) : [];
}

function sizeOf(value: Json): number | undefined {
  if (Array.isArray(value)) return value.length;
  return isObject(value) ? Object.keys(value).length : undefined;
}

interface Matching {
  /** Lines that match, are around a match, or inside of a matching line. */
  readonly shown: ReadonlySet<string>;
  /** Lines around a match. */
  readonly around: ReadonlySet<string>;
}

function matching(root: Json, search: string): Matching {
  const shown = new Set<string>();
  const around = new Set<string>();
  const visit = (value: Json, path: FactPath, text: string, isInside: boolean): boolean => {
    let hasMatch = false;
    for (const [name, child] of entriesOf(value)) {
      const childPath = [...path, name];
      const childText = text === "" ? String(name) : `${text}.${name}`;
      const id = JSON.stringify(childPath);
      const isMatch = childText.toLowerCase().includes(search) && !text.toLowerCase().includes(search);
      const isValueMatch = scalarText(child)?.toLowerCase().includes(search) === true;
      const within = childPath.length <= DEEPEST && visit(child, childPath, childText, isInside || isMatch);
      if (within) around.add(id);
      if (isMatch || isValueMatch || within || isInside) shown.add(id);
      hasMatch ||= isMatch || isValueMatch || within;
    }
    return hasMatch;
  };
  visit(root, [], "", false);
  return { shown, around };
}

/** A scalar as it is searched; undefined for objects and lists. */
export function scalarText(value: Json): string | undefined {
  if (isNumber(value)) return numberText(value);
  if (typeof value === "string") return value;
  return value === null || typeof value === "boolean" ? String(value) : undefined;
}

/** How many scalars there are. */
export function countLeaves(value: Json): number {
  const entries = entriesOf(value);
  if (sizeOf(value) === undefined) return 1;
  return entries.reduce((sum, [, child]) => sum + countLeaves(child), 0);
}
