import { JolokiaFailure } from "./failure.ts";

/** A part of a path into a value; undefined matches any key. */
export type PathPart = string | undefined;

/**
 * Cuts a decoded path at its slashes. `!/` is a slash that does not cut, `!x` is `x` (`reference/metrics.md §1.1`). A
 * slash at the end opens no further part.
 */
export function splitPath(path: string): string[] {
  const parts: string[] = [];
  let part = "";
  for (let at = 0; at < path.length; at++) {
    const character = path[at] ?? "";
    if (character === "!" && at + 1 < path.length) {
      part += path[++at];
    } else if (character === "/") {
      parts.push(part);
      part = "";
    } else {
      part += character;
    }
  }
  return part === "" ? parts : [...parts, part];
}

/**
 * Parts of a path into a value.
 * @returns undefined when there are none
 * @throws JolokiaFailure when it ends in a wildcard
 */
export function innerPath(parts: readonly string[]): readonly PathPart[] | undefined {
  if (parts.length === 0) return undefined;
  const path = parts.map((part) => (part === "*" ? undefined : part));
  if (path.at(-1) === undefined) {
    throw new JolokiaFailure("argument", `Path '${joinPath(path)}' must not end with a wildcard`);
  }
  return path;
}

/** The path as it is echoed. */
export function joinPath(parts: readonly PathPart[]): string {
  return parts.map((part) => (part ?? "*").replaceAll("!", "!!").replaceAll("/", "!/")).join("/");
}
