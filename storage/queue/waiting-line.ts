import type { Timestamp } from "../time.ts";
import type { Arrival } from "../ingest/ingester.ts";
import type { QueueEntry } from "./entry.ts";

/** A command that waits to be processed, with what is known of it since its arrival. */
export interface Waiting extends Arrival {
  readonly entry: QueueEntry;
  /**
   * A newer command for the same node, or an earlier one of the same time, has replaced it; it keeps its place in line. What is
   * older is stored nevertheless where changes are recorded.
   */
  obsolete: "older" | "same time" | undefined;
}

export interface Limits {
  readonly commands: number;
  /** Bytes of payload once unpacked, as far as they are known, of commands that were not prepared on arrival. */
  readonly bytes: number;
}

/**
 * The commands that wait, in order of arrival. Of the fact sets and of the catalogs that wait for one node only the newest is
 * not obsolete (`reference/commands.md §2.3`), by the producer timestamp of the request.
 */
export class WaitingLine {
  #line: Waiting[] = [];
  /** Elements before this one have left the line. */
  #head = 0;
  #bytes = 0;
  readonly #newest = new Map<string, Waiting>();
  readonly #supersedes: boolean;

  /**
   * @param supersedes whether newer commands replace those that wait. Where several stores follow one log they do not: which
   *   commands wait together differs between stores
   */
  constructor(supersedes = true) {
    this.#supersedes = supersedes;
  }

  /** Commands that wait, obsolete ones included. */
  get length(): number {
    return this.#line.length - this.#head;
  }

  /** Bytes that will be read for the first command. */
  get nextWeight(): number {
    const next = this.#line[this.#head];
    return next === undefined ? 0 : weightOf(next);
  }

  /** Whether the waiting commands fill at least half of the limits. */
  isWorth({ commands, bytes }: Limits): boolean {
    return this.length * 2 >= commands || this.#bytes * 2 >= bytes;
  }

  /**
   * Puts a command at the end.
   * @returns the command that is obsolete now, which may be this one
   */
  add(entry: QueueEntry, arrival: Arrival = {}): Waiting | undefined {
    const waiting: Waiting = { ...arrival, entry, obsolete: undefined };
    this.#line.push(waiting);
    this.#bytes += weightOf(waiting);
    return this.#supersede(waiting);
  }

  /** Removes all commands. */
  clear(): void {
    this.#line = [];
    this.#head = 0;
    this.#bytes = 0;
    this.#newest.clear();
  }

  /**
   * Removes commands from the front up to the limits, at least one.
   * @param isAlone whether a command must be alone in its batch
   */
  take(limits: Limits, isAlone: (entry: QueueEntry) => boolean = () => false): Waiting[] {
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

  #supersede(waiting: Waiting): Waiting | undefined {
    const key = this.#supersedes ? keyOf(waiting.entry) : undefined;
    if (key === undefined) return undefined;
    const earlier = this.#newest.get(key);
    const obsolete = earlier === undefined ? undefined : isNewer(waiting, earlier) ? earlier : waiting;
    if (obsolete !== undefined) {
      obsolete.obsolete = earlier !== undefined && timeOf(earlier) === timeOf(waiting) ? "same time" : "older";
    }
    if (obsolete !== waiting) this.#newest.set(key, waiting);
    return obsolete;
  }

  /** Frees the commands that have left the line, once they are most of it. */
  #tidy(): void {
    if (this.#head < 1024 || this.#head * 2 < this.#line.length) return;
    this.#line = this.#line.slice(this.#head);
    this.#head = 0;
  }
}

/** Bytes that will be read for a command. */
export function weightOf({ entry: { size, encoding, unpackedSize }, result }: Waiting): number {
  // Payloads of which only unpacking would show the size are about eight times as large.
  return result === undefined ? (unpackedSize ?? size * (encoding === "gzip" ? 8 : 1)) : 0;
}

function keyOf({ command, certname, producerTimestamp }: QueueEntry): string | undefined {
  if (producerTimestamp === undefined) return undefined;
  return command === "replace facts" || command === "replace catalog" ? `${command}\0${certname}` : undefined;
}

function isNewer(a: Waiting, b: Waiting): boolean {
  return timeOf(a) > timeOf(b);
}

function timeOf({ entry }: Waiting): Timestamp {
  return entry.producerTimestamp ?? 0n;
}
