import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import type { Loader, Metafile, Plugin } from "esbuild";
import { paths } from "../pages/address/pages.ts";
import { moduleOfPage } from "./loaded-files.ts";

/**
 * The bundler would write a file for each set of pages that have modules in common: dozens of small ones for a page. So what
 * two or more pages use is imported by the first module and by every module that is loaded on demand, and becomes one file.
 * Each page then has one file of its own.
 * @param metafile of the program without this plugin
 * @param entry the module that is loaded first, relative to the project
 */
export function startFile({ inputs }: Metafile, entry: string, root: string): Plugin {
  const uses = Object.keys(paths).flatMap((page) => [...modulesOf(inputs, moduleOfPage(page))]);
  const users = Map.groupBy(uses, (module) => module);
  const usedByMany = [...users].flatMap(([module, { length }]) => (length > 1 ? [module] : []));
  // Packages come with the modules that use them.
  const together = [...new Set([...modulesOf(inputs, entry), ...usedByMany])].filter((path) => /\.tsx?$/.test(path));
  const imports = together.map((module) => `import ${JSON.stringify(join(root, module))};`).join("\n");
  const onDemand = Object.values(inputs).flatMap((input) =>
    input.imports.filter(({ kind }) => kind === "dynamic-import"),
  );
  const importing = new Set([entry, ...onDemand.map(({ path }) => path)].map((path) => join(root, path)));
  return {
    name: "start-file",
    setup: (building) => {
      building.onLoad({ filter: /\.tsx?$/ }, async ({ path }) => {
        if (!importing.has(path)) return undefined;
        const contents = `${await readFile(path, "utf8")}\n${imports}\n`;
        return { contents, loader: extname(path).slice(1) as Loader };
      });
    },
  };
}

/** A module and all that it imports, at once and not on demand. */
function modulesOf(inputs: Metafile["inputs"], module: string): Set<string> {
  const found = new Set([module]);
  for (const each of found) {
    for (const { path, kind, external } of inputs[each]?.imports ?? []) {
      if (kind === "import-statement" && external !== true) found.add(path);
    }
  }
  return found;
}
