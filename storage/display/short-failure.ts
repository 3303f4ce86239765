import { friendly, type FriendlyContext } from "./friendly.ts";

/** The beginning of a failed event's message, before the reason; old and new value are fields of their own. */
const CHANGE_FAILED = /^change from (?:(?! failed: )[^]){0,2000} failed: /;

/** Texts that programs print about themselves and their progress around an error. */
const noise: readonly RegExp[] = [
  / -o DPkg::Options::=\S{1,40}/g,
  /(?:Reading package lists|Building dependency tree|Reading state information)\.\.\.(?: Done)?\s/g,
];

/**
 * The journal of a service that did not start, as Puppet appends it: `journalctl log for ntp:` and lines of the
 * journal.
 */
const JOURNAL = /\n?journalctl log for [^\n]{1,200}:\n(?<lines>[^]*)$/;

/** The beginning of a journal's line: time and host. */
const JOURNAL_HEAD = /^[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S+ /;

/** Messages of systemd about a service that ends; the reason is in the service's own lines. */
const OF_SYSTEMD = /^systemd\[\d+\]: /;

/**
 * A failure in one line, the reason first: without the change that failed, without progress of package managers, and
 * without what systemd says around a service's own lines. Line ends are `↵`.
 */
export function shortFailure(message: string, context: FriendlyContext): string {
  const whole = friendly(message, context).trim().replace(CHANGE_FAILED, "");
  const text = noise.reduce((before, pattern) => before.replace(pattern, ""), whole);
  return oneLine(text.replace(JOURNAL, (_, lines: string) => `\n${ownLines(lines)}`));
}

/** A message in one line: line ends, with the blanks around them, are `↵`. */
export function oneLine(message: string): string {
  const lines = message.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "").join(" ↵ ");
}

function ownLines(journal: string): string {
  const lines = journal
    .split("\n")
    .filter((line) => line.trim() !== "" && !/^-- .* --$/.test(line))
    .map((line) => line.replace(JOURNAL_HEAD, ""));
  const own = lines.filter((line) => !OF_SYSTEMD.test(line));
  return (own.length > 0 ? own : lines).join("\n");
}
