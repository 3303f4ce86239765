import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { CensusError } from "#storage/errors.ts";
import type { Bundle } from "./bundle.ts";
import { codeAsset } from "./inside/code.ts";
import { type Manifest, manifestAsset } from "./inside/manifest.ts";
import type { Rehearsal } from "./rehearsal.ts";
import { ownTarget, type Target } from "./targets.ts";

/**
 * What is compiled comes out the same under these: names lie in the order of their hashes, which go by a random number
 * otherwise (any one will do); what has not run for some collections of garbage is thrown away; how far a function has
 * come on its way to faster code is noted with it; and where a collection has made room, what lay there before shows in the
 * gaps of objects, so that there is to be none.
 */
const constant = [
  "--hash-seed=1",
  "--no-flush-bytecode",
  "--no-profile-guided-optimization",
  "--no-sparkplug",
  "--min-semi-space-size=128",
] as const;

/**
 * Rehearses a start and its first answer, and keeps what V8 has compiled by then: to do so again at each start would take
 * a fifth of it. Only
 * the Node inside can be rehearsed with, for V8 takes nothing from another build of it; executables for other platforms
 * compile for themselves.
 * @param carried what the executable carries besides
 * @param library the folder with the engine's library
 * @returns the assets that hold it; the same from the same code
 */
export function compiledAssets(
  target: Target,
  { rehearsal }: Bundle,
  carried: Readonly<Record<string, string>>,
  library: string,
  work: string,
): Record<string, string> {
  if (rehearsal === undefined || target !== ownTarget || process.version !== `v${target.node.version}`) return {};
  const { name, text } = rehearsal;
  const script = join(work, name);
  writeFileSync(script, text);
  const engine = join(work, "engine");
  placeEngine(engine, carried, library);
  const output = join(work, "rehearsed");
  const order: Rehearsal = { assets: { ...carried, [codeAsset(name)]: script }, piece: name, output };
  const words = [...constant, join(import.meta.dirname, "rehearsal.ts"), JSON.stringify(order)];
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

/** As if the program had unpacked it before: what it compiles while it unpacks comes out otherwise each time. */
function placeEngine(base: string, carried: Readonly<Record<string, string>>, library: string): void {
  const { id, files } = JSON.parse(readFileSync(carried[manifestAsset("native")] ?? "", "utf8")) as Manifest;
  const folder = join(base, id);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const { name } of files) copyFileSync(join(library, name), join(folder, name));
}
