import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildPages } from "#app/explorer/build/build.ts";
import { bundledPackages } from "#packaging/bundled-packages.ts";
import { root } from "#packaging/executable/places.ts";
import { explorerFiles } from "#packaging/explorer/files.ts";
import { compressedName, packagedAssets } from "#packaging/explorer/index-file.ts";
import { checkSizes, limitsOf, type PageSizes, pageSizes } from "#packaging/explorer/sizes.ts";

const pages = "app/explorer/pages/";

/** What the pages may import besides themselves and packages. */
const allowed = [
  /^storage\/query\/(?:pql|complete|entities)\//,
  /^storage\/diff\//,
  /^storage\/(?:json|errors)\.ts$/,
  // Declarations that the server and the pages share.
  /^storage\/query\/(?:node-states|spellings)\.ts$/,
];

const built = await buildPages();
const { inputs } = built.metafile;

describe("the pages", () => {
  it("stay within the limits of their sizes", () => {
    const sizes = pageSizes(built);
    expect(limitsOf(sizes).filter(({ size, limit }) => size > limit)).toEqual([]);
    expect(() => checkSizes(built)).not.toThrow();
    expect(Object.keys(sizes.pages)).toEqual(expect.arrayContaining(["overview", "nodes", "report", "query"]));
    expect(sizes.pages["query"]?.whole).toBeGreaterThan(sizes.pages["query"]?.first ?? Infinity);
  });

  it.each<[what: string, change: (sizes: PageSizes) => PageSizes]>([
    ["the HTML", (sizes) => ({ ...sizes, shell: 2049 })],
    ["the style sheet", (sizes) => ({ ...sizes, style: 12_001 })],
    ["the first load of nodes", (sizes) => ({ ...sizes, pages: { nodes: { own: 1, first: 120_001, whole: 1 } } })],
    ["the code of nodes alone", (sizes) => ({ ...sizes, pages: { nodes: { own: 15_001, first: 1, whole: 1 } } })],
    ["query with its editor", (sizes) => ({ ...sizes, pages: { query: { own: 1, first: 1, whole: 220_001 } } })],
    ["everything together", (sizes) => ({ ...sizes, all: 350_001 })],
  ])("may not exceed the limit of %s", (what, change) => {
    const large = limitsOf(change(pageSizes(built))).filter(({ size, limit }) => size > limit);
    expect(large.map((each) => each.what)).toEqual([what]);
  });

  it("import declared parts of storage only, and nothing of the server", () => {
    const ours = Object.entries(inputs).filter(([path]) => path.startsWith(pages));
    const direct = ours.flatMap(([path, { imports }]) => imports.map((each) => ({ path, imported: each.path })));
    const outside = direct.filter(
      ({ imported }) =>
        !imported.startsWith(pages) &&
        !imported.includes("node_modules/") &&
        !allowed.some((each) => each.test(imported)),
    );
    expect(outside).toEqual([]);
    // Nor through those.
    const others = Object.keys(inputs).filter((path) => /^(?:app|cli|packaging|fixtures|test)\//.test(path));
    expect(others.filter((path) => !path.startsWith(pages))).toEqual([]);
  });

  it("are the same when they are built again, without paths of the build machine", async () => {
    const again = await buildPages();
    expect([...again.files.keys()]).toEqual([...built.files.keys()]);
    for (const [name, content] of built.files) {
      expect(Buffer.from(content).equals(again.files.get(name) ?? Buffer.alloc(0))).toBe(true);
      expect(Buffer.from(content).includes(root)).toBe(false);
    }
  });

  it("contain packages that the project declares for development, and no renderer for servers", () => {
    const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      devDependencies: Record<string, string>;
    };
    const packages = bundledPackages(built.metafile).map((folder) => folder.replace("node_modules/", ""));
    expect(packages).toEqual(expect.arrayContaining(["preact", "@preact/signals", "preact-iso"]));
    expect(packages).not.toContain("preact-render-to-string");
    expect(devDependencies).toMatchObject({ preact: expect.any(String) as string });
  });
});

describe("the files in a package", () => {
  it("are what was built, compressed", async () => {
    const { files } = await explorerFiles();
    const assets = packagedAssets((name) => files.get(name) ?? Buffer.alloc(0));
    expect(assets.entries).toEqual(built.entries);
    for (const [name, content] of built.files) {
      const asset = assets.find(name);
      expect(Buffer.from(asset?.plain() ?? []).equals(content)).toBe(true);
      expect(asset?.gzip()).toBe(files.get(compressedName(name)));
    }
    for (const name of ["index.json", "main.js", "__proto__", ""]) expect(assets.find(name)).toBeUndefined();
    const size = [...files.values()].reduce((sum, content) => sum + content.length, 0);
    expect(size).toBeLessThan(500_000);
  });
});
