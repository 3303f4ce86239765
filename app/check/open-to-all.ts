import { statSync } from "node:fs";
import type { Finding, Reporter } from "./finding.ts";

/** A file with secrets must not be readable by every user of the machine. */
export function openToAll(path: string, report: Reporter): Finding[] {
  const isOpen = process.platform !== "win32" && (statSync(path).mode & 0o004) !== 0;
  return isOpen ? [report.warning(`${path} can be read by every user of this machine`, `chmod o-r ${path}`)] : [];
}
