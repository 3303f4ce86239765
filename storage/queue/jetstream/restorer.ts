import { setTimeout as pause } from "node:timers/promises";
import type { Address } from "./address.ts";
import { codeOf, codes, type Connection } from "./connection.ts";
import { markOf, messageAt, namesOf } from "./messages.ts";
import type { Outbox, OutboxRow } from "./outbox.ts";
import { Messages, publish } from "./publish.ts";
import { JetStreamSource } from "./source.ts";
import { forgottenOf, infoOf, missing } from "./streams.ts";

/** Milliseconds for which servers whose entries come before are awaited, while none of these is added. */
const TURN = 15_000;

/** Milliseconds between looks at whether it is an entry's turn. */
const LOOK = 20;

/** An entry that the log has acknowledged. */
interface Acknowledged extends OutboxRow {
  readonly sequences: readonly number[];
}

/** Entries that were added again. */
export interface Restored {
  /** At the places that they had. */
  readonly restored: number;
  /** At the end, since others have their places: servers that had stored them stop. */
  readonly moved: number;
}

/** Adds again what a log has lost, and what an earlier process has not added. */
export class Restorer {
  readonly #address: Address;
  readonly #outbox: Outbox;
  readonly #signal: AbortSignal;
  /** Distinguishes what is added again from the same that JetStream remembers, and has lost. */
  #round = Date.now();
  /** Called when an entry was added. */
  #onNews: (() => void) | undefined;
  /** Entries up to this one were awaited in vain. */
  #givenUp = 0;

  /** @param signal ends what is being done */
  constructor(address: Address, outbox: Outbox, signal: AbortSignal) {
    this.#address = address;
    this.#outbox = outbox;
    this.#signal = signal;
  }

  /**
   * The entries of the outbox that were acknowledged and that the log does not have, in their order. A log loses what it has got
   * last.
   */
  async lost(connection: Connection): Promise<readonly OutboxRow[]> {
    return this.#lost(connection);
  }

  /**
   * Adds what the log has lost again: at the same places, by turns with the other servers whose entries are lost too, so that the
   * log becomes what it was. Entries whose places others have, or that wait for entries that nobody adds, are added at the end.
   */
  async restore(connection: Connection): Promise<Restored> {
    connection.listen(namesOf(this.#address).added, () => this.#onNews?.());
    const lost = await this.#lost(connection);
    const moved: OutboxRow[] = [];
    for (const row of lost) {
      if (moved.length > 0 || !(await this.#putBack(connection, row))) moved.push(row);
    }
    for (const row of moved) await this.#append(connection, row);
    if (lost.length > 0) this.#round++;
    return { restored: lost.length - moved.length, moved: moved.length };
  }

  /**
   * Waits until the log has all entries again that were seen in it: other servers add theirs.
   * @param seen the sequence of the last one
   */
  async await(connection: Connection, seen: number): Promise<void> {
    if (seen <= this.#givenUp) return;
    const isThere = await this.#turn(connection, (end) => end >= seen);
    // Nobody has a copy.
    if (!isThere) this.#givenUp = seen;
  }

  /** Looks for entries that an earlier process may have published, and adds those that the log does not have. */
  async finish(connection: Connection): Promise<void> {
    const wanted = new Map(this.#outbox.left.map((row) => [row.mark, row] as const));
    if (wanted.size === 0) return;
    const after = Math.min(...[...wanted.values()].map((row) => row.after));
    const end = await endOf(connection, this.#address);
    const source = new JetStreamSource(connection, this.#address);
    for (let read = after; read < end && wanted.size > 0 && !this.#signal.aborted;) {
      const { rows } = await source.page(read);
      if (rows.length === 0) break;
      for (const { id, mark } of rows) {
        if (wanted.delete(mark)) this.#outbox.acknowledged(mark, [id]);
        read = id;
      }
    }
    for (const row of wanted.values()) await this.#append(connection, row);
  }

  async #lost(connection: Connection): Promise<Acknowledged[]> {
    const info = await infoOf(connection, this.#address);
    if (info === undefined) throw missing();
    const newestFirst = this.#outbox.rows.filter(isAcknowledged).sort((a, b) => placeOf(b) - placeOf(a));
    const lost: Acknowledged[] = [];
    for (const row of newestFirst) {
      // It is not kept any more.
      if (placeOf(row) <= forgottenOf(info)) break;
      const found = await messageAt(connection, this.#address, placeOf(row), true);
      if (found !== undefined && markOf(found) === row.mark) break;
      lost.push(row);
    }
    return lost.reverse();
  }

  /** @returns whether all messages of an entry are at their places again */
  async #putBack(connection: Connection, { mark, kind, sequences }: Acknowledged): Promise<boolean> {
    const row = { mark, kind, record: await this.#outbox.read(mark) };
    const messages = new Messages(connection, this.#address, row, this.#idOf(mark));
    if (messages.count !== sequences.length) return false;
    for (const [index, sequence] of sequences.entries()) {
      const before = sequences.slice(0, index);
      if (!(await this.#putMessage(connection, messages, { before, sequence, mark }))) return false;
    }
    return true;
  }

  /** @returns whether a message is at its place again */
  async #putMessage(
    connection: Connection,
    messages: Messages,
    place: { readonly before: readonly number[]; readonly sequence: number; readonly mark: string },
  ): Promise<boolean> {
    const { before, sequence, mark } = place;
    for (;;) {
      try {
        const { sequence: added } = await messages.publish(before, sequence - 1);
        return added === sequence;
      } catch (error) {
        if (codeOf(error) !== codes.wrongLastSequence) throw error;
      }
      if ((await endOf(connection, this.#address)) >= sequence) {
        const found = await messageAt(connection, this.#address, sequence, true);
        return found !== undefined && markOf(found) === mark;
      }
      if (!(await this.#turn(connection, (end) => end >= sequence - 1))) return false;
    }
  }

  /**
   * Waits while other servers add their entries.
   * @param isDue of the last sequence of the log
   * @returns false if nothing is added for too long
   */
  async #turn(connection: Connection, isDue: (end: number) => boolean): Promise<boolean> {
    for (let [seen, since] = [-1, performance.now()]; ;) {
      const end = await endOf(connection, this.#address);
      if (isDue(end)) return true;
      if (end !== seen) [seen, since] = [end, performance.now()];
      if (performance.now() - since > TURN) return false;
      await this.#news();
    }
  }

  /** Resolves when an entry was added, or after a while. */
  async #news(): Promise<void> {
    const news = Promise.withResolvers<void>();
    this.#onNews = news.resolve;
    await Promise.race([news.promise, pause(LOOK, undefined, { signal: this.#signal })]);
  }

  async #append(connection: Connection, { mark, kind }: OutboxRow): Promise<void> {
    const row = { mark, kind, record: await this.#outbox.read(mark) };
    const { sequences } = await publish(connection, this.#address, row, this.#idOf(mark));
    this.#outbox.acknowledged(mark, sequences);
  }

  #idOf(mark: string): string {
    return `${mark}.${this.#round}`;
  }
}

function isAcknowledged(row: OutboxRow): row is Acknowledged {
  return row.sequences !== undefined;
}

function placeOf({ sequences }: Acknowledged): number {
  return sequences.at(-1) ?? 0;
}

async function endOf(connection: Connection, address: Address): Promise<number> {
  const info = await infoOf(connection, address);
  if (info === undefined) throw missing();
  return info.state.last_seq;
}
