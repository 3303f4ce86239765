import type { QueueEntry } from "./entry.ts";
import type { Segment } from "./segments.ts";

/** Where a command's payload is. */
export interface Place {
  readonly segment: Segment;
  /** Bytes from the start of the file. */
  readonly at: number;
  /** The payload itself, if it is in memory as well. */
  readonly recent: Uint8Array | undefined;
}

/** Where the commands are that are yet to be stored, by id, oldest first; and payloads in memory, up to a limit. */
export class Places {
  readonly #places = new Map<number, Place>();
  /** Most bytes of payloads in memory. */
  readonly #most: number;
  /** Bytes of payloads in memory. */
  #recent = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get isEmpty(): boolean {
    return this.#places.size === 0;
  }

  get(id: number): Place | undefined {
    return this.#places.get(id);
  }

  /** @param payload kept in memory if there is space */
  add({ id, size }: Pick<QueueEntry, "id" | "size">, segment: Segment, at: number, payload?: Uint8Array): void {
    const recent = this.#recent + size <= this.#most ? payload : undefined;
    this.#recent += recent?.length ?? 0;
    this.#places.set(id, { segment, at, recent });
  }

  /** Forgets commands up to `through`. */
  release(through: number): void {
    for (const [id, { recent }] of this.#places) {
      if (id > through) break;
      this.#places.delete(id);
      this.#recent -= recent?.length ?? 0;
    }
  }

  /** Replaces all up to `through`; newer ones stay behind them. @param found oldest first */
  replace(found: Iterable<readonly [id: number, place: Place]>, through: number): void {
    const newer = [...this.#places].filter(([id]) => id > through);
    this.#places.clear();
    for (const [id, place] of found) this.#places.set(id, place);
    for (const [id, place] of newer) this.#places.set(id, place);
  }
}
