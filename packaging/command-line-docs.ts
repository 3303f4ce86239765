/**
 * `docs/command-line.md`, generated from the declarations of the commands: `npm run docs` writes it, and a test fails if it
 * is out of date. Another test runs each example.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Command } from "#cli/command.ts";
import { commandList } from "#cli/commands.ts";
import { topics } from "#cli/topics/topics.ts";
import { renderEverydayQuestions } from "./everyday-questions.ts";

/** The path of the page. */
export const commandLineDocs: string = join(import.meta.dirname, "../docs/command-line.md");

/** Pages with more about a command. */
const pages: Readonly<Record<string, string>> = {
  anonymize: "anonymization.md",
  config: "settings.md",
  "command-log": "high-availability.md",
  "dead-letters": "commands.md",
  diff: "diff.md",
  inventory: "inventory.md",
  check: "check.md",
  fixture: "fixtures.md",
  import: "moving-from-puppetdb.md",
  query: "entities.md",
  serve: "settings.md",
  sql: "sql.md",
  top: "top.md",
};

export async function renderCommandLineDocs(): Promise<string> {
  const commands = await commandList.loadAll();
  return [
    "# Command line",
    "",
    "All commands, with examples that a test runs. `census COMMAND --help` lists the arguments and options of a command, and",
    `\`census help TOPIC\` explains a topic: ${topics.map(({ name }) => name).join(", ")}.`,
    "",
    "## Twelve everyday questions",
    "",
    "Answered from the sample archive ([`fixtures/sample.tgz`](../fixtures/sample.tgz)) on a terminal of 100 columns. In a pipe, lists",
    "are JSON.",
    ...(await renderEverydayQuestions()),
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
