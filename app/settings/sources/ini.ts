import type { FileContents, Given } from "./given.ts";

/** The meaning of a backslash and a letter; before anything else the backslash is removed. */
const escapes: Readonly<Record<string, string>> = { t: "\t", n: "\n", f: "\f", b: "\b", r: "\r" };

/** A complete line: trimmed, with its continuation lines. */
interface Line {
  readonly text: string;
  /** Of its first part, from 1. */
  readonly number: number;
}

/**
 * Reads an ini file by PuppetDB's rules: `#` and `;` start a comment only at the start of a line; `=` or `:` ends a
 * name, whichever comes first; names are not case-sensitive; a backslash at the end continues a line, elsewhere it
 * escapes; quotes are part of a value. Its substitutions (`${…}`) are not carried out but named.
 */
export function readIni(text: string, path: string): FileContents {
  const given: Given[] = [];
  const problems: string[] = [];
  let section: string | undefined;
  for (const { text: line, number } of linesOf(text)) {
    const complain = (what: string): void => void problems.push(`${path}:${number}: ${what}`);
    if (line.startsWith("[")) {
      section = line.endsWith("]") ? line.slice(1, -1).trim().toLowerCase() : "";
      if (section === "") complain(`expected a section as [name], found ${JSON.stringify(line)}`);
      continue;
    }
    const end = endOfName(line);
    const name = unescape(line.slice(0, Math.max(0, end)))
      .trim()
      .toLowerCase();
    const raw = unescape(line.slice(end + 1)).trim();
    if (name === "") complain(`expected name = value${end < 0 ? "" : ", found no name"}`);
    else if (section === undefined) complain(`${name} is in no section; add a line such as [jetty] above it`);
    else if (raw.includes("${")) complain(`[${section}] ${name} contains a substitution; write the value itself`);
    // What follows the heading of a section that could not be read has no place.
    else if (section !== "") given.push({ section, name, raw, place: { kind: "file", path, line: number } });
  }
  return { given, problems };
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let open: Line | undefined;
  for (const [index, raw] of text
    .replace(/^\u{feff}/u, "")
    .split(/\r\n?|\n/)
    .entries()) {
    const part = raw.trim();
    if (open === undefined && (part === "" || /^[#;]/.test(part))) continue;
    const isContinued = /(?<!\\)(?:\\\\)*\\$/.test(part);
    const joined: Line = {
      text: (open?.text ?? "") + (isContinued ? part.slice(0, -1) : part),
      number: open?.number ?? index + 1,
    };
    open = isContinued ? joined : undefined;
    if (!isContinued) lines.push(joined);
  }
  return open === undefined ? lines : [...lines, open];
}

/** The position of the first `=` or `:` without a backslash before it; -1 when there is none. */
function endOfName(line: string): number {
  return line.search(/(?<!\\)[=:]/);
}

function unescape(text: string): string {
  return text.replace(/\\(?:u([0-9a-f]{4})|(.))/gi, (_, code: string | undefined, letter: string | undefined) =>
    code === undefined ? (escapes[letter ?? ""] ?? letter ?? "") : String.fromCharCode(Number.parseInt(code, 16)),
  );
}
