import { encodePath } from "../wire/fact-leaves.ts";

/**
 * How a path and the type of its values are named in the dictionary of paths; the table has the same in two columns.
 * @param path as a JSON array
 */
export function pathKey(type: string, path: string): string {
  return type + SEPARATOR + path;
}

const SEPARATOR = "\0";

/** The path in a key, as a JSON array. */
export function pathOfKey(key: string): string {
  return key.slice(key.indexOf(SEPARATOR) + SEPARATOR.length);
}

/** The key as SQL over the table `fact_paths`. */
export const pathKeySql = "type || chr(0) || path_json";

/** A row of `fact_paths` without its id, in the order of its columns. */
export type PathRow = readonly [
  path: string,
  name: string,
  type: string,
  depth: number,
  elements: readonly string[],
  kinds: string,
  pathJson: string,
];

export function pathRow(key: string): PathRow {
  const [type, pathJson] = [key.slice(0, key.indexOf(SEPARATOR)), pathOfKey(key)];
  const elements = JSON.parse(pathJson) as (string | number)[];
  const kinds = elements.map((element) => (typeof element === "number" ? "i" : "s")).join("");
  return [encodePath(elements), String(elements[0]), type, elements.length - 1, elements.map(String), kinds, pathJson];
}
