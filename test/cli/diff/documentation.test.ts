import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { volatilePatterns } from "#storage/diff/visibility.ts";
import { census, workFolder } from "../census.ts";
import { writeSite } from "./site.ts";

const page = readFileSync(new URL("../../../docs/diff.md", import.meta.url), "utf8");
const folder = workFolder();

beforeAll(() => writeSite(join(folder, "old.tgz"), join(folder, "new.tgz")));

/** Command lines of the page, with what it says they answer. */
const examples = [...page.matchAll(/^```console\n\$ census (?<line>[^\n]+)\n(?<answer>.*?)^```$/gms)].map(
  ({ groups }): [string, string] => [groups?.["line"] ?? "", groups?.["answer"] ?? ""],
);

/** The words of a command line; a word in single quotes may contain blanks. */
function wordsOf(line: string): string[] {
  const words = line.match(/'[^']*'|\S+/g) ?? [];
  return words
    .map((word) => word.replace(/^'|'$/g, ""))
    .map((word) => (word.endsWith(".tgz") ? join(folder, word) : word));
}

describe("the page about census diff", () => {
  it("has examples", () => {
    expect(examples.length).toBeGreaterThan(4);
  });

  it.each(examples)("%s", async (line, answer) => {
    expect(await census(wordsOf(line))).toStrictEqual({ code: 0, stdout: answer, stderr: "" });
  });

  it("lists what always differs", () => {
    const listed = page.slice(page.indexOf("--volatile` shows it:"), page.indexOf("## For programs"));
    const rows = [...listed.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)].flatMap(([, part, places = ""]) =>
      [...places.matchAll(/`([^`]+)`/g)].map(([, glob]) => ({ part, glob })),
    );
    expect(rows).toStrictEqual(volatilePatterns);
  });
});
