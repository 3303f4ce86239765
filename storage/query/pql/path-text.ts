import { pqlString } from "./string-text.ts";

const NAME = /^[A-Za-z_]\w*$/;
const QUOTED = /^"((?:[^"\\]|\\.)*)"(?=\.|$)/s;

/**
 * Reads a path as people type it: parts with dots between them, and quotes around a part that contains a dot, as in
 * `os.family`, `mountpoints./var.size` and `trusted.extensions."1.3.6"`.
 * @returns its parts; undefined where one of them is empty
 */
export function readPath(text: string): string[] | undefined {
  const parts: string[] = [];
  for (let rest = text; ;) {
    const quoted = QUOTED.exec(rest);
    const [raw = ""] = quoted ?? /^[^.]*/.exec(rest) ?? [];
    const part = quoted === null ? raw : (quoted[1] ?? "").replaceAll(/\\(.)/gs, "$1");
    if (part === "") return undefined;
    parts.push(part);
    if (raw.length === rest.length) return parts;
    rest = rest.slice(raw.length + 1);
  }
}

/** A dotted field as PQL writes it, and as rows of a result have it: `facts.mountpoints."/var".size`. */
export function dottedField(root: string, path: readonly string[]): string {
  return [root, ...path.map((part) => (NAME.test(part) ? part : pqlString(part)))].join(".");
}

/** Fields as PQL lists them: after a quoted part, a comma or bracket needs white space before it. */
export function fieldList(fields: readonly string[]): string {
  return fields.map((field) => (field.endsWith('"') ? `${field} ` : field)).join(", ");
}
