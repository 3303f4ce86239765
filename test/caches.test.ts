import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "..");

/** The rows of the list: a file, and what the cache is called in it. */
const page = readFileSync(join(root, "docs/caches.md"), "utf8");
const listed = [...page.matchAll(/^- \*\*[^*]+\*\* \(`([^`]+)`, `([^`]+)`\):/gm)].map(([, file = "", name = ""]) => ({
  file,
  name,
}));

/** What shows that a file has a cache: what caches are made of, a limit of what is there, the word. */
const signs: readonly RegExp[] = [
  /\bnew RecentlyUsed\b/,
  /\bnew WeakMap<NodeRow\b/,
  /\.size\b[^;\n]*(?:MAX|MOST|LIMIT)\w*\)[^;\n]*\.clear\(\)/,
  /^(?: {2}(?:readonly )?#?|const )\w*(?:cache|Cache|cached|Cached)\w* = new (?:Map|Set|WeakMap)/m,
];

/** Files with a sign that have no cache of their own. */
const others: Readonly<Record<string, string>> = {
  "storage/nodes/text-interner.ts": "holds the texts of the rows of nodes once",
};

it("are all in the list, with the names that they have", () => {
  expect(listed).toHaveLength(8);
  for (const { file, name } of listed) {
    const text = readFileSync(join(root, file), "utf8");
    expect(`${file} ${new RegExp(`(?<![\\w#])${name}\\b`).test(text) ? name : ""}`).toBe(`${file} ${name}`);
  }
  const found = globSync("{storage,app}/**/*.ts", { cwd: root })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => !path.startsWith("app/explorer/pages/") && !(path in others))
    .filter((path) => signs.some((sign) => sign.test(readFileSync(join(root, path), "utf8"))));
  expect(found.filter((path) => !listed.some(({ file }) => file === path))).toEqual([]);
});
