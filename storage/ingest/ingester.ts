import type { Database, Transaction } from "../engine/database.ts";
import type { Retention } from "../lifecycle/retention.ts";
import { type Clock, endOfTime } from "../time.ts";
import { type Attempt, problemOf } from "./attempt.ts";
import type { Outcome } from "./outcome.ts";
import type { Prepared, Submission } from "./prepare.ts";
import { Preparer } from "./preparer.ts";
import { type Memory, Writer } from "./writer.ts";

export type { Submission } from "./prepare.ts";

/** A transaction takes in at most this many commands, or this much payload (in characters), whichever comes first. */
const BATCH_COMMANDS = 256;
const BATCH_CHARACTERS = 2 * 1024 * 1024;

interface Waiting {
  readonly submission: Submission;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Takes commands in, in the order they come, many per transaction: whatever waits while one transaction runs is in the
 * next.
 */
export class Ingester {
  readonly #database: Database;
  readonly #writer = new Writer();
  readonly #preparer = new Preparer();
  readonly #clock: Clock;
  readonly #retention: Retention;
  #waiting: Waiting[] = [];
  #draining: Promise<void> | undefined;

  constructor(database: Database, options: { clock: Clock; retention: Retention }) {
    this.#database = database;
    this.#clock = options.clock;
    this.#retention = options.retention;
  }

  /** Resolves when the command is stored; rejects when it can never be. */
  async submit(submission: Submission): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ submission, resolve, reject });
      this.#draining ??= this.#drain();
    });
  }

  /** All or none, in one transaction; a fault that `onFault` takes leaves out its command alone. */
  async importAll(
    submissions: AsyncIterable<Submission>,
    onFault?: (submission: Submission, error: Error) => void,
  ): Promise<number> {
    let count = 0;
    try {
      await this.#database.transaction(async (tx) => {
        for await (const { batch, attempts } of this.#preparedAhead(submissions)) {
          const prepared = batch.flatMap((submission, index): Prepared[] => {
            const attempt = attempts[index];
            if (attempt === undefined) return [];
            if ("prepared" in attempt) return [attempt.prepared];
            const error = problemOf(attempt);
            if (onFault === undefined) throw error;
            onFault(submission, error);
            return [];
          });
          await this.#writer.write(tx, prepared, this.#writeOptions());
          count += prepared.length;
        }
      });
    } catch (error) {
      this.#writer.forget();
      throw error;
    }
    return count;
  }

  /**
   * Runs `work` in a transaction between batches: for what changes the tables otherwise than by commands. `memory` is
   * what the writer remembers of them, to be changed alike or forgotten.
   */
  async exclusively<T>(work: (tx: Transaction, memory: Memory) => Promise<T>): Promise<T> {
    try {
      return await this.#database.transaction(async (tx) => {
        await this.#writer.nodes.load(tx);
        return work(tx, this.#writer);
      });
    } catch (error) {
      this.#writer.forget();
      throw error;
    }
  }

  /** Batches in order, each prepared while the one before it is written. */
  async *#preparedAhead(
    submissions: AsyncIterable<Submission>,
  ): AsyncGenerator<{ batch: Submission[]; attempts: Attempt[] }> {
    let ahead: { batch: Submission[]; attempts: Promise<Attempt[]> } | undefined;
    for await (const batch of batches(submissions)) {
      const attempts = this.#preparer.prepare(batch);
      // A failure is met where the batch is awaited; until then it must not count as unhandled.
      attempts.catch(() => undefined);
      if (ahead !== undefined) yield { batch: ahead.batch, attempts: await ahead.attempts };
      ahead = { batch, attempts };
    }
    if (ahead !== undefined) yield { batch: ahead.batch, attempts: await ahead.attempts };
  }

  /** Waits for what has been submitted. */
  async close(): Promise<void> {
    await this.#draining;
    await this.#preparer.close();
  }

  async #drain(): Promise<void> {
    // Lets every request of this turn of the event loop join the first batch.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) await this.#takeBatch(this.#nextBatch());
    // In the same breath as the last look: a command that comes a moment later has to start the next round.
    this.#draining = undefined;
  }

  #nextBatch(): Waiting[] {
    let characters = 0;
    let size = 0;
    for (const { submission } of this.#waiting) {
      if (size === BATCH_COMMANDS || (size > 0 && characters + submission.payload.length > BATCH_CHARACTERS)) break;
      characters += submission.payload.length;
      size++;
    }
    return this.#waiting.splice(0, size);
  }

  async #takeBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      await this.#storeBatch(batch);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  async #storeBatch(batch: readonly Waiting[]): Promise<void> {
    const attempts = await this.#preparer.prepare(batch.map(({ submission }) => submission));
    const good = batch.flatMap((waiting, index) => {
      const attempt = attempts[index];
      if (attempt !== undefined && "prepared" in attempt) return [{ waiting, prepared: attempt.prepared }];
      waiting.reject(attempt === undefined ? new Error("the command was not prepared") : problemOf(attempt));
      return [];
    });
    if (good.length === 0) return;
    try {
      const commands = good.map(({ prepared }) => prepared);
      const outcomes = await this.#database.transaction((tx) => this.#writer.write(tx, commands, this.#writeOptions()));
      for (const [index, { waiting }] of good.entries()) waiting.resolve(outcomes[index] ?? "stored");
    } catch (error) {
      this.#writer.forget();
      for (const { waiting } of good) waiting.reject(error);
    }
  }

  #writeOptions(): { eventHorizon: bigint | null } {
    const { resourceEventsTtl } = this.#retention;
    if (resourceEventsTtl === null) return { eventHorizon: null };
    // Nothing is kept for no time at all, events of the future included.
    return { eventHorizon: resourceEventsTtl === 0n ? endOfTime : this.#clock.now() - resourceEventsTtl };
  }
}

async function* batches(submissions: AsyncIterable<Submission>): AsyncGenerator<Submission[]> {
  let batch: Submission[] = [];
  let characters = 0;
  for await (const submission of submissions) {
    batch.push(submission);
    characters += submission.payload.length;
    if (batch.length >= BATCH_COMMANDS || characters >= BATCH_CHARACTERS) {
      yield batch;
      batch = [];
      characters = 0;
    }
  }
  if (batch.length > 0) yield batch;
}
