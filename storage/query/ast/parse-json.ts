import { type Json, parseJson } from "../../json.ts";
import { QueryError } from "../errors.ts";
import { clojureText } from "./clojure.ts";
import { placeOf } from "./json-error.ts";
import { type Span, scanJson } from "./json-scanner.ts";

/** Maximum nesting of arrays and objects in a query; the functions that walk a query recurse this deep. */
export const MAX_NESTING = 1000;

/**
 * Parses the JSON text of a query with exact numbers. A blank text is `null`, which means no query. Control characters
 * are allowed in strings, as in PuppetDB.
 * @throws QueryError with PuppetDB's message when the text is malformed, has more than one value, or is nested deeper
 *   than {@link MAX_NESTING} (`reference/query.md §9.1`)
 */
export function parseQueryJson(text: string): Json {
  if (text.length > MAX_NESTING) checkNesting(text);
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  const [first = null, ...others] = scanJson(text).map((span) => spannedValue(text, span));
  if (others.length === 0) return first;
  const rest = others.map((each) => clojureText(each, "texts")).join(" ");
  const shown = typeof first === "string" ? first : first === null ? "null" : clojureText(first, "texts");
  throw new QueryError(`Only one query may be sent in a request. Found JSON (${rest}) after the query ${shown}`);
}

function spannedValue(text: string, { start, end }: Span): Json {
  return parseJson(escapeControls(text.slice(start, end)));
}

/** Escapes control characters inside strings; outside of strings a scanned value has only blanks. */
function escapeControls(value: string): string {
  return value.replace(/"[^"\\]*(?:\\.[^"\\]*)*"/gs, (string) =>
    string.replace(/[\0-\x1f]/g, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );
}

/** Reads every character, at a fraction of the cost of parsing; a shorter text cannot be nested too deeply. */
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
    if (depth > MAX_NESTING) throw tooDeep(text, at);
  }
}

function tooDeep(text: string, at: number): QueryError {
  const { line, column } = placeOf(text, at);
  const limit = `more than ${MAX_NESTING} arrays or objects are nested`;
  return new QueryError(`The query is nested too deeply: ${limit} at line ${line}, column ${column}`);
}
