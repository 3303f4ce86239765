import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { version } from "#app/version.ts";
import { CensusError } from "#storage/errors.ts";
import { root } from "./places.ts";
import { ownTarget, type Target } from "./targets.ts";

/** What runs programs of another platform here, where it is installed (Debian: qemu-user, libstdc++6-arm64-cross). */
const emulators: Readonly<Record<string, readonly string[]>> = {
  "linux-arm64": ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"],
};

/** Asked of the sample, with the engine and everything before it. */
const question = ["query", "nodes[count()]{}", "--archive", join(root, "fixtures/sample.tgz"), "--output", "csv"];

/**
 * Runs an executable as far as that is possible here: it says its version, and answers a question about the sample.
 * @returns a line about it
 * @throws CensusError "bad-file" when it does something else
 */
export function tryExecutable(file: string, target: Target): string {
  const emulator = target === ownTarget ? [] : emulators[target.name];
  if (emulator === undefined) return "not run: there is nothing here that could";
  const command = [...emulator, file];
  const program = command[0] ?? file;
  const run = (words: readonly string[]) =>
    spawnSync(program, [...command.slice(1), ...words], { cwd: "/", encoding: "utf8" });
  const said = run(["--version"]);
  if (said.error !== undefined) return `not run: ${program} is not here`;
  const answered = run(question);
  if (said.stdout !== `${version}\n` || answered.stdout !== "count\n40\n") {
    throw new CensusError("bad-file", `${file}: ${[said.stderr, answered.stderr].join(" ").trim()}`);
  }
  return `runs${emulator.length === 0 ? "" : ` under ${program}`}`;
}
