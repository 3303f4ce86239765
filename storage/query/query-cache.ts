/**
 * Something that a cached value was made from and that may change. The schema is not one: it never changes while a
 * store is open.
 */
export interface Dependency {
  /** The time, the id of a node, or which nodes are inactive. */
  readonly on: "time" | "node" | "inactive nodes";
  /** Whether it is the same as when the value was made. */
  isUnchanged(): boolean;
}

/** A value to cache. */
export interface Cacheable<T> {
  readonly value: T;
  /** Its size in memory (bytes), as an estimate. */
  readonly bytes: number;
  readonly dependsOn: readonly Dependency[];
}

export interface QueryCacheLimits {
  readonly entries: number;
  /** Keys and values together. */
  readonly bytes: number;
  /** Characters of a key; longer queries are not repeated often enough to be worth their memory. */
  readonly keyLength: number;
}

const defaultLimits: QueryCacheLimits = { entries: 512, bytes: 8 * 1024 * 1024, keyLength: 4096 };

/**
 * Parsed and planned queries by their texts. Users and dashboards repeat the same queries, and parsing and planning
 * one takes as long as sending a short response. The least recently used entries are removed first.
 */
export class QueryCache {
  readonly #limits: QueryCacheLimits;
  readonly #entries = new Map<string, Cacheable<unknown>>();
  #bytes = 0;

  constructor(limits: Partial<QueryCacheLimits> = {}) {
    this.#limits = { ...defaultLimits, ...limits };
  }

  /** How much is cached. */
  get size(): { readonly entries: number; readonly bytes: number } {
    return { entries: this.#entries.size, bytes: this.#bytes };
  }

  /**
   * The value of a key, computed if it is not cached or something that it depends on has changed.
   * @param key the kind of value, and the text that the value is made from
   * @param make its errors are thrown and not cached
   */
  get<T>(key: string, make: () => Cacheable<T>): T {
    if (key.length > this.#limits.keyLength) return make().value;
    const known = this.#entries.get(key);
    if (known !== undefined) this.#remove(key, known);
    if (known?.dependsOn.every((dependency) => dependency.isUnchanged()) === true) {
      this.#add(key, known);
      return known.value as T;
    }
    const { value, bytes, dependsOn } = make();
    this.#add(key, { value, bytes: bytes + 2 * key.length, dependsOn });
    return value;
  }

  #add(key: string, entry: Cacheable<unknown>): void {
    this.#entries.set(key, entry);
    this.#bytes += entry.bytes;
    for (const [oldest, { bytes }] of this.#entries) {
      if (this.#entries.size <= this.#limits.entries && this.#bytes <= this.#limits.bytes) return;
      this.#entries.delete(oldest);
      this.#bytes -= bytes;
    }
  }

  #remove(key: string, { bytes }: Cacheable<unknown>): void {
    this.#entries.delete(key);
    this.#bytes -= bytes;
  }
}
