import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { metaCommands } from "#cli/shell/meta.ts";

it("docs/shell.md lists every command of the shell, and no other", () => {
  const page = readFileSync(new URL("../../../docs/shell.md", import.meta.url), "utf8");
  const listed = [...page.matchAll(/^\| `(\\\S+?)[ `]/gm)].map(([, name]) => name);
  expect(new Set(listed)).toStrictEqual(new Set(metaCommands.map(({ name }) => name)));
});
