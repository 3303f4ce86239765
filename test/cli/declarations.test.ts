import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { hintOf } from "#cli/help/command-page.ts";
import { commands, options } from "./declarations.ts";

it("lists every file of cli/commands/", () => {
  const files = readdirSync(new URL("../../cli/commands", import.meta.url)).map((file) => file.replace(/\.ts$/, ""));
  expect(commands.map(({ name }) => name).sort()).toStrictEqual(files.sort());
});

describe.each(commands.map((command) => [command.name, command] as const))("census %s", (name, command) => {
  it("has a description of one line, and examples", () => {
    expect(command.description).toMatch(/^[A-Z][^\n]+[^.\s]$/);
    expect(command.examples.length).toBeGreaterThan(0);
    for (const example of command.examples) expect(example.split(" ")[0]).toBe(name);
  });

  it("has a description and a placeholder for each argument and option", () => {
    const silent = Object.entries(command.args).filter(
      ([, declaration]) => (declaration.description ?? "") === "" || !/^[A-Z]|\||^$/.test(hintOf(declaration)),
    );
    expect(silent).toStrictEqual([]);
  });

  it("does not declare --help and --version", () => {
    const taken = Object.keys(command.args);
    expect(taken).not.toContain("help");
    expect(taken).not.toContain("version");
  });
});

describe("an option has the same meaning in every command", () => {
  const byName = [...Map.groupBy(options, ({ name }) => name)].filter(([, all]) => all.length > 1);
  /** Options that are explained by what a command does with the same thing; these words all have to say. */
  const explainedApart: Readonly<Record<string, RegExp>> = {
    data: /data directory/i,
    archive: /an exported archive/i,
    output: /format/i,
    "access-file": /file/i,
    "command-log": /log of commands/i,
    out: /^write/i,
    param: /parameter/i,
    port: /port/i,
    against: /to compare with/i,
    node: /this node/i,
    state: /in this state/i,
    "exit-code": /exit with 1/i,
  };

  /** What is said before the particulars of a command: defaults, and what it goes with. */
  const opening = (name: string, description: string): string =>
    explainedApart[name]?.exec(description)?.[0].toLowerCase() ?? description.split(/ ?[(;:]/)[0] ?? "";

  it.each(byName)("--%s", (name, all) => {
    const kinds = all.map(({ declaration }) => {
      // Layouts differ by what there is to lay out; an archive is compared with one, and a node with nodes.
      const isApart = declaration.type === "enum" || name === "against";
      const hint = isApart ? "as its command says" : hintOf(declaration);
      const { type, description = "" } = declaration;
      return { type, hint, opening: opening(name, description) };
    });
    expect(new Set(kinds.map((kind) => JSON.stringify(kind)))).toHaveLength(1);
  });
});
