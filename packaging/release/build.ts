/**
 * Makes a release: `npm run release`. Builds everything for all targets, then notes, a manifest, checksums and a signature.
 * Exit code 0 if all was made, else that of the step that failed; 2 for invalid arguments.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { version } from "#app/version.ts";
import { CensusError, messageOf } from "#storage/errors.ts";
import { root } from "../executable/places.ts";
import { releaseTime } from "./moment.ts";
import { publish } from "./publish.ts";
import { releaseFolder } from "./release.ts";

const USAGE = `usage: npm run release -- [--key FILE] [--since REF] [TARGET…]
  Makes the executables, archives, packages, the image and the npm package in ${relative(root, releaseFolder)}.
  --key FILE   private Ed25519 key in PEM that signs the checksums (openssl genpkey -algorithm ed25519)
  --since REF  the commit or tag of the last release (default: the last tag)
  TARGET is as for npm run package; default: all.`;

function main(words: readonly string[]): void {
  const options = { key: { type: "string" }, since: { type: "string" }, help: { type: "boolean" } } as const;
  const { values, positionals } = parseArgs({ args: [...words], options, allowPositionals: true });
  if (values.help === true) return console.log(USAGE);
  const changed = git("status", "--porcelain");
  if (changed !== "") throw new CensusError("bad-input", "there are changes that are not committed");
  rmSync(releaseFolder, { recursive: true, force: true });
  step(process.execPath, join(root, "packaging/executable/build.ts"), ...positionals);
  step("npm", "run", "--silent", "package:npm");
  copyFileSync(join(root, `dist/census-${version}.tgz`), join(releaseFolder, `census-${version}.tgz`));
  const page = readFileSync(join(root, "docs/installation.md"), "utf8");
  publish(releaseFolder, {
    commit: git("rev-parse", "HEAD"),
    seconds: releaseTime(),
    subjects: git("log", "--format=%s", ...range(values.since)).split("\n"),
    tested: page.slice(page.indexOf("## What was run")),
    key: values.key,
  });
}

/** The commits since the last release; without one, all. */
function range(since: string | undefined): string[] {
  const last = since ?? git("tag", "--list", "--sort=-creatordate").split("\n")[0] ?? "";
  return last === "" ? [] : [`${last}..HEAD`];
}

function git(...words: readonly string[]): string {
  const run = spawnSync("git", words, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 });
  if (run.status !== 0) throw new CensusError("bad-input", `git ${words.join(" ")}: ${run.stderr.trim()}`);
  return run.stdout.trim();
}

function step(program: string, ...words: readonly string[]): void {
  const { status } = spawnSync(program, words, { cwd: root, stdio: "inherit" });
  if (status !== 0) throw new CensusError("bad-file", `${[program, ...words].join(" ")} failed`);
}

try {
  main(process.argv.slice(2));
} catch (error) {
  console.error(`release: ${messageOf(error)}`);
  process.exitCode = error instanceof CensusError && error.code !== "bad-input" ? 1 : 2;
}
