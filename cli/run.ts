import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { version } from "#app/version.ts";
import { commandList } from "./commands.ts";
import { exitCodeOf, reportError } from "./errors.ts";
import { overview, printPage } from "./help.ts";
import { commandPage } from "./help/command-page.ts";
import { stdout } from "./stdout.ts";
import { unknownName } from "./unknown-name.ts";

/**
 * Runs the command line. What a process needs besides is in `main.ts`.
 * @param words the arguments after the program's name
 * @returns the exit code: 0 done, 1 failed (a file, the network, the store), 2 not understood (an option, a query)
 */
export async function run(words: readonly string[]): Promise<number> {
  try {
    return await dispatch(words);
  } catch (error) {
    reportError(error);
    return exitCodeOf(error);
  }
}

const seeHelp = "see census --help";

async function dispatch(words: readonly string[]): Promise<number> {
  const [first, ...rest] = words.length === 0 ? sampleWords() : words;
  if (first === undefined || first === "--help" || first === "-h") return printPage(await overview(commandList));
  if (first === "--version" || first === "-v") return printVersion();
  if (first.startsWith("-")) throw unknownName("", "option", first, ["--help", "--version"], seeHelp);
  const command = await commandList.load(first);
  if (command === undefined) throw unknownName("", "command", first, commandList.names, seeHelp);
  if (asksForHelp(rest)) return printPage(commandPage(command));
  return command.run(rest, commandList);
}

async function printVersion(): Promise<number> {
  await stdout.write(`${version}\n`);
  return 0;
}

/** Without arguments, a development tree opens its sample archive. The packaged program has none, and shows its help. */
function sampleWords(): string[] {
  const here: string | undefined = import.meta.dirname;
  const sample = here === undefined ? undefined : join(here, "../fixtures/sample.tgz");
  if (sample === undefined || !existsSync(sample)) return [];
  const path = relative(process.cwd(), sample);
  return ["open", path.startsWith("..") ? sample : path, "--no-browser"];
}

function asksForHelp(words: readonly string[]): boolean {
  const end = words.indexOf("--");
  return words.slice(0, end < 0 ? undefined : end).some((word) => word === "--help" || word === "-h");
}
