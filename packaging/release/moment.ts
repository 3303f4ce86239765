import { spawnSync } from "node:child_process";
import { root } from "../executable/places.ts";

/** Where neither git nor the environment knows: 1980, the first year that a zip can hold. */
const UNKNOWN = 315_532_800;

/**
 * The time that delivered files have, seconds since 1970: that of the commit, so that the same commit makes the same
 * bytes; `SOURCE_DATE_EPOCH` says another.
 */
export function releaseTime(env: NodeJS.ProcessEnv = process.env): number {
  const { SOURCE_DATE_EPOCH: said = "" } = env;
  if (/^\d+$/.test(said)) return Number(said);
  const run = spawnSync("git", ["log", "-1", "--format=%ct"], { cwd: root, encoding: "utf8" });
  return run.status === 0 ? Number(run.stdout.trim()) : UNKNOWN;
}
