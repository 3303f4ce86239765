/** A path pattern compiled: names of its segments and the expression they are matched by. */
export interface PathPattern {
  readonly expression: RegExp;
  readonly segments: readonly string[];
}

/** What a segment may consist of before it is decoded; it may be empty (`reference/query.md §2`). */
const anySegment = String.raw`([\w%.~:-]*)`;
/** Hashes, and the names of nodes where the peer matches them as it matches hashes. */
const plainSegment = String.raw`([A-Za-z0-9\-_.]+)`;

/** `nodes/:node/facts` to an expression; `:hash` matches as hashes do. */
export function compilePath(path: string): PathPattern {
  const segments: string[] = [];
  const parts = path.split("/").map((part) => {
    if (!part.startsWith(":")) return part;
    segments.push(part.slice(1));
    return part === ":hash" ? plainSegment : anySegment;
  });
  return { expression: new RegExp(`^${path === "" ? "" : `/${parts.join("/")}`}$`), segments };
}

/** The decoded segments of a raw path, or undefined when the pattern does not match. */
export function matchPath(pattern: PathPattern, path: string): Record<string, string> | undefined {
  const match = pattern.expression.exec(path);
  if (match === null) return undefined;
  return Object.fromEntries(pattern.segments.map((name, index) => [name, decode(match[index + 1] ?? "")]));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
