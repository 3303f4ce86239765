import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { commandList } from "#cli/commands.ts";
import { topics } from "#cli/topics/topics.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

const pages = globSync(["*.md", "docs/*.md"], { cwd: root });
const texts = [
  ...pages,
  ...globSync(["{app,cli,fixtures,packaging,storage}/**/*.{ts,mjs,ini,service}"], { cwd: root }),
];
const textOf = (file: string): string => readFileSync(join(root, file), "utf8");

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

describe("what texts refer to is there", () => {
  it("pages of docs/", () => {
    const named = texts.flatMap((file) =>
      [...textOf(file).matchAll(/\bdocs\/[\w-]+\.md\b/g)].map(([page]) => [file, page]),
    );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter(([, page = ""]) => !existsSync(join(root, page)))).toStrictEqual([]);
  });

  it("what census help explains", () => {
    const known = new Set(["topics", "--man", ...commandList.names, ...topics.map(({ name }) => name)]);
    const named = texts.flatMap((file) =>
      [...textOf(file).matchAll(/\bcensus help (--?[a-z-]+|[a-z-]+)/g)].map(([, topic = ""]) => [file, topic]),
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter(([, topic = ""]) => !known.has(topic))).toStrictEqual([]);
  });

  it.each(pages)("links of %s", (file) => {
    const links = [...textOf(file).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
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
