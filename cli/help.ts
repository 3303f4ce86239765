import { stripVTControlCharacters } from "node:util";
import { type CommandDef, defineCommand, renderUsage } from "citty";
import { version } from "#app/version.ts";
import type { Command } from "./command.ts";
import { loadCommands } from "./commands.ts";
import { stdout } from "./stdout.ts";

const description = "Node configuration inventory that speaks PuppetDB's interface";

/** What `census --help` says. */
export async function overview(): Promise<string> {
  const commands = await loadCommands();
  const root = defineCommand({
    meta: { name: "census", version, description },
    subCommands: Object.fromEntries(commands.map(({ name, definition }) => [name, definition])),
  });
  return `${await renderUsage(root)}\n${examples(commands.flatMap((command) => command.examples.slice(0, 1)))}`;
}

/** What `census <command> --help` says. */
export async function commandHelp(command: Command): Promise<string> {
  const root = defineCommand({ meta: { name: "census", version } });
  const usage = await renderUsage(command.definition as CommandDef, root);
  return `${usage.trimEnd()}\n${examples(command.examples)}`;
}

/** Writes a text for people to stdout; returns the exit code. */
export async function printHelp(text: string): Promise<number> {
  // citty colours whatever the output is.
  const isPlain = !process.stdout.isTTY || (process.env["NO_COLOR"] ?? "") !== "";
  await stdout.write(`${(isPlain ? stripVTControlCharacters(text) : text).trimEnd()}\n`);
  return 0;
}

function examples(lines: readonly string[]): string {
  return `\nEXAMPLES\n\n${lines.map((line) => `  census ${line}`).join("\n")}\n`;
}
