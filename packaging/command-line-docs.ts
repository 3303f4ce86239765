/**
 * `docs/command-line.md`, made of the commands' declarations: `npm run docs` writes it, and a test fails when it no longer
 * says what there is. Another runs each example.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Command } from "#cli/command.ts";
import { commandList } from "#cli/commands.ts";
import { topics } from "#cli/topics/topics.ts";

/** Where the page lies. */
export const commandLineDocs: string = join(import.meta.dirname, "../docs/command-line.md");

/** Pages that say more about a command. */
const pages: Readonly<Record<string, string>> = {
  anonymize: "anonymization.md",
  config: "settings.md",
  "dead-letters": "commands.md",
  diff: "diff.md",
  fixture: "fixtures.md",
  import: "moving-from-puppetdb.md",
  query: "entities.md",
  serve: "settings.md",
  sql: "sql.md",
};

export async function renderCommandLineDocs(): Promise<string> {
  const commands = await commandList.loadAll();
  return [
    "# Command line",
    "",
    "Every command, with examples that a test runs as they stand. `census COMMAND --help` lists what a command takes, and",
    `\`census help topics\` what is explained besides: ${topics.map(({ name }) => name).join(", ")}.`,
    ...commands.flatMap(section),
    "",
  ].join("\n");
}

function section({ name, description, examples }: Command): string[] {
  const more = pages[name] === undefined ? "" : ` More in [${pages[name]}](${pages[name]}).`;
  const lines = examples.map((line) => `$ census ${line}`);
  return ["", `## ${name}`, "", `${description}.${more}`, "", "```console", ...lines, "```"];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  void renderCommandLineDocs().then((page) => writeFileSync(commandLineDocs, page));
}
