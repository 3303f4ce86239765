import { CensusError } from "#storage/errors.ts";
import { nearestWords } from "#storage/nearest-words.ts";
import { notForPuppetdb } from "#storage/query/pql/grammar.ts";
import { parsePql, PqlSyntaxError } from "#storage/query/pql/parse.ts";
import type { RequestError } from "../data/fetch-json.ts";

const SPACE = /[ \t\n\r]*/y;
const SCALAR =
  /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const TEXT = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;

/**
 * Where a text stops being JSON: the place of the first character that cannot be there, the length of the text when
 * something is missing at its end. Browsers differ in what they say about it.
 */
export function jsonPlace(text: string): number {
  const open: ("[" | "{")[] = [];
  let at = 0;
  const read = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found === undefined) return false;
    at += found.length;
    return true;
  };
  const sign = (wanted: string): boolean => {
    if (text.charAt(at) !== wanted) return false;
    at += 1;
    read(SPACE);
    return true;
  };
  /** Reads a name and its colon. */
  const name = (): boolean => read(TEXT) && read(SPACE) && sign(":");
  read(SPACE);
  for (;;) {
    // A value, or the beginning of one.
    if (sign("[")) {
      open.push("[");
      if (text.charAt(at) !== "]") continue;
    } else if (sign("{")) {
      open.push("{");
      if (text.charAt(at) !== "}") {
        if (!name()) return at;
        continue;
      }
    } else if (!read(SCALAR)) return at;
    read(SPACE);
    // What follows it: the end of what is open, or a comma and the next one.
    while (open.length > 0 && sign(open.at(-1) === "[" ? "]" : "}")) open.pop();
    if (open.length === 0) return at;
    if (!sign(",")) return at;
    if (open.at(-1) === "{" && !name()) return at;
  }
}

/** Something that is wrong with a query. Places are characters from the start of the text. */
export interface QueryProblem {
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

/** What the parser refuses, with its advice; undefined when the query is well-formed PQL, or empty. */
export function syntaxProblem(text: string): QueryProblem | undefined {
  if (text.trim() === "") return undefined;
  try {
    parsePql(text);
    return undefined;
  } catch (error) {
    if (error instanceof PqlSyntaxError) {
      const from = offsetOf(text, error.line, error.column);
      return { ...spanAt(text, from, error.found.length), message: adviceOf(error) };
    }
    if (!(error instanceof CensusError)) throw error;
    const [, line, column] = /line (\d+), column (\d+)/.exec(error.message) ?? [];
    const from = line === undefined ? 0 : offsetOf(text, Number(line), Number(column));
    return { ...spanAt(text, from, 1), message: error.message };
  }
}

/** The last paragraph says what to write instead; the ones before show the place, which is underlined, and alternatives. */
function adviceOf({ message, line, column }: PqlSyntaxError): string {
  return `Line ${line}, column ${column}: ${message.split("\n\n").at(-1) ?? message}`;
}

function offsetOf(text: string, line: number, column: number): number {
  const before = text
    .split("\n")
    .slice(0, line - 1)
    .reduce((length, one) => length + one.length + 1, 0);
  return Math.min(text.length, before + column - 1);
}

/** At the end of the text there is nothing to underline but its last character. */
function spanAt(text: string, from: number, length: number): { from: number; to: number } {
  if (from < text.length) return { from, to: Math.min(text.length, from + Math.max(1, length)) };
  const last = text.trimEnd().length;
  return { from: Math.max(0, last - 1), to: last };
}

/** Where the text is invalid JSON; undefined when it is valid, or empty. */
export function jsonProblem(text: string): QueryProblem | undefined {
  if (text.trim() === "") return undefined;
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { ...spanAt(text, jsonPlace(text), 1), message: `Not JSON: ${message}` };
  }
}

/** What the server refuses in a well-formed query; the name in its message is underlined where it first occurs. */
export function meaningProblem(text: string, error: RequestError): QueryProblem | undefined {
  if (error.status !== 400 || error.message.startsWith(notForPuppetdb)) return undefined;
  const [first = "", ...more] = error.message.split(/(?<=\.) (?=[A-Z])/);
  const known = namesIn(more.join(" "));
  // The last one is the cause: "Can't extract unknown 'nodes' field 'foo'. Acceptable fields are …"
  for (const name of namesIn(first).reverse()) {
    const at = wordIn(text, name);
    if (at === -1) continue;
    const [similar] = nearestWords(name, known, 1);
    const message =
      known.length === 0 ? error.message : `${first}${similar === undefined ? "" : ` Did you mean ${similar}?`}`;
    return { from: at, to: at + name.length, message: shortened(message) };
  }
  const span = spanAt(text, text.search(/\S/), /\S+?\b/.exec(text)?.[0].length ?? 1);
  return { ...span, message: shortened(error.message) };
}

/** Names in quotes. */
function namesIn(message: string): string[] {
  return [...message.matchAll(/(?<!\w)'([^']+)'|"([^"]+)"|`([^`]+)`|“([^”]+)”/g)].map(
    ([, single, double, back, curly]) => single ?? double ?? back ?? curly ?? "",
  );
}

/** Where a name occurs that is not part of a longer one. */
function wordIn(text: string, name: string): number {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    if (!/[\w.]/.test(text.charAt(at - 1)) && !/\w/.test(text.charAt(at + name.length))) return at;
  }
  return -1;
}

const LONGEST = 400;

function shortened(message: string): string {
  return message.length <= LONGEST ? message : `${message.slice(0, LONGEST)}…`;
}
