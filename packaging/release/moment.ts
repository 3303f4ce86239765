import { spawnSync } from "node:child_process";
import { root } from "../executable/places.ts";

/** Without git and environment variable: 1980, the first year of zip. */
const UNKNOWN = 315_532_800;

/**
 * Modification time of delivered files, seconds since 1970: that of the commit, for reproducible builds;
 * `SOURCE_DATE_EPOCH` overrides it.
 */
export function releaseTime(env: NodeJS.ProcessEnv = process.env): number {
  const { SOURCE_DATE_EPOCH: said = "" } = env;
  if (/^\d+$/.test(said)) return Number(said);
  const run = spawnSync("git", ["log", "-1", "--format=%ct"], { cwd: root, encoding: "utf8" });
  return run.status === 0 ? Number(run.stdout.trim()) : UNKNOWN;
}
