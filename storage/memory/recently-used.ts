/** How much is kept, and how a value is measured. */
export interface RecentlyUsedOptions<V> {
  /** Maximum bytes of all values. */
  readonly bytes: number;
  /** Maximum number of values; default: any. */
  readonly entries?: number;
  /** Bytes that a value takes, with its key where that may be long. */
  readonly sizeOf: (value: V, key: string) => number;
}

interface Entry<V> {
  readonly value: V;
  /** As measured when it was set. */
  readonly bytes: number;
}

/** Values by key, below limits of memory and number: the least recently used are removed first. */
export class RecentlyUsed<V> {
  readonly #options: RecentlyUsedOptions<V>;
  /** The least recently used first. */
  readonly #entries = new Map<string, Entry<V>>();
  #bytes = 0;

  constructor(options: RecentlyUsedOptions<V>) {
    this.#options = options;
  }

  /** The number of values. */
  get size(): number {
    return this.#entries.size;
  }

  /** Bytes of all values. */
  get bytes(): number {
    return this.#bytes;
  }

  /** All values, without using them. */
  *values(): IterableIterator<V> {
    for (const { value } of this.#entries.values()) yield value;
  }

  /** The value of a key, without using it. */
  peek(key: string): V | undefined {
    return this.#entries.get(key)?.value;
  }

  /** The value of a key, which is the most recently used one then. */
  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /**
   * Sets the value of a key and measures it; to be repeated when the value has grown. It is not kept where it is larger than the
   * limit.
   */
  set(key: string, value: V): void {
    this.delete(key);
    const { bytes: limit, entries = Infinity, sizeOf } = this.#options;
    const bytes = sizeOf(value, key);
    this.#entries.set(key, { value, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= limit && this.#entries.size <= entries) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= entry.bytes;
  }
}
