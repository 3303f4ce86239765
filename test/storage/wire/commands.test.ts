import { describe, expect, it } from "vitest";
import { commandNames, commands, isCommandName, isProcessed } from "#storage/wire/commands.ts";

describe("the declared commands", () => {
  it("are the six of the interface", () => {
    expect(commandNames).toEqual([
      "configure expiration",
      "deactivate node",
      "replace catalog",
      "replace catalog inputs",
      "replace facts",
      "store report",
    ]);
    expect(isCommandName("replace facts")).toBe(true);
    expect(isCommandName("replace_facts")).toBe(false);
    expect(isCommandName("constructor")).toBe(false);
  });

  it.each(commandNames)("%s: the newest version is the last, and the minimum is one of them", (name) => {
    const { versions, newest, minimumOverHttp } = commands[name];
    expect(versions.at(-1)).toBe(newest);
    expect(versions).toContain(minimumOverHttp);
    expect(isProcessed(name, newest)).toBe(true);
    expect(isProcessed(name, newest + 1)).toBe(false);
  });
});
