import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");

/** Words of the glossary in ARCHITECTURE.md that we no longer use, and that are never right in a title. */
const UNUSED =
  /\b(?:asks?|asked|questions?|tells?|told|hears?|heard|(?:take|takes|taken) in|stands?|so (?:many|long)|whatever|nobody|mistakes?|in one go)\b/i;

/** The literal titles of suites and tests; one that follows a table of cases begins after `])(`. */
const TITLE =
  /(?:\b(?:describe|describeInBrowser|it|test)(?:\.\w+(?:\([^()]*\))?)*\(|\]\s*(?:as const,?\s*)?\)\(|\b(?:describe|it|test)\.each\([\w.()]+\)\()\s*(["'`])((?:\\.|(?!\1).)*)\1/g;

/** What a row of a table of cases is called: a text of several words at its start, or as one of these properties. */
const CASE = /^\s*(?:\[\s*|(?:what|name|title|reason): )"((?:\\.|[^"\\\n])* (?:\\.|[^"\\\n])*)",/gm;

const casesIn = (text: string): string[] => [...text.matchAll(CASE)].map(([, name = ""]) => name);

const titlesIn = (text: string): string[] => [...text.matchAll(TITLE)].map(([, , title = ""]) => title);

describe("titles of tests", () => {
  const files = globSync("test/**/*.test.ts", { cwd: root });
  const textOf = (path: string): string => readFileSync(join(root, path), "utf8");
  const titles = files.flatMap((path) => titlesIn(textOf(path)).map((title) => ({ path, title })));
  const cases = files.flatMap((path) => casesIn(textOf(path)).map((title) => ({ path, title })));

  it("are found in every form", () => {
    const text =
      'describe.each(all)("one", () => it("two") || test.each([1])("three %i")); it.skipIf(x)(\n"four");' +
      'it.each([\n  [1],\n] as const)("five")';
    expect(titlesIn(text)).toEqual(expect.arrayContaining(["one", "two", "three %i", "four", "five"]));
    expect(titles.length).toBeGreaterThan(3000);
    expect(
      casesIn('  ["one case", 1],\n  [\n    "another \\"case\\"",\n{\n  what: "a third",\n  ["word", 2],'),
    ).toHaveLength(3);
    expect(cases.length).toBeGreaterThan(1000);
  });

  it("contain no word that the glossary replaces", () => {
    expect([...titles, ...cases].filter(({ title }) => UNUSED.test(title))).toEqual([]);
  });
});
