import type { Command } from "#cli/command.ts";
import { commandList } from "#cli/commands.ts";
import { renderEverydayQuestions } from "./everyday-questions.ts";
import { paragraph, type Parts } from "./parts.ts";

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

/** The everyday questions, whose commands it runs, and all commands with their examples, which a test runs. */
export async function commandLineParts(): Promise<Parts> {
  const commands = await commandList.loadAll();
  return {
    questions: (await renderEverydayQuestions()).slice(1).join("\n"),
    commands: commands.map(section).join("\n\n"),
  };
}

function section({ name, description, examples }: Command): string {
  const more = pages[name] === undefined ? "" : ` More in [${pages[name]}](${pages[name]}).`;
  const lines = examples.map((line) => `$ census ${line}`);
  return [`## ${name}`, "", paragraph(`${description}.${more}`), "", "```console", ...lines, "```"].join("\n");
}
