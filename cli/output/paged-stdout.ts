import { type ClosableOutput, PagedOutput, pagerCommand } from "./pager.ts";
import { terminalOf } from "./terminal.ts";

export interface PagedStdoutOptions {
  /** Long lines are cut at the edge of the screen instead of wrapped. */
  readonly chops: boolean;
  /** Called when the user quits the pager before everything is written. */
  readonly onLeave: () => void;
}

/** Standard output of a command that shows one result; undefined if it is not a terminal. */
export function pagedStdout({ chops, onLeave }: PagedStdoutOptions): ClosableOutput | undefined {
  const terminal = terminalOf();
  if (terminal === null) return undefined;
  return new PagedOutput({
    pager: () => pagerCommand(chops),
    screen: { rows: process.stdout.rows, columns: terminal.columns },
    // Leave Ctrl-C to the pager.
    lend: () => process.on("SIGINT", ignore),
    takeBack: () => process.removeListener("SIGINT", ignore),
    onLeave,
  });
}

function ignore(): void {
  // The pager handles the signal.
}
