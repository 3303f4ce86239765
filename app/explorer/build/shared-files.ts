import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import type { Loader, Metafile, Plugin } from "esbuild";

/** Modules that are loaded together, since the same parts of the program use them. Paths are relative to the project. */
interface Group {
  /** Modules that are loaded on demand: pages, the editor. */
  readonly users: ReadonlySet<string>;
  readonly modules: readonly string[];
  /** In the bundle, not compressed. */
  readonly bytes: number;
}

/**
 * Bytes that a page may load without using them, if it sends a request less for them; compressed, a third of it. With fewer,
 * pages load more files than a browser requests at once; with more, Events exceeds 78 kB.
 */
const WORTH = 6000;

/** How much a part of a page counts that is loaded on demand, such as a tab or a dialog; a page counts 1. */
const PART = 0.25;

/**
 * The bundler writes a file for each set of pages that have modules in common: dozens of small ones for a page, which are
 * compressed badly. So each page also imports what is nearly always loaded with its own modules, and what the program
 * loads at the start; the bundler then puts these into the same file.
 * @param metafile of the program without this plugin
 * @param entry the module that is loaded first, relative to the project
 */
export function fewerFiles({ inputs, outputs }: Metafile, entry: string, root: string): Plugin {
  const atStart = modulesOf(inputs, entry);
  const onDemand = new Set(
    Object.values(inputs).flatMap(({ imports }) =>
      imports.filter(({ kind }) => kind === "dynamic-import").map(({ path }) => path),
    ),
  );
  const pages = new Set(
    [...atStart].flatMap((path) =>
      (inputs[path]?.imports ?? []).filter(({ kind }) => kind === "dynamic-import").map(({ path: page }) => page),
    ),
  );
  const weigh = (users: readonly string[]): number =>
    users.reduce((sum, user) => sum + (pages.has(user) ? 1 : PART), 0);
  const groups = joined(groupsOf(usersOf(inputs, onDemand, atStart), bytesOf(outputs)), weigh);
  const alsoLoaded = (path: string): string[] => [
    ...atStart,
    ...groups.flatMap(({ users, modules }) => (users.has(path) ? modules : [])),
  ];
  return {
    name: "fewer-files",
    setup: (building) => {
      building.onLoad({ filter: /\.tsx?$/ }, async ({ path }) => {
        const name = path.slice(root.length + 1).replaceAll("\\", "/");
        if (!onDemand.has(name)) return undefined;
        const imports = alsoLoaded(name)
          // Packages come with the modules that use them.
          .filter((module) => /\.tsx?$/.test(module))
          .map((module) => `import ${JSON.stringify(join(root, module))};`);
        const contents = `${await readFile(path, "utf8")}\n${imports.join("\n")}\n`;
        return { contents, loader: extname(path).slice(1) as Loader };
      });
    },
  };
}

/** A module and all that it imports, at once and not on demand. */
function modulesOf(inputs: Metafile["inputs"], entry: string): Set<string> {
  const found = new Set([entry]);
  for (const module of found) {
    for (const { path, kind, external } of inputs[module]?.imports ?? []) {
      if (kind === "import-statement" && external !== true) found.add(path);
    }
  }
  return found;
}

/** Which of the modules that are loaded on demand use each module. What is there from the start needs no file. */
function usersOf(
  inputs: Metafile["inputs"],
  onDemand: ReadonlySet<string>,
  atStart: ReadonlySet<string>,
): Map<string, string[]> {
  const users = new Map<string, string[]>();
  for (const user of onDemand) {
    for (const module of modulesOf(inputs, user)) {
      if (module !== user && !atStart.has(module)) users.set(module, [...(users.get(module) ?? []), user]);
    }
  }
  return users;
}

function bytesOf(outputs: Metafile["outputs"]): ReadonlyMap<string, number> {
  const parts = Object.values(outputs).flatMap(({ inputs }) => Object.entries(inputs));
  return new Map(parts.map(([module, { bytesInOutput }]) => [module, bytesInOutput]));
}

/** The modules with the same users. */
function groupsOf(users: ReadonlyMap<string, readonly string[]>, bytes: ReadonlyMap<string, number>): Group[] {
  const modules = Map.groupBy(users.keys(), (module) => String(users.get(module)));
  return [...modules.values()].map((same) => ({
    users: new Set(users.get(same[0] ?? "")),
    modules: same,
    bytes: same.reduce((sum, module) => sum + (bytes.get(module) ?? 0), 0),
  }));
}

/** How much users of a group count. */
type Weigh = (users: readonly string[]) => number;

/** Joins the two groups from which it gains most, until there are none to join. */
function joined(groups: readonly Group[], weigh: Weigh): readonly Group[] {
  const pairs = groups.flatMap((one, at) => groups.slice(at + 1).map((other) => [one, other] as const));
  const [best] = pairs
    .map(([one, other]) => ({ one, other, gain: gainOf(one, other, weigh) }))
    .filter(({ gain }) => gain > 0)
    .sort((a, b) => b.gain - a.gain);
  if (best === undefined) return groups;
  const { one, other } = best;
  const both: Group = {
    users: new Set([...one.users, ...other.users]),
    modules: [...one.modules, ...other.modules],
    bytes: one.bytes + other.bytes,
  };
  return joined([...groups.filter((group) => group !== one && group !== other), both], weigh);
}

/** Bytes: a request less for each user of both, more to load for each user of one. */
function gainOf(one: Group, other: Group, weigh: Weigh): number {
  const ofOne = [...one.users];
  return (
    weigh(ofOne.filter((user) => other.users.has(user))) * WORTH -
    weigh(ofOne.filter((user) => !other.users.has(user))) * other.bytes -
    weigh([...other.users].filter((user) => !one.users.has(user))) * one.bytes
  );
}
