import { RecentlyUsed } from "../memory/recently-used.ts";

/**
 * Something that a cached value was made from and that may change. The schema is not one: it never changes while a
 * store is open.
 */
export interface Dependency {
  /** The time, the id of a node, which nodes are inactive, or whether a table is large. */
  readonly on: "time" | "node" | "inactive nodes" | "table size";
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
  readonly #keyLength: number;
  readonly #cached: RecentlyUsed<Cacheable<unknown>>;

  constructor(limits: Partial<QueryCacheLimits> = {}) {
    const { bytes, entries, keyLength } = { ...defaultLimits, ...limits };
    this.#keyLength = keyLength;
    this.#cached = new RecentlyUsed({ bytes, entries, sizeOf });
  }

  /** How much is cached. */
  get size(): { readonly entries: number; readonly bytes: number } {
    return { entries: this.#cached.size, bytes: this.#cached.bytes };
  }

  /**
   * The value of a key, computed if it is not cached or something that it depends on has changed.
   * @param key the kind of value, and the text that the value is made from
   * @param make its errors are thrown and not cached
   */
  get<T>(key: string, make: () => Cacheable<T>): T {
    if (key.length > this.#keyLength) return make().value;
    const known = this.#cached.get(key);
    if (known?.dependsOn.every((dependency) => dependency.isUnchanged()) === true) return known.value as T;
    if (known !== undefined) this.#cached.delete(key);
    const made = make();
    this.#cached.set(key, made);
    return made.value;
  }
}

function sizeOf({ bytes }: Cacheable<unknown>, key: string): number {
  return bytes + 2 * key.length;
}
