import { readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readArguments } from "#cli/arguments.ts";
import type { Command } from "#cli/command.ts";
import { openArchive } from "#cli/sources/archive.ts";
import { topics } from "#cli/topics/topics.ts";
import { declared } from "#app/settings/table.ts";
import type { Store } from "#storage/store.ts";
import { census, SAMPLE } from "./census.ts";
import { commands } from "./declarations.ts";

const blocks = topics.flatMap(({ page }) => page.sections.flatMap((section) => section.blocks));
const queries = blocks
  .flatMap((block) => (block.kind === "terms" ? block.terms : []))
  .filter(([pql]) => /[}]$/.test(pql));

describe("the examples of the topics", () => {
  let store: Store;
  beforeAll(async () => {
    ({ store } = await openArchive(SAMPLE));
  });
  afterAll(() => store.close());

  it.each(queries)("return rows: %s (%s)", async (pql) => {
    const { rows } = await store.queries.run(store.queries.plan({ of: "root", pql }));
    const found: string[] = [];
    for await (const batch of rows) found.push(...batch.texts());
    expect(found.length).toBeGreaterThan(0);
  });
});

const lines = [
  ...commands.flatMap(({ examples }) => examples.map((line) => `census ${line}`)),
  ...blocks.flatMap((block) => (block.kind === "code" ? block.lines : [])),
].flatMap((line) => /(?<=^|! )census .*/.exec(line) ?? []);

describe("command lines in topics are valid", () => {
  it.each(lines)("%s", (line) => {
    const [, name, ...words] = shellWords(line);
    const [command] = commands.filter((command) => command.name === name);
    expect(() => readArguments(command as Command, words)).not.toThrow();
  });
});

describe("census help environment", () => {
  it("names every variable that is read", async () => {
    const { stdout } = await census(["help", "environment"]);
    const looked = new Set<string>();
    const settings = new Set(declared.map(({ variable }) => variable));
    for await (const path of glob("{app,cli,storage}/**/*.ts")) {
      const source = readFileSync(path, "utf8");
      for (const [, name = ""] of source.matchAll(/\benv(?:ironment)?\["([A-Z_]+)"\]/g)) looked.add(name);
      const [, destructured = ""] = /\{([^{}]*)\}(?: = (?:process\.)?env\b|: NodeJS\.ProcessEnv)/.exec(source) ?? [];
      for (const [name] of destructured.matchAll(/\b[A-Z_]{4,}\b/g)) looked.add(name);
    }
    expect(looked.size).toBeGreaterThan(5);
    const unexplained = [...looked].filter((name) => !settings.has(name) && !new RegExp(`\\b${name}\\b`).test(stdout));
    expect(unexplained).toStrictEqual([]);
  });
});

describe("census help", () => {
  it("lists the topics, and shows each", async () => {
    const { stdout } = await census(["help", "topics"]);
    for (const { name } of topics) expect(stdout).toMatch(new RegExp(`^ +${name} `, "m"));
    const shown = await census(["help", "exit-codes"]);
    expect(shown).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining("\nEXIT CODES\n") });
  });

  it.each([
    ["help", "query"],
    ["help", "dead-letters"],
  ])("%s %s is what --help of the command says", async (help, command) => {
    expect(await census([help, command])).toStrictEqual(await census([command, "--help"]));
  });

  it("without an argument prints census --help", async () => {
    expect(await census(["help"])).toStrictEqual(await census(["--help"]));
  });

  it.each([
    ["quries", "did you mean queries?"],
    ["improt", "did you mean import?"],
    ["xyzzy", "see census help topics"],
  ])("%s: %s", async (word, advice) => {
    const said = `census: help: unknown topic ${JSON.stringify(word)}; ${advice}\n`;
    expect(await census(["help", word])).toStrictEqual({ code: 2, stdout: "", stderr: said });
  });
});

/** A command line as a shell takes it apart, up to a pipe or a redirection. */
function shellWords(line: string): string[] {
  const words = [...line.matchAll(/'([^']*)'|(\S+?)(?=;? |;?$)/g)].map(([, quoted, bare]) => ({ quoted, bare }));
  const end = words.findIndex(({ bare = "" }) => /^[|<>]/.test(bare));
  return words.slice(0, end < 0 ? undefined : end).map(({ quoted, bare = "" }) => quoted ?? bare);
}
