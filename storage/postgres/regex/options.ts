import { RegexError } from "./error.ts";

/** How the rest of a pattern is read (PostgreSQL manual, "Regular Expression Metasyntax"). */
export interface Options {
  /** advanced (the default), extended or basic regular expression, or a plain string */
  syntax: "advanced" | "extended" | "basic" | "literal";
  ignoreCase: boolean;
  /** white space and comments are skipped */
  expanded: boolean;
  /** `.` and `[^…]` do not match a newline */
  newlineStops: boolean;
  /** `^` and `$` match at newlines too */
  newlineAnchors: boolean;
}

/** The letters of `(?…)` at the start of a pattern. */
const EMBEDDED: Readonly<Record<string, Partial<Options>>> = {
  b: { syntax: "basic" },
  c: { ignoreCase: false },
  e: { syntax: "extended" },
  i: { ignoreCase: true },
  m: { newlineStops: true, newlineAnchors: true },
  n: { newlineStops: true, newlineAnchors: true },
  p: { newlineStops: true, newlineAnchors: false },
  q: { syntax: "literal" },
  s: { newlineStops: false, newlineAnchors: false },
  t: { expanded: false },
  w: { newlineStops: false, newlineAnchors: true },
  x: { expanded: true },
};

/**
 * Reads the `***:` or `***=` director and the embedded options, which are only allowed at the very start.
 * @returns the options and the offset at which the pattern itself begins
 * @throws RegexError for an unknown option or director
 */
export function readOptions(pattern: string): { options: Options; start: number } {
  const options: Options = {
    syntax: "advanced",
    ignoreCase: false,
    expanded: false,
    newlineStops: false,
    newlineAnchors: false,
  };
  let start = 0;
  if (pattern.startsWith("***") && pattern.length > 3) {
    if (pattern[3] === "?") throw new RegexError("pattern");
    if (pattern[3] === "=") return { options: { ...options, syntax: "literal" }, start: 4 };
    if (pattern[3] !== ":") throw new RegexError("operand");
    start = 4;
  }
  const embedded = /^\(\?([a-z]+)(\)?)/i.exec(pattern.slice(start));
  if (!embedded) return { options, start };
  for (const letter of embedded[1] ?? "") {
    const change = EMBEDDED[letter];
    if (!change) throw new RegexError("option");
    Object.assign(options, change);
  }
  if (!embedded[2]) throw new RegexError("option");
  if (options.syntax === "literal") {
    Object.assign(options, { expanded: false, newlineStops: false, newlineAnchors: false });
  }
  return { options, start: start + embedded[0].length };
}
