import { setTimeout as pause } from "node:timers/promises";
import type { Turn } from "../../lifecycle/maintenance.ts";
import { CensusError, messageOf } from "../../errors.ts";
import { MAX_WAITING_BYTES, type NewRow, type RowAppender } from "../shared/joint-log.ts";
import type { Outage } from "../shared/outage.ts";
import type { Address } from "./address.ts";
import { Connection } from "./connection.ts";
import type { Outbox } from "./outbox.ts";
import { publish } from "./publish.ts";
import { Restorer } from "./restorer.ts";
import { StateStream, tokenOf } from "./state-stream.ts";

/** Milliseconds between attempts to publish an entry. */
const RETRY = 250;

/** Milliseconds between attempts to reach the log while it is out of reach, and between looks at whether it has lost entries. */
const PROBE = 1000;
const LOOK = 3000;

export interface AppenderOptions {
  /** Undefined: entries are not kept here. */
  readonly outbox: Outbox | undefined;
  /** Returns the sequence of the last entry that was seen in the log. */
  readonly seen: () => number;
  /** Milliseconds for which the log may be out of reach before commands are refused. */
  readonly maxOutage: number;
  readonly outage: Outage;
  readonly onNotice: (text: string) => void;
}

/** Publishes entries, each once it is in the outbox. */
export class Appender implements RowAppender {
  readonly outage: Outage;
  readonly #address: Address;
  readonly #options: AppenderOptions;
  readonly #restorer: Restorer | undefined;
  #connection: Connection | undefined;
  /** The attempt to connect, during which nothing is published: first what was lost is added again, here and by others. */
  #connecting: Promise<Connection> | undefined;
  #waitingBytes = 0;
  readonly #publishing = new Set<Promise<unknown>>();
  readonly #watching: Promise<void>;
  readonly #closing = new AbortController();

  constructor(address: Address, options: AppenderOptions) {
    this.#address = address;
    this.#options = options;
    this.outage = options.outage;
    this.#restorer = options.outbox && new Restorer(address, options.outbox, this.#closing.signal);
    this.#watching = this.#watch();
  }

  async append(row: NewRow): Promise<number> {
    const isFull = this.outage.problem !== undefined && this.#waitingBytes > MAX_WAITING_BYTES;
    if (isFull || this.outage.ms > this.#options.maxOutage) throw this.outage.refusal();
    this.#waitingBytes += row.record.length;
    try {
      await this.#options.outbox?.put([row], this.#options.seen());
      return await this.#tracked(this.#publish(row, true));
    } finally {
      this.#waitingBytes -= row.record.length;
    }
  }

  /** Once all are in the outbox they will be in the log, even if this process ends now. */
  async appendAll(rows: AsyncIterable<NewRow>): Promise<readonly number[]> {
    const { outbox } = this.#options;
    await this.#connected().catch((error: unknown) => {
      throw new CensusError("unavailable", `no command was accepted: ${messageOf(error)}`, { cause: error });
    });
    const ids: number[] = [];
    if (outbox === undefined) {
      const all: NewRow[] = [];
      for await (const row of rows) all.push(row);
      for (const row of all) ids.push(await this.#tracked(this.#publish(row, false)));
      return ids;
    }
    for (const { mark, kind } of await outbox.putAll(rows, this.#options.seen())) {
      const row = { mark, kind, record: await outbox.read(mark) };
      ids.push(await this.#tracked(this.#publish(row, false)));
    }
    return ids;
  }

  async appendTurn(row: NewRow, { job, number }: Turn): Promise<boolean> {
    const subject = `turn.${tokenOf(job)}`;
    const { outbox } = this.#options;
    try {
      const connection = await this.#connected();
      const state = new StateStream(connection, this.#address);
      const known = await state.get<number>(subject);
      if (known !== undefined && known.value >= number) return false;
      await outbox?.put([row], this.#options.seen());
      // Of processes that add the same run at the same time, JetStream lets one do so.
      const { sequences, isKnown } = await publish(connection, this.#address, row, `turn.${tokenOf(job)}.${number}`);
      if (isKnown) outbox?.drop(row.mark);
      else outbox?.acknowledged(row.mark, sequences);
      await state.put(subject, number, known?.sequence ?? 0);
      return !isKnown;
    } catch (error) {
      outbox?.drop(row.mark);
      throw new CensusError("unavailable", `the command log: ${messageOf(error)}`, { cause: error });
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#publishing);
    await this.#watching;
    await this.#connection?.close();
    await this.#options.outbox?.close();
  }

  async #tracked<T>(work: Promise<T>): Promise<T> {
    this.#publishing.add(work);
    try {
      return await work;
    } finally {
      this.#publishing.delete(work);
    }
  }

  /**
   * Publishes an entry, again and again where that fails: JetStream recognises by its mark one that it has.
   * @param mayRefuse whether it is refused if the log is out of reach for too long
   * @returns its id
   */
  async #publish(row: NewRow, mayRefuse: boolean): Promise<number> {
    const { outbox, maxOutage } = this.#options;
    for (;;) {
      try {
        const connection = await this.#connected();
        const { sequences } = await publish(connection, this.#address, row, row.mark);
        this.outage.ended();
        outbox?.acknowledged(row.mark, sequences);
        return sequences.at(-1) ?? 0;
      } catch (error) {
        this.outage.began(error);
        const isRefused = mayRefuse && this.outage.ms > maxOutage;
        if (isRefused) outbox?.drop(row.mark);
        // What is in the outbox is published by the next process.
        if (isRefused || this.#closing.signal.aborted) throw this.outage.refusal();
        await pause(RETRY, undefined, { signal: this.#closing.signal }).catch(() => undefined);
      }
    }
  }

  async #connected(): Promise<Connection> {
    if (this.#connection?.hasEnded === false) return this.#connection;
    this.#connecting ??= this.#connect().finally(() => (this.#connecting = undefined));
    return this.#connecting;
  }

  async #connect(): Promise<Connection> {
    const connection = await Connection.open(this.#address);
    try {
      await this.#restore(connection);
      await this.#restorer?.await(connection, this.#options.seen());
    } catch (error) {
      connection.destroy();
      throw error;
    }
    this.#connection = connection;
    return connection;
  }

  async #restore(connection: Connection): Promise<void> {
    const { restored, moved } = (await this.#restorer?.restore(connection)) ?? { restored: 0, moved: 0 };
    const { onNotice } = this.#options;
    if (restored > 0) onNotice(`JetStream had lost ${restored} entries of this server; they are at their places again`);
    if (moved === 0) return;
    onNotice(
      `JetStream had lost ${moved} entries of this server, whose places others have now; they were added again, ` +
        "and servers that had stored them before stop (docs/high-availability.md)",
    );
  }

  /** Connects, adds what was lost or left, and finds out whether an outage has ended. */
  async #watch(): Promise<void> {
    const { outbox } = this.#options;
    const { signal } = this.#closing;
    let hasFinished = false;
    while (!signal.aborted) {
      try {
        const connection = await this.#connected();
        this.outage.ended();
        if (!hasFinished) await this.#restorer?.finish(connection);
        hasFinished = true;
        const lost = (await this.#restorer?.lost(connection)) ?? [];
        // Nothing is published until the next connection has added it.
        if (lost.length > 0) {
          this.#connection = undefined;
          await connection.close();
          continue;
        }
        await outbox?.tidy();
      } catch (error) {
        if (!signal.aborted) this.outage.began(error);
      }
      const ms = this.outage.problem === undefined ? LOOK : PROBE;
      await pause(ms, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}
