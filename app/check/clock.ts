import { statSync } from "node:fs";
import { type Finding, reporter } from "./finding.ts";

/** Clocks of network file systems may be ahead by this much, ms. */
const TOLERANCE = 60 * 60_000;

/**
 * Checks the machine's clock: no file may have been written later than now. A clock that is behind makes certificates
 * invalid and incoming data old.
 * @param files files with any modification time; missing ones are ignored
 */
export function checkClock(now: number, files: readonly string[]): Finding {
  const report = reporter("clock", null);
  const time = new Date(now).toISOString();
  const written = files.map((path) => ({ path, at: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }));
  const latest = written.reduce((later, file) => (file.at > later.at ? file : later), { path: "", at: 0 });
  if (latest.at <= now + TOLERANCE) return report.ok(`it is ${time}`);
  const what = `it is ${time}, but ${latest.path} was written on ${new Date(latest.at).toISOString()}`;
  return report.error(what, "correct the clock, by NTP or by hand");
}
