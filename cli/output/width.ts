/** Columns that a line to stdout may take: those of the terminal, in a pipe any number. */
export function terminalWidth(): number {
  return process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY;
}
