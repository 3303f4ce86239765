import { BARE_PART, DOTTED_FIELDS, FIELD, MATCH_PART_LABEL, QUOTED_PART } from "./grammar.ts";
import type { Scanner } from "./scanner.ts";

/**
 * The positions at which the field that starts here may end, the most likely first; empty when no field starts here.
 * The position of the scanner does not change. There is more than one only for parts such as `match(a`, which are both
 * a bare part and the beginning of a `match(…)` part (reference/pql.md §2).
 */
export function fieldEnds(scanner: Scanner): number[] {
  const start = scanner.position;
  for (const root of DOTTED_FIELDS) if (!scanner.text.startsWith(root, start)) scanner.miss(root);
  const name = scanner.pattern(FIELD);
  if (name === undefined) return [];
  const ends = isDotted(name) && scanner.literal(".") ? endsOfParts(scanner) : [scanner.position];
  scanner.position = start;
  return ends;
}

function isDotted(name: string): boolean {
  return (DOTTED_FIELDS as readonly string[]).includes(name);
}

/** Every way to read parts from the current position, which is after a dot. */
function endsOfParts(scanner: Scanner): number[] {
  const ends: number[] = [];
  const open = [scanner.position];
  const seen = new Set(open);
  for (let start = open.pop(); start !== undefined; start = open.pop()) {
    for (const end of partEnds(scanner, start)) {
      scanner.position = end;
      if (!scanner.literal(".")) ends.push(end);
      else if (!seen.has(scanner.position)) open.push(scanner.position);
      seen.add(scanner.position);
    }
  }
  return ends.reverse();
}

/** Where the part that starts at `start` may end; `match(…)` is last, because the last one found is tried first. */
function partEnds(scanner: Scanner, start: number): number[] {
  const ends: number[] = [];
  for (const pattern of [QUOTED_PART, BARE_PART]) {
    scanner.position = start;
    if (scanner.pattern(pattern) !== undefined) ends.push(scanner.position);
  }
  scanner.position = start;
  const closed = scanner.text.startsWith("match(", start) ? scanner.endOfParenthesis() : undefined;
  if (closed === undefined) scanner.miss(MATCH_PART_LABEL);
  else if (!ends.includes(closed)) ends.push(closed);
  return ends;
}

/**
 * Reads a field that is followed by one of `followers`, after optional white space; not checked where the field has
 * only one possible end.
 * @param isFree whether PuppetDB refuses all dotted fields here
 */
export function parseField(scanner: Scanner, followers: readonly string[], isFree = false): string | undefined {
  const start = scanner.position;
  const ends = fieldEnds(scanner);
  const found = ends.length === 1 ? ends[0] : ends.find((candidate) => isFollowed(scanner, candidate, followers));
  const end = found === undefined ? undefined : withoutClosers(scanner, start, found, isFree ? [] : followers);
  scanner.position = end ?? start;
  return end === undefined ? undefined : scanner.text.slice(start, end);
}

/** Where a field ends that is directly before what closes the list around it, which PuppetDB takes for a part of the name. */
function withoutClosers(scanner: Scanner, start: number, end: number, followers: readonly string[]): number {
  const [closers] = /(?<!\.match\([^)]*)(?<=[^.)}])[)}]+$/.exec(scanner.text.slice(start, end)) ?? [];
  return closers === undefined || isFollowed(scanner, end, followers) ? end : end - closers.length;
}

function isFollowed(scanner: Scanner, end: number, followers: readonly string[]): boolean {
  scanner.position = end;
  scanner.space();
  return followers.some((follower) => scanner.literal(follower));
}
