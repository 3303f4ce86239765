import { type Json, parseJson } from "../../json.ts";
import { QueryError } from "../errors.ts";
import { clojureText, operandText } from "./clojure.ts";
import { placeOf } from "./json-fault.ts";
import { type Span, scanJson } from "./json-scanner.ts";

/** How many arrays and objects of a query may stand inside each other; whatever walks a query recurses this far. */
export const DEEPEST_NESTING = 1000;

/**
 * Parses the JSON text of a query with exact numbers. A text of nothing but blanks is `null`, that is no query. Control
 * characters may stand in strings as they are, for the peer takes them.
 * @throws QueryError in the peer's words when the text is malformed, holds more than one value, or is nested deeper
 *   than {@link DEEPEST_NESTING} (`reference/query.md §9.1`)
 */
export function parseQueryJson(text: string): Json {
  if (text.length > DEEPEST_NESTING) checkNesting(text);
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  const [first = null, ...others] = scanJson(text).map((span) => spannedValue(text, span));
  if (others.length === 0) return first;
  const rest = others.map(clojureText).join(" ");
  throw new QueryError(
    `Only one query may be sent in a request. Found JSON (${rest}) after the query ${operandText(first)}`,
  );
}

function spannedValue(text: string, { start, end }: Span): Json {
  return parseJson(escapeControls(text.slice(start, end)));
}

/** Control characters inside strings as escapes; outside of strings a scanned value has only blanks. */
function escapeControls(value: string): string {
  return value.replace(/"[^"\\]*(?:\\.[^"\\]*)*"/gs, (string) =>
    string.replace(/[\0-\x1f]/g, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );
}

/** Looks at every character, but costs a fraction of the parse; shorter texts cannot be nested too deeply. */
function checkNesting(text: string): void {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '"') inString = !inString;
    else if (inString && char === "\\") at++;
    else if (inString) continue;
    else if (char === "[" || char === "{") depth++;
    else if (char === "]" || char === "}") depth--;
    if (depth > DEEPEST_NESTING) throw tooDeep(text, at);
  }
}

function tooDeep(text: string, at: number): QueryError {
  const { line, column } = placeOf(text, at);
  const limit = `more than ${DEEPEST_NESTING} arrays or objects stand inside each other`;
  return new QueryError(`The query is nested too deeply: ${limit} at line ${line}, column ${column}`);
}
