import type { Metafile } from "esbuild";
import { paths } from "../pages/address/pages.ts";

/** What the program is bundled into. */
type Outputs = Metafile["outputs"];

/** Files of the program, by name. */
export interface LoadedFiles {
  /** Loaded at the start, on every page. */
  readonly atStart: readonly string[];
  /** Loaded besides by each page, its own one first. */
  readonly pages: ReadonlyMap<string, readonly string[]>;
}

/**
 * Which files are loaded where.
 * @param main the first file
 */
export function loadedFiles(outputs: Outputs, main: string): LoadedFiles {
  const atStart = withImports(outputs, [main], []);
  const pages = Object.keys(paths).map((page) => {
    const file = fileOf(outputs, moduleOfPage(page));
    return [page, withImports(outputs, [file], atStart)] as const;
  });
  return { atStart, pages: new Map(pages) };
}

/** Relative to the project. */
export function moduleOfPage(page: string): string {
  return `app/explorer/pages/${page}/page.tsx`;
}

/** Files and all that they import at once, without those that are loaded already. */
function withImports(outputs: Outputs, files: readonly string[], loaded: readonly string[]): string[] {
  const found = new Set(files);
  for (const name of found) {
    for (const { path, kind } of outputs[name]?.imports ?? []) {
      if (kind === "import-statement" && !loaded.includes(path)) found.add(path);
    }
  }
  return [...found];
}

function fileOf(outputs: Outputs, module: string): string {
  const [name] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === module) ?? [];
  if (name === undefined) throw new Error(`the bundler wrote no file for ${module}`);
  return name;
}
