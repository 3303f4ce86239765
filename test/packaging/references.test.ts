import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { commandList } from "#cli/commands.ts";
import { topics } from "#cli/topics/topics.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

const pages = globSync(["*.md", "docs/**/*.md"], { cwd: root });
const texts = [
  ...pages,
  ...globSync(["{app,cli,fixtures,packaging,storage}/**/*.{ts,mjs,ini,service}"], { cwd: root }),
];
const textOf = (file: string): string => readFileSync(join(root, file), "utf8");

/** Every file that may cite a rule. Tests that check citations are left out, since they write some that do not resolve. */
const citing = [
  ...pages,
  ...globSync("{app,cli,fixtures,packaging,storage,test}/**/*.{ts,mjs,c,sql}", { cwd: root }).filter(
    (file) => file !== join("test", "packaging", "references.test.ts"),
  ),
];

/** Paragraph numbers of a page of docs/reference/, such as `4`, `4.2` and `5b`; undefined if there is no such page. */
function paragraphs(page: string): Set<string> | undefined {
  const file = join("docs", "reference", page);
  if (!existsSync(join(root, file))) return undefined;
  return new Set([...textOf(file).matchAll(/^#{2,3} (\d+[a-z]?(?:\.\d+)?)[. ]/gm)].map(([, number = ""]) => number));
}

/** `reference/query.md §1, §2.1`, `query.md §1 to §3`, `hashing.md §4–8`; the last group is empty if no number follows. */
const CITATION = /([\w./-]*?)([\w-]+\.md)`? §{1,2}((?:(?:, §| and §| to §|–§?)?\d+[a-z]?(?:\.\d+)?\b)*)/g;

/** @returns the citations in a text that do not resolve */
function unresolved(text: string): string[] {
  const joined = text.replaceAll(/\n\s*(?:\*|\/\/)?\s*/g, " ");
  return [...joined.matchAll(CITATION)].flatMap(([whole, folder = "", page = "", list = ""]) => {
    const known = /^(?:.*reference\/)?$/.test(folder) ? paragraphs(page) : undefined;
    const numbers = list.match(/\d+[a-z]?(?:\.\d+)?/g);
    if (known === undefined || numbers === null) return [whole];
    return numbers.filter((number) => !known.has(number)).map((number) => `${page} §${number}`);
  });
}

/** The names by which a page's headings are linked, as GitHub makes them. */
function headings(file: string): Set<string> {
  const titles = [...textOf(file).matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) => title);
  return new Set(
    titles.map((title) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

describe("references in texts resolve", () => {
  it("pages of docs/", () => {
    const named = texts.flatMap((file) =>
      [...textOf(file).matchAll(/\bdocs\/[\w-]+\.md\b/g)].map(([page]) => [file, page]),
    );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter(([, page = ""]) => !existsSync(join(root, page)))).toStrictEqual([]);
  });

  it("paragraphs of docs/reference/", () => {
    const wrong = "`reference/query.md §4.2, §99.1`, `query.md` §9.1, reference/nowhere.md §1 and query.md §Errors";
    expect(unresolved(wrong)).toStrictEqual(["query.md §99.1", "reference/nowhere.md §1", "query.md §"]);
    const missing = citing.flatMap((file) => unresolved(textOf(file)).map((citation) => `${file}: ${citation}`));
    expect(missing).toStrictEqual([]);
  });

  it("pages of docs/reference/", () => {
    const named = citing.flatMap((file) =>
      [...textOf(file).matchAll(/\breference\/([\w-]+\.md)\b/g)].map(([, page = ""]) => [file, page] as const),
    );
    expect(named.length).toBeGreaterThan(200);
    expect(named.filter(([, page]) => paragraphs(page) === undefined)).toStrictEqual([]);
  });

  it("topics and commands of census help", () => {
    const known = new Set(["topics", "--man", ...commandList.names, ...topics.map(({ name }) => name)]);
    const named = texts.flatMap((file) =>
      [...textOf(file).matchAll(/\bcensus help (--?[a-z-]+|[a-z-]+)/g)].map(([, topic = ""]) => [file, topic]),
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter(([, topic = ""]) => !known.has(topic))).toStrictEqual([]);
  });

  it.each(pages)("links of %s", (file) => {
    const links = [
      ...textOf(file)
        .replaceAll(/`[^`\n]*`/g, "")
        .matchAll(/\]\(([^)\s]+)\)/g),
    ].map(([, link = ""]) => link);
    const missing = links
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter((link) => {
        const [path = "", heading] = link.split("#");
        const target = path === "" ? file : join(dirname(file), path);
        if (!existsSync(join(root, target))) return true;
        return heading !== undefined && !headings(target).has(heading);
      });
    expect(missing).toStrictEqual([]);
  });
});
