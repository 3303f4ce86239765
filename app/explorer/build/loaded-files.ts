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
  const atStart = withImports(outputs, [main]);
  const pages = Object.keys(paths).map((page) => {
    const file = fileOf(outputs, moduleOfPage(page));
    return [page, withImports(outputs, [file], { without: atStart })] as const;
  });
  return { atStart, pages: new Map(pages) };
}

/** Relative to the project. */
export function moduleOfPage(page: string): string {
  return `app/explorer/pages/${page}/page.tsx`;
}

/**
 * Files and all that they import.
 * @param options.later whether what is loaded on demand counts as well
 * @param options.without files that are loaded already
 */
export function withImports(
  outputs: Outputs,
  files: readonly string[],
  { later = false, without = [] }: { readonly later?: boolean; readonly without?: readonly string[] } = {},
): string[] {
  const found = new Set(files);
  for (const name of found) {
    for (const { path, kind } of outputs[name]?.imports ?? []) {
      const isLoaded = kind === "import-statement" || (later && kind === "dynamic-import");
      if (isLoaded && !without.includes(path)) found.add(path);
    }
  }
  return [...found];
}

function fileOf(outputs: Outputs, module: string): string {
  const [name] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === module) ?? [];
  if (name === undefined) throw new Error(`the bundler wrote no file for ${module}`);
  return name;
}
