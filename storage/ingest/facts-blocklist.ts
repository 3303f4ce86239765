/**
 * Facts that are not stored, by their top-level names: those in `names`, and those that match one of the patterns
 * (`facts-blocklist`, `reference/commands.md §3.2`).
 */
export interface FactsBlocklist {
  readonly names: readonly string[];
  readonly patterns: readonly RegExp[];
}

/** Stores all facts. */
export const emptyBlocklist: FactsBlocklist = { names: [], patterns: [] };

/** Decides which facts are stored; undefined: all. */
export function factFilter({ names, patterns }: FactsBlocklist): ((name: string) => boolean) | undefined {
  if (names.length === 0 && patterns.length === 0) return undefined;
  const listed = new Set(names);
  return (name) => !listed.has(name) && !patterns.some((pattern) => pattern.test(name));
}
