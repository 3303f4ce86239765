import type { QueueEntry } from "./entry.ts";

/** A command that waits to be processed. `Told` is what may be known of it beforehand. */
export interface Waiting<Told> {
  readonly entry: QueueEntry;
  readonly told: Told | undefined;
  /** A newer one for the same node makes it pointless; it keeps its place, and is then passed over. */
  isObsolete: boolean;
}

export interface Limits {
  readonly commands: number;
  /** Bytes of payload once unpacked, as far as that can be told, of commands of which nothing is known beforehand. */
  readonly bytes: number;
}

/** How much larger a gzipped payload is taken to be than it lies there, where that is not known. */
const UNPACKED = 8;

/**
 * The commands that wait, first come, first served. Of the facts and of the catalogs that wait for one node only the
 * newest is worth storing (`reference/commands.md §2.3`), by the producer timestamp of the request.
 */
export class WaitingLine<Told> {
  #line: Waiting<Told>[] = [];
  /** Elements before this one have left the line. */
  #head = 0;
  #bytes = 0;
  readonly #newest = new Map<string, Waiting<Told>>();

  /** Commands that wait, obsolete ones included. */
  get length(): number {
    return this.#line.length - this.#head;
  }

  /** Bytes that will be read of the first one. */
  get nextWeight(): number {
    const next = this.#line[this.#head];
    return next === undefined ? 0 : weightOf(next);
  }

  /** Whether what waits fills half of the limits, or more. */
  isWorth({ commands, bytes }: Limits): boolean {
    return this.length * 2 >= commands || this.#bytes * 2 >= bytes;
  }

  /**
   * Puts a command at the end.
   * @param told what is known of it: its payload need not be read
   * @returns the one that it makes obsolete, which may be itself
   */
  add(entry: QueueEntry, told?: Told): Waiting<Told> | undefined {
    const waiting = { entry, told, isObsolete: false };
    this.#line.push(waiting);
    this.#bytes += weightOf(waiting);
    return this.#supersede(waiting);
  }

  /** Takes all of them away. */
  clear(): void {
    this.#line = [];
    this.#head = 0;
    this.#bytes = 0;
    this.#newest.clear();
  }

  /**
   * Takes from the front what fits the limits, one command at least.
   * @param isAlone whether a command shares a batch with no other
   */
  take(limits: Limits, isAlone: (entry: QueueEntry) => boolean = () => false): Waiting<Told>[] {
    let bytes = 0;
    let end = this.#head;
    for (; end < this.#line.length && end - this.#head < limits.commands; end++) {
      const waiting = this.#line[end];
      const size = waiting === undefined ? 0 : weightOf(waiting);
      const isByItself = waiting !== undefined && isAlone(waiting.entry);
      if (end > this.#head && (isByItself || bytes + size > limits.bytes)) break;
      bytes += size;
      if (isByItself) limits = { ...limits, commands: 1 };
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

  #supersede(waiting: Waiting<Told>): Waiting<Told> | undefined {
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

/** Bytes that will be read. */
export function weightOf({ entry: { size, encoding, unpackedSize }, told }: Waiting<unknown>): number {
  return told === undefined ? (unpackedSize ?? size * (encoding === "gzip" ? UNPACKED : 1)) : 0;
}

function keyOf({ command, certname, producerTimestamp }: QueueEntry): string | undefined {
  if (producerTimestamp === undefined) return undefined;
  return command === "replace facts" || command === "replace catalog" ? `${command}\0${certname}` : undefined;
}

function isNewer(a: Waiting<unknown>, b: Waiting<unknown>): boolean {
  return (a.entry.producerTimestamp ?? 0n) > (b.entry.producerTimestamp ?? 0n);
}
