import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { version } from "#app/version.ts";
import { checkArguments } from "./arguments.ts";
import { commandNames, loadCommand } from "./commands.ts";
import { exitCodeOf, reportError, UsageError } from "./errors.ts";
import { commandHelp, overview, printHelp } from "./help.ts";

/**
 * Runs the command line.
 * @param words what stands behind the program's name
 * @returns the exit code: 0 done, 1 failed (a file, the network, the store), 2 not understood (an option, a query)
 */
export async function run(words: readonly string[]): Promise<number> {
  process.once("uncaughtException", (error) => {
    reportError(error);
    process.exit(exitCodeOf(error));
  });
  // Nobody reads what is said any more: no reason to fail.
  process.stderr.on("error", () => undefined);
  try {
    return await dispatch(words);
  } catch (error) {
    reportError(error);
    return exitCodeOf(error);
  }
}

async function dispatch(words: readonly string[]): Promise<number> {
  const [first, ...rest] = words.length === 0 ? sampleWords() : words;
  if (first === undefined) throw new UsageError("no command; census --help lists what there is");
  if (first === "--help" || first === "-h") return printHelp(await overview());
  if (first === "--version" || first === "-v") return printHelp(version);
  if (first.startsWith("-")) throw new UsageError(`unknown option ${first}; census --help lists what there is`);
  const command = await loadCommand(first);
  if (command === undefined) {
    throw new UsageError(`unknown command ${JSON.stringify(first)}; there are ${commandNames.join(", ")}`);
  }
  if (asksForHelp(rest)) return printHelp(await commandHelp(command));
  checkArguments(command, rest);
  return command.run(rest);
}

/** A development tree that is started with no arguments shows its sample archive; the packaged program has none. */
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
