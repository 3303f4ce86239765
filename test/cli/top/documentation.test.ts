import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { keyTable } from "#cli/top/help.ts";

const page = readFileSync(join(import.meta.dirname, "../../../docs/top.md"), "utf8");

it("shows the first page as a terminal shows it", () => {
  const [, shown] = /```text\n([^]*?)```/.exec(page) ?? [];
  const screen = readFileSync(join(import.meta.dirname, "screens/issues-80x24.txt"), "utf8");
  expect(shown).toBe(screen);
});

it("lists the keys of the help", () => {
  const [, table = ""] = /## Keys\n\n([^]*?)\n\n/.exec(page) ?? [];
  const rows = table.split("\n").slice(2);
  expect(rows).toEqual(keyTable.map(([keys, what]) => `| ${keys.replaceAll("|", "\\|")} | ${what} |`));
});
