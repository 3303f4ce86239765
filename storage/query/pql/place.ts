/** A place in a text of several lines. */
export interface TextPlace {
  /** 1-based; only `\n` counts as the end of a line */
  readonly line: number;
  /** 1-based, in UTF-16 units */
  readonly column: number;
}

/** The line and column of an index (reference/pql.md §4). */
export function placeOf(text: string, index: number): TextPlace {
  const before = text.slice(0, index);
  return { line: before.split("\n").length, column: index - before.lastIndexOf("\n") };
}

/** The words `line L, column C` of an index. */
export function describePlace(text: string, index: number): string {
  const { line, column } = placeOf(text, index);
  return `line ${line}, column ${column}`;
}
