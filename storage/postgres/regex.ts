import { RegexError } from "./regex/error.ts";
import { fitsJs, fitsRe2, mayExplode } from "./regex/limits.ts";
import { matchesInJson } from "./regex/json-text.ts";
import { parseRegex } from "./regex/parse.ts";
import type { Regex } from "./regex/regex-of-engine.ts";
import type { Tree } from "./regex/tree.ts";
import { referenced, writeJs, writeRe2 } from "./regex/write.ts";

export { RegexError } from "./regex/error.ts";
export { MatchTimeout, matchWithin } from "./regex/match.ts";
export { matchAll } from "./regex/matcher.ts";
export type { Regex } from "./regex/regex-of-engine.ts";

/**
 * Translates a PostgreSQL advanced regular expression, including directors and embedded options (`reference/query.md`
 * §4.2). The empty pattern matches everything.
 *
 * Both engines get the same explicit sets of characters, so they agree on classes and on case. Differences from
 * PostgreSQL: letters and symbols beyond ASCII are classified by Unicode's general category rather than the database's
 * locale; and a back-reference to a group that did not participate in the match never matches there, but matches the
 * empty string here.
 *
 * A pattern that needs the JavaScript engine and repeats a repetition, as in `\y(a+)+`, could run forever and is
 * rejected. Other patterns can still take a power of the subject's length, hence {@link matchAll}.
 * @throws RegexError with PostgreSQL's message for an invalid pattern, and for a rejected one
 */
export function translateRegex(pattern: string): Regex {
  const tree = parseRegex(pattern);
  if (fitsRe2(tree.root)) {
    return { engine: "re2", pattern: writeRe2(tree.root), inJson: matchesInJson(tree.root) };
  }
  if (mayExplode(tree.root)) {
    throw new RegexError(
      "complex",
      " (a repetition inside a repetition is not supported together with look-around, word boundaries, " +
        "back-references or large counts)",
    );
  }
  if (!fitsJs(tree.root)) throw new RegexError("complex");
  return { engine: "js", regexp: compileJs(tree) };
}

function compileJs(tree: Tree): RegExp {
  // The sets contain all cases already; only the text that a back-reference repeats needs the engine's own comparison.
  const captured = referenced(tree.root);
  try {
    return new RegExp(writeJs(tree.root, captured), tree.ignoreCase && captured.size > 0 ? "vi" : "v");
  } catch {
    throw new RegexError("complex");
  }
}
