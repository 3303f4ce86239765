import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Metafile } from "esbuild";
import { baseName } from "#fixtures/base-folder.ts";
import { bundledPackages } from "../bundled-packages.ts";
import { explorerFiles } from "../explorer/files.ts";
import { pages } from "../pages.ts";
import { writePopulation } from "../population.ts";
import { writeCode } from "./code.ts";
import { writeDeclarations } from "./declarations.ts";
import { writeLicences } from "./licences.ts";
import { packageJson } from "./package-json.ts";

const root = join(import.meta.dirname, "../..");

/** The output directory of `npm run package:npm`. */
export const packageFolder = join(root, "dist/npm");

/** Builds the npm package in a directory, which is emptied first; `npm pack` archives it. */
export async function buildPackage(folder: string): Promise<void> {
  const { code, explorer } = await buildProgram(folder);
  writeLicences(folder, bundledPackages(code, explorer));
  writeDeclarations(folder);
  for (const [path, content] of pages()) {
    const page = join(folder, "docs", path);
    mkdirSync(dirname(page), { recursive: true });
    writeFileSync(page, content);
  }
  const readme = readFileSync(join(root, "docs/fixtures.md"), "utf8");
  writeFileSync(join(folder, "README.md"), readme.replaceAll(/\]\((?=[\w-]+\.\w+)/g, "](docs/"));
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(packageJson(), null, 2)}\n`);
}

/**
 * Builds what the program needs to run in a directory, which is emptied first: `census.cjs` starts it. The engine's native
 * library has to be installed in a directory above.
 * @returns the modules that its code, and the explorer's pages, consist of
 */
export async function buildProgram(folder: string): Promise<{ code: Metafile; explorer: Metafile }> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const code = await writeCode(folder);
  const { files, metafile } = await explorerFiles();
  mkdirSync(join(folder, "explorer"));
  for (const [name, content] of files) writeFileSync(join(folder, "explorer", name), content);
  await writePopulation(join(folder, baseName));
  return { code, explorer: metafile };
}

if (import.meta.main) void buildPackage(packageFolder);
