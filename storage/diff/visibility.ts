import { type DiffPart, diffParts } from "./parts.ts";

/** Differences that are not to be shown: places of one part that match a pattern. */
export interface Pattern {
  readonly part: DiffPart;
  /** A place as text; `*` matches any characters. A pattern that matches a place also matches all places below it. */
  readonly glob: string;
}

/** The verdict on a difference: shown, omitted because it always differs, or omitted by request. */
export type Verdict = "shown" | "volatile" | "ignored";

/** Judges a difference by its part and its place. */
export type Visibility = (part: DiffPart, place: string) => Verdict;

/** Values that differ from one run to the next even if nothing has changed. */
export const volatilePatterns: readonly Pattern[] = Object.entries({
  nodes: ["catalog.version", "catalog.code_id", "*.producer"],
  facts: [
    "uptime",
    "uptime_*",
    "system_uptime",
    "sp_uptime",
    "load_averages",
    "memory.*.available",
    "memory.*.available_bytes",
    "memory.*.capacity",
    "memory.*.used",
    "memory.*.used_bytes",
    "memoryfree",
    "memoryfree_mb",
    "swapfree",
    "swapfree_mb",
    "mountpoints.*.available",
    "mountpoints.*.available_bytes",
    "mountpoints.*.capacity",
    "mountpoints.*.used",
    "mountpoints.*.used_bytes",
    "*.last_run",
  ],
  reports: ["configuration_version", "code_id", "producer", "metrics.time", "logs.*Applied catalog in *"],
}).flatMap(([part, globs]) => globs.map((glob) => ({ part: part as DiffPart, glob })));

/** Decides about differences by two lists of patterns. */
export function visibilityOf(ignored: readonly Pattern[], volatile: readonly Pattern[]): Visibility {
  const tests = new Map(diffParts.map((part) => [part, [testOf(part, ignored), testOf(part, volatile)] as const]));
  const known = new Map<string, Verdict>();
  return (part, place) => {
    const key = `${part}:${place}`;
    const remembered = known.get(key);
    if (remembered !== undefined) return remembered;
    const [isIgnored, isVolatile] = tests.get(part) ?? [];
    const verdict = isIgnored?.test(place) ? "ignored" : isVolatile?.test(place) ? "volatile" : "shown";
    if (known.size >= 50_000) known.clear();
    known.set(key, verdict);
    return verdict;
  };
}

/** One expression for all patterns of a part; undefined where there are none. */
function testOf(part: DiffPart, patterns: readonly Pattern[]): RegExp | undefined {
  const sources = patterns.filter((pattern) => pattern.part === part).map(({ glob }) => sourceOf(glob));
  return sources.length === 0 ? undefined : new RegExp(`^(?:${sources.join("|")})(?:$|[.[]|::)`, "s");
}

function sourceOf(glob: string): string {
  return glob
    .split(/\*+/)
    .map((literal) => literal.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`))
    .join(".*?");
}
