import { statSync } from "node:fs";
import { type Finding, reporter } from "./finding.ts";

/** File systems of other machines may be ahead by this much, ms. */
const TOLERANCE = 60 * 60_000;

/**
 * Whether the machine's clock can be right: nothing was written later than now. A clock that is behind makes certificates
 * invalid and data that comes in old.
 * @param files that may have been written at any time; those that are not there are passed over
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
