import { documentKinds } from "#storage/archive/document-kinds.ts";
import { version } from "#app/version.ts";
import { chooseSource } from "../sources/choice.ts";
import type { SourceArguments } from "../sources/options.ts";
import { openSource } from "../sources/source.ts";
import { stdout } from "../stdout.ts";
import { History, historyFile } from "./history.ts";
import { InteractiveShell } from "./interactive.ts";
import type { TextFormat } from "../output/formats.ts";
import { PagedOutput, pagerCommand } from "../output/pager.ts";
import { terminalOf } from "../output/terminal.ts";
import { runScript } from "./script.ts";
import { Session, type SessionOptions } from "./session.ts";

export interface ShellOptions {
  readonly layout: TextFormat | undefined;
  readonly remembers: boolean;
}

/**
 * Runs a prompt if stdin and stdout are a terminal; else runs stdin as a script.
 * @returns the exit code
 */
export async function runShell(args: SourceArguments, { layout, remembers }: ShellOptions): Promise<number> {
  const isPrompt = process.stdin.isTTY && process.stdout.isTTY;
  const source = await openSource(chooseSource("shell", args), documentKinds);
  let interactive: InteractiveShell | undefined;
  const output: SessionOptions["output"] = (onLeave) =>
    new PagedOutput({
      pager: () => (isPrompt ? pagerCommand(false) : undefined),
      screen: { rows: process.stdout.rows, columns: process.stdout.columns },
      onLeave,
      lend: () => interactive?.lend(),
      takeBack: () => interactive?.takeBack(),
    });
  const session = new Session({
    source,
    layout: layout ?? (process.stdout.isTTY ? "table" : "json"),
    isLayoutChosen: layout !== undefined,
    output,
    terminal: terminalOf,
    open: (other) => openSource(chooseSource("shell", { ...named(args) }, other), documentKinds),
  });
  try {
    if (!isPrompt) return await runScript(session, process.stdin);
    await stdout.write(`Census ${version}, source ${source.name}. \\? lists commands, \\d entities; Tab completes.\n`);
    interactive = new InteractiveShell(session, History.open(remembers ? historyFile() : undefined));
    await interactive.run();
    return 0;
  } finally {
    await session.close();
  }
}

/** The options except those that name a source. */
function named({ archive: _archive, data: _data, url: _url, urls: _urls, ...rest }: SourceArguments): SourceArguments {
  return rest;
}
