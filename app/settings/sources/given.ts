import { dirname } from "node:path";
import type { Raw } from "../kinds/kind.ts";

/** Where a value was given. */
export type Place =
  | { readonly kind: "file"; readonly path: string; readonly line: number }
  | { readonly kind: "variable" | "flag"; readonly name: string };

/** A value as it was given, before it is checked. */
export interface Given {
  readonly section: string;
  /** Parts of nested names, joined with dots. */
  readonly name: string;
  /** Undefined: objects in a list, which no setting with an effect has. */
  readonly raw: Raw | undefined;
  /** Why it has no value although it is given; reported where the setting has an effect. */
  readonly problem?: string;
  readonly place: Place;
}

/** The content of a file: the values, and a line for each error in it. */
export interface FileContents {
  readonly given: readonly Given[];
  readonly problems: readonly string[];
}

/** `/etc/census/jetty.ini:5`, `CENSUS_JETTY_PORT`, `--port`. */
export function sourceOf(place: Place): string {
  if (place.kind === "file") return `${place.path}:${place.line}`;
  return place.kind === "flag" ? `--${place.name}` : place.name;
}

/** The beginning of a message about a value: place and name, unless the place contains the name. */
export function subjectOf({ section, name, place }: Given): string {
  return place.kind === "file" ? `${sourceOf(place)}: ${`[${section}] ${name}`.trimEnd()}` : sourceOf(place);
}

/** The folder that relative paths start from: the file's own, elsewhere the working directory. */
export function baseOf(place: Place): string {
  return place.kind === "file" ? dirname(place.path) : process.cwd();
}
