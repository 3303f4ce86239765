/** Targets that are kept; the one that was not asked for longest goes first. */
const KEPT = 256;

/** Longer ones do not come again. */
const LONGEST = 4096;

/**
 * What was read of requests, by their target: whoever looks at a fleet asks the same again and again, and reading a question
 * takes as long as sending a short answer.
 */
export class AskedBefore<T> {
  readonly #kept = new Map<string, T>();

  /** @param read what is to be kept of it; what it throws is thrown */
  get(target: string, read: () => T): T {
    const known = this.#kept.get(target);
    const value = known ?? read();
    if (target.length > LONGEST) return value;
    if (known !== undefined) this.#kept.delete(target);
    this.#kept.set(target, value);
    if (this.#kept.size > KEPT) {
      for (const oldest of this.#kept.keys()) {
        this.#kept.delete(oldest);
        break;
      }
    }
    return value;
  }
}

/** What was made of an object the first time, for as long as that is there. */
export function oncePer<K extends WeakKey, V>(made: WeakMap<K, V>, key: K, make: () => V): V {
  const known = made.get(key);
  if (known !== undefined) return known;
  const value = make();
  made.set(key, value);
  return value;
}
