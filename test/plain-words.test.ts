import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");

/** Words of the glossary in ARCHITECTURE.md that we no longer use, and that are never right in a comment. */
const IN_COMMENTS =
  /\b(?:ask(?:s|ed|ing)?|tell(?:s|ing)?|told|hear(?:s|d|ing)?|(?:take|takes|taken|taking) in(?! memory)|stands (?:for|in|there)|so many)\b/i;

/** The same as a part of a name. "Question" has its uses: a terminal's "[y/N]", and the page with everyday questions. */
const IN_NAMES = /^(?:ask|tell|told|hear|heard|takeIn)(?:[A-Z]|s?$)|^asked$|(?:Asked|Told|Heard|TakenIn)(?:[A-Z]|$)/;

const sources = globSync("{app,cli,storage,packaging,fixtures,test}/**/*.{ts,tsx,mjs,css,c}", { cwd: root })
  .filter((path) => !path.endsWith(".d.ts") && !path.includes("node_modules"))
  .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));

/** Comments without the strings before them: those with a line of their own, and those behind code and blanks. */
function commentsIn(text: string): string[] {
  return [...text.matchAll(/^\s*\/\*[\s\S]*?\*\/|(?:^\s*|[;,{}()] )\/\/ .*$/gm)].map(([comment]) => comment);
}

/** Names that are declared: of values, functions, types, parameters, methods and properties. */
function namesIn(text: string): string[] {
  const declared =
    /\b(?:const|let|function\*?|class|interface|type)\s+([\w$]+)|^\s*(?:readonly |async |static )*#?(\w+)\??[:(]/gm;
  return [...text.matchAll(declared)].map(([, declaredName, member]) => declaredName ?? member ?? "");
}

describe("words that the glossary replaces", () => {
  it("are found in comments of every form, and in declared names", () => {
    const text = [
      "/** One.",
      " * Two. */",
      'const basket = "// three"; // four',
      "  // five",
      "  #told(six: string): void {}",
      "type Seven = 8;",
    ].join("\n");
    expect(commentsIn(text).join()).toMatch(/One.*Two.*four.*five/s);
    expect(commentsIn(text).join()).not.toContain("three");
    expect(namesIn(text)).toEqual(["basket", "told", "Seven"]);
    expect(["ask", "askOften", "isAsked", "onTold", "asked"].every((name) => IN_NAMES.test(name))).toBe(true);
    expect(["task", "tail", "basket", "telltale"].some((name) => IN_NAMES.test(name))).toBe(false);
  });

  it("are in no comment", () => {
    const found = sources.flatMap(({ path, text }) =>
      commentsIn(text)
        .filter((comment) => IN_COMMENTS.test(comment))
        .map((comment) => ({ path, comment: comment.trim() })),
    );
    expect(found).toEqual([]);
  });

  it("are in no name", () => {
    const found = sources.flatMap(({ path, text }) =>
      namesIn(text)
        .filter((name) => IN_NAMES.test(name))
        .map((name) => ({ path, name })),
    );
    expect(found).toEqual([]);
  });
});
