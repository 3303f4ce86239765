import type { Pool, PoolListener } from "./pool.ts";
import type { Reader } from "./reader.ts";

/** Connections beyond this many idle ones are closed rather than kept. */
const IDLE_CONNECTIONS = 8;

/** A connection that is used: since when, and of which opening of the file. */
interface Use {
  readonly since: number;
  readonly opening: number;
}

/** Connections for reading: those that are used, and a few that are kept for the next. */
export class ReaderPool {
  /** Told how connections are used. */
  listener: PoolListener | undefined;
  readonly #idle: Reader[] = [];
  readonly #leaving = new Set<Promise<void>>();
  readonly #busy = new Map<Reader, Use>();
  /** Counts how often the file was opened: connections of an earlier time are of no use. */
  #opening = 0;

  /** @param open makes a connection where none is idle */
  async take(open: () => Promise<Reader>): Promise<Reader> {
    const asked = performance.now();
    const idle = this.#idle.pop();
    const opening = this.#opening;
    const reader = idle ?? (await open());
    const since = performance.now();
    if (idle === undefined) this.listener?.created("read", since - asked);
    this.listener?.waited("read", since - asked);
    this.#busy.set(reader, { since, opening });
    return reader;
  }

  /** @param isReusable not of one whose query was cut short: its interrupt may still be on the way */
  giveBack(reader: Reader, isReusable: boolean): void {
    const use = this.#busy.get(reader);
    this.listener?.used("read", performance.now() - (use?.since ?? performance.now()));
    this.#busy.delete(reader);
    const isCurrent = use?.opening === this.#opening;
    if (isReusable && isCurrent && this.#idle.length < IDLE_CONNECTIONS) this.#idle.push(reader);
    else if (isReusable) reader.close();
    else this.#abandon(reader);
  }

  /** Resolves when connections whose queries were cut short are closed. */
  async settled(): Promise<void> {
    await Promise.all(this.#leaving);
  }

  #abandon(reader: Reader): void {
    const leaving = reader.abandon().finally(() => this.#leaving.delete(leaving));
    this.#leaving.add(leaving);
  }

  /** Closes what is idle; what is used is closed when it is given back. */
  end(): void {
    this.#opening++;
    for (const reader of this.#idle.splice(0)) reader.close();
  }

  interrupt(): void {
    for (const reader of this.#busy.keys()) reader.interrupt();
  }

  /** Connections that are used. */
  get busy(): number {
    return this.#busy.size;
  }

  get pool(): Pool {
    const [active, idle] = [this.#busy.size, this.#idle.length];
    return { active, idle, pending: 0, total: active + idle, max: IDLE_CONNECTIONS, min: 0 };
  }
}
