import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildPages } from "#app/explorer/build/build.ts";
import { loadedFiles } from "#app/explorer/build/loaded-files.ts";
import { paths } from "#app/explorer/pages/address/pages.ts";
import { shell } from "#app/explorer/shell.ts";
import { bundledPackages } from "#packaging/bundled-packages.ts";
import { root } from "#packaging/executable/places.ts";
import { explorerFiles } from "#packaging/explorer/files.ts";
import { compressedName, packagedAssets } from "#packaging/explorer/index-file.ts";
import { checkSizes, firstLoads } from "#packaging/explorer/sizes.ts";

const pages = "app/explorer/pages/";

/** What the pages may import besides themselves and packages. */
const allowed = [
  /^storage\/query\/(?:pql|complete|entities)\//,
  /^storage\/diff\//,
  /^storage\/package-versions\//,
  /^storage\/display\//,
  /^storage\/(?:json|errors|nearest-words)\.ts$/,
  // Declarations that the server and the pages share.
  /^storage\/states\//,
  /^storage\/query\/spellings\.ts$/,
  /^storage\/query\/facets\/filter-text\.ts$/,
  /^storage\/issues\/issue\.ts$/,
  /^storage\/traits\/trait\.ts$/,
  /^storage\/search\/words\.ts$/,
  /^storage\/time\/(?:typed|zone)\.ts$/,
  /^storage\/output\/format-names\.ts$/,
];

/** The files that a file imports at once. */
function importsOf(code: string): string[] {
  return [
    ...code.matchAll(/(?:^|;|\})(?:import|export)(?:\{[^}]*\}from)?"(?:\.|\/explorer\/assets)\/(?<name>[\w-]+\.js)"/g),
  ].map(({ groups }) => groups?.["name"] ?? "");
}

const built = await buildPages();
const { inputs } = built.metafile;

describe("the pages", () => {
  it("load at most 120 kB each when they are opened first", () => {
    expect(Object.keys(firstLoads(built)).sort()).toEqual(Object.keys(paths).sort());
    expect(() => checkSizes(built)).not.toThrow();
    expect(() => checkSizes(built, 50_000)).toThrow(/the first load of overview: \d+ of 50000 bytes/);
  });

  it("load few files each, all of which the HTML names", () => {
    const { entries, files } = built;
    const { atStart, pages: loaded } = loadedFiles(built.metafile.outputs, entries.main);
    for (const [page, path] of Object.entries(paths)) {
      const html = shell(entries, path.replace("/:tab?", "").replace(/:\w+/, "some%2Fthing"));
      const linked = [...html.matchAll(/<link rel="modulepreload" href="\/explorer\/assets\/(?<name>[^"]+)">/g)];
      const names = linked.map(({ groups }) => groups?.["name"] ?? "");
      expect({ page, isFew: names.length <= 6, count: names.length }).toEqual({
        page,
        isFew: true,
        count: atStart.length + (loaded.get(page)?.length ?? 0),
      });
      // What the files import at once is named too.
      const imported = names.flatMap((name) => importsOf(Buffer.from(files.get(name) ?? []).toString()));
      expect(imported.length).toBeGreaterThan(0);
      expect({ page, missing: imported.filter((name) => !names.includes(name)) }).toEqual({ page, missing: [] });
      expect(names[0]).toBe(entries.main);
    }
  });

  it("are the same for each tab of a node, and nothing of a page is loaded at an address that has none", () => {
    const { entries } = built;
    expect(shell(entries, "/explorer/nodes/a/facts")).toBe(shell(entries, "/explorer/nodes/a"));
    expect(shell(entries, "/explorer/nodes/a")).not.toBe(shell(entries, "/explorer/nodes"));
    expect(shell(entries, "/explorer/")).toBe(shell(entries, "/explorer"));
    const none = shell(entries, "/explorer/nope");
    expect(none.match(/modulepreload/g)).toHaveLength(entries.atStart.length);
    for (const path of ["/explorer/nodes/a/facts/b", "/explorer/nope/nodes", "/", "/explorer/issues/a/b"])
      expect(shell(entries, path)).toBe(none);
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
