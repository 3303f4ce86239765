import { numberKey } from "./number-key.ts";

/** `~` sorts before the end, `^` after it, then letters, then numbers. */
const marks: Readonly<Record<string, string>> = { "~": "!", "^": "%" };
const END = "#";

/** rpm's order: epoch, version, release. A missing release sorts first. */
export function rpmKey(version: string): string {
  const { epoch = "", rest = "" } = /^(?:(?<epoch>\d+):)?(?<rest>.*)$/s.exec(version)?.groups ?? {};
  const dash = rest.lastIndexOf("-");
  const [own, release] = dash < 0 ? [rest, undefined] : [rest.slice(0, dash), rest.slice(dash + 1)];
  return numberKey(epoch) + partKey(own) + (release === undefined ? "" : `.${partKey(release)}`);
}

function partKey(part: string): string {
  const segments = part.match(/~|\^|[A-Za-z]+|[0-9]+/g) ?? [];
  return `${segments.map(segmentKey).join("")}${END}`;
}

function segmentKey(segment: string): string {
  const mark = marks[segment];
  if (mark !== undefined) return mark;
  return /^[0-9]/.test(segment) ? `N${numberKey(segment)}` : `A${segment}${END}`;
}
