import { statSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { makeFolders } from "#storage/folders.ts";
import { UsageError } from "../errors.ts";

/** The platform's directory for caches. */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  const { XDG_CACHE_HOME: xdg = "", LOCALAPPDATA: local = "" } = env;
  if (xdg !== "") return join(xdg, "census");
  if (process.platform === "win32" && local !== "") return join(local, "census", "cache");
  const home = homeFolder();
  if (home === undefined) return join(tmpdir(), `census-${process.getuid?.() ?? ""}`);
  return process.platform === "darwin" ? join(home, "Library", "Caches", "census") : join(home, ".cache", "census");
}

/** Undefined for a user without an account, as in containers. */
function homeFolder(): string | undefined {
  try {
    return homedir();
  } catch {
    return undefined;
  }
}

const units: Readonly<Record<string, number>> = { "": 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12 };

/**
 * Maximum bytes of all opened archives; 0 = none are kept.
 * @throws UsageError when the variable is not a size
 */
export function cacheLimit({ CENSUS_CACHE_SIZE: given = "" }: NodeJS.ProcessEnv = process.env): number {
  if (given === "") return 2_000_000_000;
  const { number, unit = "" } = /^(?<number>\d+(?:\.\d+)?)(?<unit>[kMGT]?)B?$/.exec(given)?.groups ?? {};
  if (number !== undefined) return Math.floor(Number(number) * (units[unit] ?? 1));
  throw new UsageError(`CENSUS_CACHE_SIZE must be a size such as 500M or 2G, or 0, not ${JSON.stringify(given)}`);
}

/**
 * Creates a directory that only this user can write to, because its content is trusted later.
 * @returns whether there is one now
 */
export function makePrivateFolder(path: string): boolean {
  try {
    makeFolders(path, 0o700);
    const { uid, mode } = statSync(path);
    return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
  } catch {
    return false;
  }
}
