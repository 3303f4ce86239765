import { hasColours } from "../colours.ts";

/** The terminal that a result is laid out for. */
export interface TerminalLook {
  /** Columns of a line; infinite: values are shown in full, however long lines become. */
  readonly columns: number;
  readonly isColoured: boolean;
}

/** The terminal of stdout; null in a pipe, where values are written as they are. */
export function terminalOf(
  { isTTY, columns }: Pick<NodeJS.WriteStream, "isTTY" | "columns"> = process.stdout,
): TerminalLook | null {
  if (!isTTY) return null;
  return { columns: columns > 0 ? columns : 80, isColoured: hasColours(process.stdout) };
}
