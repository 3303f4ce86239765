import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CensusError } from "#storage/errors.ts";
import type { Bundle } from "./bundle.ts";
import { checkExecutable } from "./check.ts";
import { codeCacheAssets } from "./code-cache.ts";
import { withCompressedCode } from "./compressed-code.ts";
import { embeddedAssets } from "./embedded-files.ts";
import { codeAsset } from "./inside/code.ts";
import { explorerAsset } from "./inside/explorer-asset.ts";
import { signedAdHoc } from "./mach-o.ts";
import { lockedPackage, packageFolder } from "./packages.ts";
import { putIntoPkgCache } from "./pkg-cache.ts";
import { output } from "./places.ts";
import { stripped } from "./strip.ts";
import { type Target, writers } from "./targets.ts";

/** The contents of an executable besides Node and the engine. */
export interface Program {
  readonly bundle: Bundle;
  /** The directory with the default population, written by `writePopulation`; undefined: none. */
  readonly population?: string;
  /** The files of the explorer's pages, by name; undefined: none. */
  readonly pages?: ReadonlyMap<string, Uint8Array>;
}

/** The argument of `assemble.ts`, as JSON. */
export interface Assembly {
  /** The script that Node runs, in the working folder. */
  readonly main: string;
  /** Paths of the asset files, by asset name. */
  readonly assets: Readonly<Record<string, string>>;
  /** The version of Node. */
  readonly node: string;
  readonly platform: Target["pkg"]["platform"];
  readonly arch: Target["pkg"]["arch"];
  readonly output: string;
}

/** The path of the executable for a target. */
export function executablePath({ name }: Target): string {
  return join(output, name, name.startsWith("win32") ? "census.exe" : "census");
}

/**
 * Builds and checks the executable for a target.
 * @param file the path to write
 * @throws CensusError "unavailable" if its parts cannot be fetched
 */
export async function makeExecutable(
  target: Target,
  { bundle, population: populated, pages = new Map() }: Program,
  file: string,
): Promise<void> {
  const work = join(output, "work", `${target.name}-${process.pid}`);
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  const library = await packageFolder(lockedPackage(target.bindings));
  const native = embeddedAssets("native", library, work);
  await placeNodes(target, work);
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { force: true });
  const population = populated === undefined ? {} : embeddedAssets("population", populated, work);
  const embedded = { ...writeCode(bundle, work), ...writePages(pages, work), ...native, ...population };
  const codeCache = codeCacheAssets(target, bundle, embedded, library, work);
  const assembly: Assembly = {
    main: "main.js",
    assets: { ...withCompressedCode(bundle.pieces, embedded, codeCache, work), ...codeCache },
    node: target.node.version,
    ...target.pkg,
    output: file,
  };
  const run = spawnSync(process.execPath, [join(import.meta.dirname, "assemble.ts"), JSON.stringify(assembly)], {
    cwd: work,
    encoding: "utf8",
    env: { ...process.env, HOME: work, USERPROFILE: work, TMPDIR: work, TEMP: work },
  });
  if (run.status !== 0) throw new CensusError("bad-file", `${target.name}: ${run.stderr.trim()}`);
  if (target.pkg.platform === "macos") writeFileSync(file, signedAdHoc(readFileSync(file), "census"));
  chmodSync(file, 0o755);
  checkExecutable(file, target, assembly.assets);
  rmSync(work, { recursive: true });
}

/** @returns the assets with the code */
function writeCode({ main, loader, pieces }: Bundle, work: string): Record<string, string> {
  const assets: Record<string, string> = {};
  write(work, "main.js", main);
  assets["loader.js"] = write(work, "loader.js", loader);
  for (const [name, text] of pieces) assets[codeAsset(name)] = write(work, codeAsset(name), text);
  return assets;
}

/** @returns the assets with the explorer's pages */
function writePages(pages: ReadonlyMap<string, Uint8Array>, work: string): Record<string, string> {
  return Object.fromEntries(
    [...pages].map(([name, content]) => [explorerAsset(name), write(work, explorerAsset(name), content)]),
  );
}

/** @returns the path */
function write(work: string, name: string, content: string | Uint8Array): string {
  const path = join(work, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

/** Copies the Node binaries to pkg's cache of downloads. */
async function placeNodes({ node, program, pkg, name }: Target, home: string): Promise<void> {
  const base = readFileSync(join(await packageFolder(node), program));
  putIntoPkgCache(home, { version: node.version, ...pkg }, name.startsWith("linux") ? stripped(base) : base);
  if (`v${node.version}` === process.version) return;
  // A code cache is usable only by the version of Node that wrote it.
  const writer = writers.find(({ version }) => version === node.version);
  if (writer === undefined) throw new CensusError("not-found", `no Node ${node.version} that runs here`);
  const running = readFileSync(join(await packageFolder(writer), "bin/node"));
  putIntoPkgCache(home, { version: node.version, platform: "linux", arch: "x64" }, running);
}
