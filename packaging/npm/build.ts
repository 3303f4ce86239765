import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
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
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const code = await writeCode(folder);
  const { files, metafile } = await explorerFiles();
  mkdirSync(join(folder, "explorer"));
  for (const [name, content] of files) writeFileSync(join(folder, "explorer", name), content);
  writeLicences(folder, bundledPackages(code, metafile));
  writeDeclarations(folder);
  await writePopulation(join(folder, baseName));
  for (const [path, content] of pages()) {
    const page = join(folder, "docs", path);
    mkdirSync(dirname(page), { recursive: true });
    writeFileSync(page, content);
  }
  const readme = readFileSync(join(root, "docs/fixtures.md"), "utf8");
  writeFileSync(join(folder, "README.md"), readme.replaceAll(/\]\((?=[\w-]+\.\w+)/g, "](docs/"));
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(packageJson(), null, 2)}\n`);
}

if (import.meta.main) void buildPackage(packageFolder);
