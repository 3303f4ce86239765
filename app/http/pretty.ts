import { isExactNumber } from "#storage/json.ts";

/**
 * JSON as PuppetDB indents it: two spaces, `"key" : value`, arrays on one line (`[ 1, 2 ]`), objects in arrays opened as
 * `[ {`, empty ones `[ ]` and `{ }` (`reference/archive.md §1`).
 */
export function pretty(value: unknown, indent = ""): string {
  if (Array.isArray(value)) {
    if (value.length === 0) return "[ ]";
    return `[ ${value.map((element) => pretty(element, indent)).join(", ")} ]`;
  }
  if (typeof value === "object" && value !== null && !isExactNumber(value)) {
    const inner = `${indent}  `;
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    if (members.length === 0) return "{ }";
    const lines = members.map(([key, member]) => `${inner}${JSON.stringify(key)} : ${pretty(member, inner)}`);
    return `{\n${lines.join(",\n")}\n${indent}}`;
  }
  return JSON.stringify(value);
}
