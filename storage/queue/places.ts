import type { QueueEntry } from "./entry.ts";
import type { Segment } from "./segments.ts";

/** The place of a command's payload. */
export interface Place {
  readonly segment: Segment;
  /** Bytes from the start of the file. */
  readonly at: number;
  /** The payload, if it is in memory as well. */
  readonly recent: Uint8Array | undefined;
}

/** The places of the commands that are not stored yet, by id, oldest first; and payloads in memory, up to a limit. */
export class Places {
  readonly #places = new Map<number, Place>();
  /** Maximum bytes of payloads in memory. */
  readonly #maxBytes: number;
  /** Bytes of payloads in memory. */
  #recent = 0;

  constructor(most: number) {
    this.#maxBytes = most;
  }

  get isEmpty(): boolean {
    return this.#places.size === 0;
  }

  get(id: number): Place | undefined {
    return this.#places.get(id);
  }

  /** @param payload also stored in memory if there is space */
  add({ id, size }: Pick<QueueEntry, "id" | "size">, segment: Segment, at: number, payload?: Uint8Array): void {
    const recent = this.#recent + size <= this.#maxBytes ? payload : undefined;
    this.#recent += recent?.length ?? 0;
    this.#places.set(id, { segment, at, recent });
  }

  /** Removes commands up to `through`. */
  release(through: number): void {
    for (const [id, { recent }] of this.#places) {
      if (id > through) break;
      this.#places.delete(id);
      this.#recent -= recent?.length ?? 0;
    }
  }

  /** Replaces all up to `through`; newer ones remain after them. @param found oldest first */
  replace(found: Iterable<readonly [id: number, place: Place]>, through: number): void {
    const newer = [...this.#places].filter(([id]) => id > through);
    this.#places.clear();
    for (const [id, place] of found) this.#places.set(id, place);
    for (const [id, place] of newer) this.#places.set(id, place);
  }
}
