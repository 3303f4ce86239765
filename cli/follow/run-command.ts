import { spawn } from "node:child_process";
import { once } from "node:events";
import { CensusError } from "#storage/errors.ts";
import { type Change, changeJson } from "./row-changes.ts";

/**
 * Runs a command line of the shell with a change on stdin, and its counts in the environment.
 * @throws CensusError when its exit code is not 0
 */
export async function runCommand(command: string, change: Change): Promise<void> {
  const child = spawn(command, {
    shell: true,
    // Our stdout is for changes.
    stdio: ["pipe", 2, "inherit"],
    env: {
      ...process.env,
      CENSUS_CHANGE_ID: change.id,
      CENSUS_CHANGE_SEQUENCE: String(change.sequence),
      CENSUS_CHANGE_ADDED: String(change.added.length),
      CENSUS_CHANGE_REMOVED: String(change.removed.length),
    },
  });
  // A command need not read it.
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(`${changeJson(change)}\n`);
  const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  if (code === 0) return;
  throw new CensusError("bad-file", `--exec ${signal === null ? `returned ${code}` : `was ended by ${signal}`}`);
}
