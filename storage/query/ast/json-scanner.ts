import { jsonError, placeOf } from "./json-error.ts";
import { scalarEnd, skipBlanks, stringEnd, unexpected } from "./json-tokens.ts";

/** The place of a JSON value in a text; `end` is the offset after its last character. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

interface Container {
  readonly kind: "Array" | "Object";
  readonly closer: "]" | "}";
  readonly start: number;
  entries: number;
}

const OPENERS: Record<string, Pick<Container, "kind" | "closer">> = {
  "[": { kind: "Array", closer: "]" },
  "{": { kind: "Object", closer: "}" },
};

/**
 * Finds the JSON values of a text by the rules of PuppetDB's parser, which accepts control characters inside strings.
 * It is slow and serves to describe the error in a text that `JSON.parse` rejects.
 * @throws QueryError with PuppetDB's message and place (`reference/query.md §9.1`)
 */
export function scanJson(text: string): Span[] {
  const spans: Span[] = [];
  const open: Container[] = [];
  let start = 0;
  const finish = (end: number): number => {
    const parent = open.at(-1);
    if (parent) parent.entries++;
    else spans.push({ start, end });
    return end;
  };

  for (let at = skipBlanks(text, 0); ; at = skipBlanks(text, at)) {
    const parent = open.at(-1);
    if (at === text.length) {
      if (!parent) return spans;
      throw unclosed(text, parent);
    }
    if (text[at] === "]" || text[at] === "}") {
      if (text[at] !== parent?.closer) throw wrongCloser(text, at, parent);
      open.pop();
      at = finish(at + 1);
      continue;
    }
    if (parent) at = entryStart(text, at, parent);
    else start = at;
    const opened = OPENERS[text.charAt(at)];
    if (opened) {
      open.push({ ...opened, start: at, entries: 0 });
      at++;
      continue;
    }
    const end = finish(scalarEnd(text, at));
    if (!parent && /[-\d]/.test(text.charAt(at))) checkRootNumber(text, end);
    at = end;
  }
}

/** The offset after the comma and the field name before a value. */
function entryStart(text: string, start: number, parent: Container): number {
  let at = start;
  if (parent.entries > 0) {
    if (text[at] !== ",") throw unexpected(text, at, `was expecting comma to separate ${parent.kind} entries`);
    at = skipWithin(text, at + 1, parent);
  }
  if (parent.kind === "Array") return at;
  if (text[at] !== '"') throw unexpected(text, at, "was expecting double-quote to start field name");
  at = skipWithin(text, stringEnd(text, at, " in field name"), parent);
  if (text[at] !== ":") throw unexpected(text, at, "was expecting a colon to separate field name and value");
  return skipWithin(text, at + 1, parent);
}

/** The offset after blanks, in a place where the text must not end. */
function skipWithin(text: string, start: number, parent: Container): number {
  const at = skipBlanks(text, start);
  if (at < text.length) return at;
  throw jsonError(text, at, `Unexpected end-of-input within/between ${parent.kind} entries`);
}

/** A number at the root must end at a blank or at the end of the text, since no closing bracket follows it. */
function checkRootNumber(text: string, end: number): void {
  if (end === text.length || " \t\r\n".includes(text.charAt(end))) return;
  throw unexpected(text, end, "Expected space separating root-level values");
}

function unclosed(text: string, { kind, start }: Container): Error {
  const marker = `start marker at ${source(text, start)}`;
  return jsonError(text, text.length, `Unexpected end-of-input: expected close marker for ${kind} (${marker})`);
}

function wrongCloser(text: string, at: number, parent: Container | undefined): Error {
  const found = text.charAt(at);
  const expected = found === "]" ? "}" : "]";
  const opened = parent
    ? `${parent.kind} starting at ${source(text, parent.start)}`
    : "root starting at [Source: (StringReader); line: 1, column: 0]";
  return jsonError(text, at + 1, `Unexpected close marker '${found}': expected '${expected}' (for ${opened})`);
}

/** A place in the format of PuppetDB's messages. */
function source(text: string, offset: number): string {
  const { line, column } = placeOf(text, offset);
  return `[Source: (StringReader); line: ${line}, column: ${column}]`;
}
