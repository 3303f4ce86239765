/**
 * Facts that are not stored, by their top-level names: those with one of these names, and those whose name one of the
 * patterns fits (`facts-blocklist`, `reference/commands.md §3.2`).
 */
export interface FactsBlocklist {
  readonly names: readonly string[];
  readonly patterns: readonly RegExp[];
}

/** Nothing is left out. */
export const emptyBlocklist: FactsBlocklist = { names: [], patterns: [] };

/** Tells which facts are stored; undefined: all are. */
export function keepFact({ names, patterns }: FactsBlocklist): ((name: string) => boolean) | undefined {
  if (names.length === 0 && patterns.length === 0) return undefined;
  const listed = new Set(names);
  return (name) => !listed.has(name) && !patterns.some((pattern) => pattern.test(name));
}
