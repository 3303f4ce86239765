import { describe, expect, it } from "vitest";
import { hintOf, lettersOf } from "#cli/help/command-page.ts";
import { commands } from "./declarations.ts";

describe.each(commands.map((command) => [command.name, command] as const))("census %s", (name, command) => {
  it("says in one line what it does, and shows how", () => {
    expect(command.description).toMatch(/^[A-Z][^\n]+[^.\s]$/);
    expect(command.examples.length).toBeGreaterThan(0);
    for (const example of command.examples) expect(example.split(" ")[0]).toBe(name);
  });

  it("says of everything it takes what it is for, and what stands for its value", () => {
    const silent = Object.entries(command.args).filter(
      ([, declaration]) => (declaration.description ?? "") === "" || !/^[A-Z]|\||^$/.test(hintOf(declaration)),
    );
    expect(silent).toStrictEqual([]);
  });

  it("leaves --help and --version to the program", () => {
    const taken = Object.entries(command.args).flatMap(([key, declaration]) => [key, ...lettersOf(declaration)]);
    expect(taken).not.toContain("help");
    expect(taken).not.toContain("h");
    expect(taken).not.toContain("version");
  });
});
