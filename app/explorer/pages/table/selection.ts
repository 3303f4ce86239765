/** The selection with keys added, or removed where they were selected. */
export function toggled(selected: ReadonlySet<string>, keys: readonly string[]): ReadonlySet<string> {
  const next = new Set(selected);
  for (const key of keys) {
    if (!next.delete(key)) next.add(key);
  }
  return next;
}

/** The indexes from one to the other, both included, in whichever direction. */
export function rangeOf(from: number, to: number): number[] {
  const first = Math.min(from, to);
  return Array.from({ length: Math.abs(from - to) + 1 }, (_, at) => first + at);
}
