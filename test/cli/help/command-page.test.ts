import { describe, expect, it } from "vitest";
import { commandPage, optionsOf, optionTerms } from "#cli/help/command-page.ts";
import { renderPage } from "#cli/help/render.ts";
import { displayWidth } from "#cli/output/fit.ts";
import { commands } from "../declarations.ts";

/** The headings of a command's help that list options. */
const groups: Readonly<Record<string, readonly string[]>> = {
  events: ["OPTIONS", "SOURCE", "OUTPUT"],
  facts: ["OPTIONS", "SOURCE", "OUTPUT"],
  nodes: ["OPTIONS", "SOURCE", "OUTPUT"],
  query: ["OPTIONS", "SOURCE", "OUTPUT"],
  reports: ["OPTIONS", "SOURCE", "OUTPUT"],
  sql: ["OPTIONS", "SOURCE", "OUTPUT"],
  shell: ["OPTIONS", "SOURCE", "OUTPUT"],
  packages: ["OPTIONS", "SOURCE", "OUTPUT"],
  diff: ["OPTIONS", "SOURCE", "OUTPUT"],
  export: ["OPTIONS", "SOURCE"],
  import: ["OPTIONS", "SERVER OR DATA DIRECTORY"],
  status: ["OPTIONS", "SERVER OR DATA DIRECTORY", "OUTPUT"],
  backup: ["OPTIONS"],
  verify: ["DATA DIRECTORY", "OUTPUT"],
  "dead-letters": ["OPTIONS", "DATA DIRECTORY", "OUTPUT"],
  serve: ["OPTIONS", "SETTINGS"],
  config: ["OPTIONS", "OUTPUT", "SETTINGS"],
  open: ["OPTIONS"],
  cache: ["OPTIONS"],
};

function rendered(name: string, columns: number): string {
  const command = commands.find((each) => each.name === name);
  if (command === undefined) throw new Error(`there is no command ${name}`);
  return renderPage(commandPage(command), { columns, coloured: false });
}

it.each(Object.entries(groups))("the options of %s are below %j", (name, titles) => {
  const headings = rendered(name, 80).match(/^[A-Z][A-Z ]+$/gm) ?? [];
  expect(headings.filter((title) => title !== "ARGUMENTS" && title !== "EXAMPLES")).toStrictEqual(titles);
});

describe.each([80, 100, 120])("in %i columns", (columns) => {
  it.each(commands.map((command) => [command.name, command] as const))(
    "the help of %s fits, and lists every option once",
    (name, command) => {
      const text = rendered(name, columns);
      const [before = ""] = text.split("\nEXAMPLES\n");
      for (const line of before.split("\n")) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
      for (const [term] of optionsOf(command).flatMap(optionTerms)) {
        const lines = before.split("\n").filter((line) => line === `  ${term}` || line.startsWith(`  ${term}  `));
        expect({ term, count: lines.length }).toStrictEqual({ term, count: 1 });
      }
    },
  );
});
