import { globSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");

const page = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");

/** What each layer may import besides itself, as ARCHITECTURE.md has it; every layer may also import packages. */
const layers: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  [...page.matchAll(/^\| `(\w+)\/` +\| [^|]+ \| ([^|]+?) +\|$/gm)].map(([, layer = "", may = ""], _index, rows) => [
    layer,
    may === "all of them"
      ? rows.map(([, name = ""]) => name)
      : [...may.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name),
  ]),
);

/** Every source file, relative to the root, with the source files that it imports: statically, dynamically or as types. */
const imports: ReadonlyMap<string, readonly string[]> = new Map(
  Object.keys(layers)
    .flatMap((layer) => globSync(`${layer}/**/*.{ts,tsx}`, { cwd: root }))
    .map((path) => path.replaceAll("\\", "/"))
    .sort()
    .map((path) => [path, importsOf(path)]),
);

function importsOf(path: string): string[] {
  const text = readFileSync(join(root, path), "utf8");
  const found = text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"(?<target>[.#][^"]*\.tsx?)"/g);
  return [...found].map(({ groups }) => {
    const target = groups?.["target"] ?? "";
    return target.startsWith("#") ? target.slice(1) : posix.join(dirname(path), target);
  });
}

/** Groups of files that import each other, directly or through others of the group (Tarjan's algorithm). */
function cyclesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const index = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (path: string): number => {
    const own = index.size;
    index.set(path, own);
    lowest.set(path, own);
    stack.push(path);
    for (const target of graph.get(path) ?? []) {
      const reached = index.has(target) ? (stack.includes(target) ? index.get(target) : undefined) : visit(target);
      lowest.set(path, Math.min(lowest.get(path) ?? own, reached ?? own));
    }
    const low = lowest.get(path) ?? own;
    if (low === own) {
      const group = stack.splice(stack.indexOf(path)).sort();
      if (group.length > 1 || graph.get(path)?.includes(path) === true) cycles.push(group);
    }
    return low;
  };
  for (const path of graph.keys()) if (!index.has(path)) visit(path);
  return cycles;
}

describe("the page about the architecture", () => {
  it("names every layer, and every room of storage and app", () => {
    expect(Object.keys(layers).sort()).toEqual(["app", "cli", "fixtures", "packaging", "storage", "test"]);
    for (const layer of ["storage", "app"]) {
      const rooms = readdirSync(join(root, layer), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name);
      const [, table = ""] = page.split(`| room of \`${layer}/\``);
      const named = [...(table.split("\n\n")[0] ?? "").matchAll(/`([\w-]+)\/[^`]*`/g)].map(([, name = ""]) => name);
      expect([...new Set(named)].filter((name) => rooms.includes(name)).sort()).toEqual(rooms.sort());
    }
  });

  it("is read in ten minutes: 150 lines of 120 characters at most", () => {
    const lines = page.split("\n");
    expect(lines.length).toBeLessThanOrEqual(151);
    expect(lines.filter((line) => line.length > 120)).toEqual([]);
  });
});

describe("imports", () => {
  it("are read from every kind of import", () => {
    expect(imports.get("cli/commands.ts")).toEqual(expect.arrayContaining(["cli/command.ts", "cli/commands/open.ts"]));
    expect(imports.get("cli/commands/verify.ts")).toContain("storage/verify/verify.ts");
    expect([...imports.values()].flat().filter((target) => !imports.has(target))).toStrictEqual([]);
  });

  it("find a cycle through three files", () => {
    const graph = new Map([
      ["a", ["b"]],
      ["b", ["c", "d"]],
      ["c", ["a"]],
      ["d", []],
    ]);
    expect(cyclesOf(graph)).toStrictEqual([["a", "b", "c"]]);
  });

  it("form no cycle, not even through types", () => {
    expect(cyclesOf(imports)).toStrictEqual([]);
  });

  it.each(Object.entries(layers))("of %s stay within the layers it may use", (layer, allowed) => {
    const outside = [...imports]
      .filter(([path]) => path.startsWith(`${layer}/`))
      .flatMap(([path, targets]) => targets.map((target) => ({ path, target })))
      .filter(({ target }) => ![layer, ...allowed].includes(target.split("/")[0] ?? ""));
    expect(outside).toStrictEqual([]);
  });

  it("of DuckDB's binding are in storage/engine only", () => {
    const importers = [...imports.keys()].filter(
      (path) =>
        /^(?:storage|app|cli|fixtures)\//.test(path) &&
        /(?:\bfrom|\bimport)\s*\(?\s*"@duckdb\//.test(readFileSync(join(root, path), "utf8")),
    );
    expect(importers.filter((path) => !path.startsWith("storage/engine/"))).toStrictEqual([]);
  });
});
