/** A word (including hyphens), an operator, or any other single character. */
const TOKEN = /[\p{L}\p{N}_][\p{L}\p{N}_-]*\??|[=!<>~&|]+|[^]/uy;

/** The word or sign that starts at `index`; empty at the end of the text. */
export function tokenAt(text: string, index: number): string {
  TOKEN.lastIndex = index;
  return TOKEN.exec(text)?.[0] ?? "";
}

/** The word at, around or directly before `index`; empty when there is none. */
export function wordAround(text: string, index: number): string {
  return (
    (/[\w-]*$/.exec(text.slice(Math.max(0, index - 100), index))?.[0] ?? "") +
    (/^[\w-]*/.exec(text.slice(index, index + 100))?.[0] ?? "")
  );
}

/** The word before `index`, separated from it by white space only; empty when there is none. */
export function wordBefore(text: string, index: number): string {
  return /([\w-]+)\s*$/.exec(text.slice(Math.max(0, index - 100), index))?.[1] ?? "";
}
