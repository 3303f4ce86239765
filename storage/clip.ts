/** Characters of a message, or of a line of source in one, that are shown. */
const MESSAGE = 8 * 1024;
const LINE = 500;

/** A text of ours in which a client's input may be quoted, however long: its beginning and its end. */
export function clipped(text: string, most = MESSAGE): string {
  if (text.length <= most) return text;
  const end = Math.floor(most / 8);
  return `${text.slice(0, most - end)}… (${text.length - most} characters left out) …${text.slice(-end)}`;
}

/** A line of source around the place that a message is about; `column` is counted from 1 and moves with it. */
export function clippedLine(line: string, column: number): { readonly line: string; readonly column: number } {
  if (line.length <= 2 * LINE) return { line, column };
  const start = Math.max(0, Math.min(column - LINE, line.length - LINE));
  const end = Math.min(line.length, column + LINE);
  const [before, after] = [start > 0 ? "…" : "", end < line.length ? "…" : ""];
  return { line: `${before}${line.slice(start, end)}${after}`, column: column - start + before.length };
}
