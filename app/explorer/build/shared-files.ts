import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import type { Loader, Metafile, Plugin } from "esbuild";
import { paths } from "../pages/address/pages.ts";
import { moduleOfPage } from "./loaded-files.ts";

/** Modules that are loaded together, since the same parts of the program use them. Paths are relative to the project. */
interface Group {
  /** Bytes of it that each module needs that is loaded on demand: a page, the editor. */
  readonly used: ReadonlyMap<string, number>;
  readonly modules: readonly string[];
  /** In the bundle, not compressed. */
  readonly bytes: number;
}

/**
 * Bytes that a page may load without using them, if it sends a request less for them; compressed, a third of it. With fewer,
 * pages load more files than a browser requests at once.
 */
const WORTH = 7000;

/** Bytes that a page may load without using them at most, however many requests of other pages that saves. */
const SPARE = 18_000;

/** How much a page counts. */
const PAGE = 1;
/** How much a part of a page counts that is loaded on demand, such as a tab or a dialog. */
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
  const pages = new Set(Object.keys(paths).map(moduleOfPage));
  const weigh = (user: string): number => (pages.has(user) ? PAGE : PART);
  const groups = joined(groupsOf(usersOf(inputs, onDemand, atStart), bytesOf(outputs)), weigh);
  const alsoLoaded = (path: string): string[] => [
    ...atStart,
    ...groups.flatMap(({ used, modules }) => (used.has(path) ? modules : [])),
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
  return [...modules.values()].map((same) => {
    const size = same.reduce((sum, module) => sum + (bytes.get(module) ?? 0), 0);
    return { used: new Map((users.get(same[0] ?? "") ?? []).map((user) => [user, size])), modules: same, bytes: size };
  });
}

/** How much a user of a group counts; pages most, and only they are opened first. */
type Weigh = (user: string) => number;

/** Joins the two groups from which it gains most, until there are none to join. */
function joined(groups: readonly Group[], weigh: Weigh): readonly Group[] {
  const unused = unusedBytes(groups);
  const pairs = groups.flatMap((one, at) => groups.slice(at + 1).map((other) => [one, other] as const));
  const [best] = pairs
    .map(([one, other]) => ({ one, other, gain: gainOf(one, other, { weigh, unused }) }))
    .filter(({ gain }) => gain > 0)
    .sort((a, b) => b.gain - a.gain);
  if (best === undefined) return groups;
  const { one, other } = best;
  return joined([...groups.filter((group) => group !== one && group !== other), together(one, other)], weigh);
}

function together(one: Group, other: Group): Group {
  const users = new Set([...one.used.keys(), ...other.used.keys()]);
  return {
    used: new Map([...users].map((user) => [user, (one.used.get(user) ?? 0) + (other.used.get(user) ?? 0)])),
    modules: [...one.modules, ...other.modules],
    bytes: one.bytes + other.bytes,
  };
}

/** Bytes that each user loads without using them. */
function unusedBytes(groups: readonly Group[]): ReadonlyMap<string, number> {
  const unused = new Map<string, number>();
  for (const { used, bytes } of groups)
    for (const [user, own] of used) unused.set(user, (unused.get(user) ?? 0) + bytes - own);
  return unused;
}

/** A request less for each user of both is worth some bytes; what users of one load of the other costs them. */
function gainOf(
  one: Group,
  other: Group,
  { weigh, unused }: { readonly weigh: Weigh; readonly unused: ReadonlyMap<string, number> },
): number {
  const both = together(one, other);
  let gain = 0;
  for (const user of both.used.keys()) {
    const isOfBoth = one.used.has(user) && other.used.has(user);
    const more = isOfBoth ? 0 : one.used.has(user) ? other.bytes : one.bytes;
    if (weigh(user) === PAGE && more > 0 && (unused.get(user) ?? 0) + more > SPARE) return 0;
    gain += weigh(user) * (isOfBoth ? WORTH : -more);
  }
  return gain;
}
