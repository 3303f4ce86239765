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

const titlesIn = (text: string): string[] => [...text.matchAll(TITLE)].map(([, , title = ""]) => title);

describe("titles of tests", () => {
  const titles = globSync("test/**/*.test.ts", { cwd: root }).flatMap((path) =>
    titlesIn(readFileSync(join(root, path), "utf8")).map((title) => ({ path, title })),
  );

  it("are found in every form", () => {
    const text =
      'describe.each(all)("one", () => it("two") || test.each([1])("three %i")); it.skipIf(x)(\n"four");' +
      'it.each([\n  [1],\n] as const)("five")';
    expect(titlesIn(text)).toEqual(expect.arrayContaining(["one", "two", "three %i", "four", "five"]));
    expect(titles.length).toBeGreaterThan(3000);
  });

  it("contain no word that the glossary replaces", () => {
    expect(titles.filter(({ title }) => UNUSED.test(title))).toEqual([]);
  });
});
