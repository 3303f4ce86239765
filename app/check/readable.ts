import { statSync } from "node:fs";
import type { Finding, Reporter } from "./finding.ts";
import { obstacleFor } from "./permissions.ts";
import type { User } from "./user.ts";

/** Why a file that the service has to read cannot be read by it; undefined when it can, or its reader has to find out. */
export function readableBy(user: User, path: string, report: Reporter): Finding | undefined {
  try {
    statSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return report.error(`${path} does not exist`, "create it, or correct the setting");
    if (code !== "EACCES") return undefined;
  }
  const found = obstacleFor(user, path, "read");
  if (found === undefined) return undefined;
  const remedy = `let ${user.name} read it: change owner, group or mode of ${found.path}, or add the user to its group`;
  return report.error(`${path} cannot be read by ${user.name}: ${found.because}`, remedy);
}
