import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { linesOf } from "./lines.ts";

/** Longer than what is read at a time. */
const long = "Zürich ".repeat(400_000);

describe("the lines of a file", () => {
  it.each([
    ["none", "", []],
    ["one without its end", "a", ["a"]],
    ["some, an empty one among them", "a\n\nb\n", ["a", "", "b"]],
    ["with what ends lines elsewhere", "a\u2028b\rc\nd\n", ["a\u2028b\rc", "d"]],
    ["long ones", `${long}\n${long}x\n`, [long, `${long}x`]],
  ])("%s", async (_what, text, lines) => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, "lines");
    await writeFile(file, text);
    const found: string[] = [];
    for await (const line of linesOf(file)) found.push(line);
    expect(found).toEqual(lines);
  });
});
