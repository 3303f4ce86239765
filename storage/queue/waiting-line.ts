import type { QueueEntry } from "./entry.ts";

/** A command that waits to be processed. */
export interface Waiting {
  readonly entry: QueueEntry;
  /** A newer one for the same node makes it pointless; it keeps its place, and is then passed over. */
  isObsolete: boolean;
}

export interface Limits {
  readonly commands: number;
  /** Bytes of payload once unpacked, as far as that can be told. */
  readonly bytes: number;
}

/** How much larger a gzipped payload is taken to be than it lies there. */
const UNPACKED = 8;

/**
 * The commands that wait, first come, first served. Of the facts and of the catalogs that wait for one node only the
 * newest is worth storing (`reference/commands.md §2.3`), by the producer timestamp of the request.
 */
export class WaitingLine {
  #line: Waiting[] = [];
  /** Elements before this one have left the line. */
  #head = 0;
  #bytes = 0;
  readonly #newest = new Map<string, Waiting>();

  /** Commands that wait, obsolete ones included. */
  get length(): number {
    return this.#line.length - this.#head;
  }

  /** Whether what waits fills half of the limits, or more. */
  isWorth({ commands, bytes }: Limits): boolean {
    return this.length * 2 >= commands || this.#bytes * 2 >= bytes;
  }

  /**
   * Puts a command at the end.
   * @returns the one that it makes obsolete, which may be itself
   */
  add(entry: QueueEntry): Waiting | undefined {
    const waiting = { entry, isObsolete: false };
    this.#line.push(waiting);
    this.#bytes += unpackedSize(entry);
    return this.#supersede(waiting);
  }

  /** Takes from the front what fits the limits, one command at least. */
  take(limits: Limits): Waiting[] {
    let bytes = 0;
    let end = this.#head;
    for (; end < this.#line.length && end - this.#head < limits.commands; end++) {
      const entry = this.#line[end]?.entry;
      const size = entry === undefined ? 0 : unpackedSize(entry);
      if (end > this.#head && bytes + size > limits.bytes) break;
      bytes += size;
    }
    this.#bytes -= bytes;
    const taken = this.#line.slice(this.#head, end);
    this.#head = end;
    this.#tidy();
    for (const waiting of taken) {
      const key = keyOf(waiting.entry);
      if (key !== undefined && this.#newest.get(key) === waiting) this.#newest.delete(key);
    }
    return taken;
  }

  #supersede(waiting: Waiting): Waiting | undefined {
    const key = keyOf(waiting.entry);
    if (key === undefined) return undefined;
    const earlier = this.#newest.get(key);
    const obsolete = earlier === undefined ? undefined : isNewer(waiting, earlier) ? earlier : waiting;
    if (obsolete !== undefined) obsolete.isObsolete = true;
    if (obsolete !== waiting) this.#newest.set(key, waiting);
    return obsolete;
  }

  /** Lets go of what has left the line once that is most of it. */
  #tidy(): void {
    if (this.#head < 1024 || this.#head * 2 < this.#line.length) return;
    this.#line = this.#line.slice(this.#head);
    this.#head = 0;
  }
}

function unpackedSize({ size, encoding }: QueueEntry): number {
  return size * (encoding === "gzip" ? UNPACKED : 1);
}

function keyOf({ command, certname, producerTimestamp }: QueueEntry): string | undefined {
  if (producerTimestamp === undefined) return undefined;
  return command === "replace facts" || command === "replace catalog" ? `${command}\0${certname}` : undefined;
}

function isNewer(a: Waiting, b: Waiting): boolean {
  return (a.entry.producerTimestamp ?? 0n) > (b.entry.producerTimestamp ?? 0n);
}
