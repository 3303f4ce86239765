import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { CensusError } from "#storage/errors.ts";
import type { Bundle } from "./bundle.ts";
import { codeAsset } from "./inside/code.ts";
import { type Manifest, manifestAsset } from "./inside/manifest.ts";
import type { Recording } from "./record-code-cache.ts";
import { ownTarget, type Target } from "./targets.ts";

/**
 * V8 flags that make the code cache reproducible: a fixed hash seed (names are stored in hash order), no flushing of
 * unused bytecode, no profile data and no baseline code in the cache, and a heap large enough to avoid garbage
 * collections, after which gaps in objects contain old data.
 */
const constant = [
  "--hash-seed=1",
  "--no-flush-bytecode",
  "--no-profile-guided-optimization",
  "--no-sparkplug",
  "--min-semi-space-size=128",
] as const;

/**
 * Starts the program, sends a query and records V8's code cache. Without it a start takes a fifth longer. V8 rejects the
 * cache of another build, so only executables for this platform and this version of Node have one.
 * @param embedded the executable's other assets
 * @param library the directory with the engine's library
 * @returns the assets with the code cache; the same from the same code
 */
export function codeCacheAssets(
  target: Target,
  { warmUp }: Bundle,
  embedded: Readonly<Record<string, string>>,
  library: string,
  work: string,
): Record<string, string> {
  if (warmUp === undefined || target !== ownTarget || process.version !== `v${target.node.version}`) return {};
  const { name, text } = warmUp;
  const script = join(work, name);
  writeFileSync(script, text);
  const engine = join(work, "engine");
  placeEngine(engine, embedded, library);
  const output = join(work, "code-cache");
  const order: Recording = { assets: { ...embedded, [codeAsset(name)]: script }, piece: name, output };
  const words = [...constant, join(import.meta.dirname, "record-code-cache.ts"), JSON.stringify(order)];
  const run = spawnSync(process.execPath, words, { encoding: "utf8", env: { CENSUS_NATIVE_DIR: engine } });
  if (run.status !== 0) throw new CensusError("bad-file", `${target.name}: ${run.stderr.trim()}`);
  const files = readdirSync(output, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files
      .map(({ parentPath, name: file }) => join(parentPath, file))
      .sort()
      .map((path) => [relative(output, path).replaceAll("\\", "/"), path]),
  );
}

/** Unpacks the engine beforehand: code that is compiled while unpacking is not reproducible. */
function placeEngine(base: string, embedded: Readonly<Record<string, string>>, library: string): void {
  const { id, files } = JSON.parse(readFileSync(embedded[manifestAsset("native")] ?? "", "utf8")) as Manifest;
  const folder = join(base, id);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const { name } of files) copyFileSync(join(library, name), join(folder, name));
}
