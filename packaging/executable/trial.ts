import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { version } from "#app/version.ts";
import { CensusError } from "#storage/errors.ts";
import { root } from "./places.ts";
import { ownTarget, type Target } from "./targets.ts";

/** An emulator for programs of another platform. */
interface Emulator {
  readonly program: string;
  /** The platform's loader, where its libraries are installed beside those of this machine. */
  readonly loader: string;
  /** Where its libraries are otherwise. With both of them, a program would load some of each and hang. */
  readonly libraries: string;
}

/** Emulators, if installed (Debian: qemu-user, libstdc++6-arm64-cross). */
const emulators: Readonly<Record<string, Emulator>> = {
  "linux-arm64": {
    program: "qemu-aarch64",
    loader: "/lib/ld-linux-aarch64.so.1",
    libraries: "/usr/aarch64-linux-gnu",
  },
};

/** Milliseconds after which a program is said to hang; an emulated one takes seconds. */
const TIME_LIMIT = 120_000;

/** Queries the sample archive, which needs the engine. */
const query = ["query", "nodes[count()]{}", "--archive", join(root, "fixtures/sample.tgz"), "--output", "csv"];

/**
 * Runs an executable, if possible on this machine: prints its version and queries the sample archive.
 * @returns a line about the result
 * @throws CensusError "bad-file" if the output is wrong
 */
export function tryExecutable(file: string, target: Target): string {
  const emulator = target === ownTarget ? undefined : emulators[target.name];
  if (emulator === undefined && target !== ownTarget) return "not run: no emulator for this platform";
  const command = [...(emulator === undefined ? [] : emulated(emulator)), file];
  const program = command[0] ?? file;
  const run = (words: readonly string[]) =>
    spawnSync(program, [...command.slice(1), ...words], { cwd: "/", encoding: "utf8", timeout: TIME_LIMIT });
  const said = run(["--version"]);
  if (isNotFound(said.error)) return `not run: ${program} not found`;
  const answered = said.error === undefined ? run(query) : said;
  if (answered.error !== undefined) {
    throw new CensusError("bad-file", `${file}: ${answered.error.message}`, { cause: answered.error });
  }
  if (said.stdout !== `${version}\n` || answered.stdout !== "count\n40\n") {
    throw new CensusError("bad-file", `${file}: ${[said.stderr, answered.stderr].join(" ").trim()}`);
  }
  return `runs${emulator === undefined ? "" : ` under ${program}`}`;
}

function emulated({ program, loader, libraries }: Emulator): string[] {
  return existsSync(loader) ? [program] : [program, "-L", libraries];
}

function isNotFound(error: Error | undefined): boolean {
  return error !== undefined && "code" in error && error.code === "ENOENT";
}
