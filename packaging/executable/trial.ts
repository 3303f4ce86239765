import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { version } from "#app/version.ts";
import { CensusError } from "#storage/errors.ts";
import { root } from "./places.ts";
import { ownTarget, type Target } from "./targets.ts";

/** Emulators for programs of other platforms, if installed (Debian: qemu-user, libstdc++6-arm64-cross). */
const emulators: Readonly<Record<string, readonly string[]>> = {
  "linux-arm64": ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"],
};

/** Queries the sample archive, which needs the engine. */
const query = ["query", "nodes[count()]{}", "--archive", join(root, "fixtures/sample.tgz"), "--output", "csv"];

/**
 * Runs an executable, if possible on this machine: prints its version and queries the sample archive.
 * @returns a line about the result
 * @throws CensusError "bad-file" if the output is wrong
 */
export function tryExecutable(file: string, target: Target): string {
  const emulator = target === ownTarget ? [] : emulators[target.name];
  if (emulator === undefined) return "not run: no emulator for this platform";
  const command = [...emulator, file];
  const program = command[0] ?? file;
  const run = (words: readonly string[]) =>
    spawnSync(program, [...command.slice(1), ...words], { cwd: "/", encoding: "utf8" });
  const said = run(["--version"]);
  if (said.error !== undefined) return `not run: ${program} not found`;
  const answered = run(query);
  if (said.stdout !== `${version}\n` || answered.stdout !== "count\n40\n") {
    throw new CensusError("bad-file", `${file}: ${[said.stderr, answered.stderr].join(" ").trim()}`);
  }
  return `runs${emulator.length === 0 ? "" : ` under ${program}`}`;
}
