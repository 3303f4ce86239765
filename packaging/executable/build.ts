/**
 * Builds the executables: `npm run package`. Exit code 0 if the one of this platform was built, even if others failed;
 * 1 if it was not; 2 for invalid arguments.
 */
import { rmSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { CensusError, messageOf } from "#storage/errors.ts";
import { bundledPackages } from "../bundled-packages.ts";
import { explorerFiles } from "../explorer/files.ts";
import { bundleProgram } from "./bundle.ts";
import { executablePath, makeExecutable, type Program } from "./executable.ts";
import { output, root } from "./places.ts";
import { writePopulation } from "../population.ts";
import type { ImageSource } from "../release/image.ts";
import { writeReleaseSums } from "../release/archive.ts";
import { makeImage, makeRelease, releaseFolder } from "../release/release.ts";
import { ownTarget, type Target, targets } from "./targets.ts";
import { tryExecutable } from "./trial.ts";

const USAGE = `usage: npm run package [-- [--quick] TARGET…]
  Makes the executables of these targets, each with what belongs to it, in dist/package; without a target, all.
  TARGET is one of ${targets.map(({ name }) => name).join(", ")}, or own for that of this machine.
  --quick compresses archives little: to try them, not to carry them around.`;

async function main(words: readonly string[]): Promise<number> {
  if (words.includes("--help")) {
    console.log(USAGE);
    return 0;
  }
  // Delivered files are readable by all users.
  process.umask(0o022);
  const isQuick = words.includes("--quick");
  const named = words.filter((word) => word !== "--quick");
  const chosen = named.length === 0 ? targets : named.map(targetOf);
  const population = join(output, "work", `population-${process.pid}`);
  await writePopulation(population);
  try {
    const bundle = await bundleProgram();
    const { files: pages, metafile } = await explorerFiles();
    const packages = [...new Set([...bundle.packages, ...bundledPackages(metafile)])].sort();
    const made = { bundle: { ...bundle, packages }, population, pages };
    let code = 0;
    const sources: ImageSource[] = [];
    for (const target of chosen) {
      const source = await make(target, made, isQuick);
      if (source !== undefined) sources.push(source);
      else if (target === ownTarget || named.length > 0) code = 1;
    }
    const line = await makeImage(sources, isQuick);
    if (line !== undefined) console.log(`image: ${line}`);
    writeReleaseSums(releaseFolder);
    return code;
  } finally {
    rmSync(population, { recursive: true });
  }
}

function targetOf(word: string): Target {
  const target = word === "own" ? ownTarget : targets.find(({ name }) => name === word);
  if (target === undefined) throw new CensusError("bad-input", `${word}: no such target\n${USAGE}`);
  return target;
}

/** @returns its files; undefined: its parts are not available */
async function make(target: Target, program: Program, isQuick: boolean): Promise<ImageSource | undefined> {
  const file = executablePath(target);
  try {
    await makeExecutable(target, program, file);
  } catch (error) {
    if (!(error instanceof CensusError && error.code === "unavailable")) throw error;
    console.log(`${target.name}: skipped: ${error.message}`);
    return undefined;
  }
  console.log(`${target.name}: ${relative(root, file)}, ${(statSync(file).size / 1e6).toFixed(1)} MB`);
  console.log(`${target.name}: ${tryExecutable(file, target)}`);
  const { files, lines } = await makeRelease(target, file, program.bundle.packages, isQuick);
  for (const line of lines) console.log(`${target.name}: ${line}`);
  return { target, files };
}

async function run(): Promise<void> {
  try {
    process.exitCode = await main(process.argv.slice(2));
  } catch (error) {
    console.error(`package: ${messageOf(error)}`);
    process.exitCode = error instanceof CensusError && error.code === "bad-input" ? 2 : 1;
  }
}

void run();
