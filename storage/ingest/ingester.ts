import type { Database } from "../engine/database.ts";
import type { Transaction } from "../engine/transaction.ts";
import { quotedText } from "../engine/quoted-text.ts";
import type { Retention } from "../lifecycle/retention.ts";
import { memoryBudget } from "../memory/budget.ts";
import { isMemoryTight, memoryToBeFree } from "../memory/guard.ts";
import { CensusError } from "../errors.ts";
import { type Clock, endOfTime } from "../time.ts";
import { Activity, type Inactive } from "../nodes/inactive-nodes.ts";
import { type Attempt, attemptKnown, problemOf } from "./prepare-result.ts";
import type { Outcome } from "./outcome.ts";
import type { Prepared } from "./prepared.ts";
import { isHeavy } from "./heavy.ts";
import { Preparer, type PreparerOptions, unpackedBytes } from "./threads/pool.ts";
import { payloadBytes, type Submission } from "./submission.ts";
import type { WriteOptions } from "./write/reports.ts";
import { type Memory, Writer } from "./write/writer.ts";

/** Payloads of more bytes are not looked at when they come: a digest of so many takes a sixth of a millisecond. */
const WORTH_A_LOOK = 256 * 1024;

export interface IngesterOptions extends PreparerOptions {
  readonly clock: Clock;
  readonly retention: Retention;
  /** See {@link WriteOptions}. */
  readonly storesCorrectiveChange?: boolean | undefined;
  /** The queue whose progress is noted with what is stored; absent: none outlives the process. */
  readonly queue?: string | undefined;
}

/** What the engine has is less than what had been committed: commands have to be taken from the queue again. */
export class Rewound extends CensusError {
  constructor() {
    super("unavailable", "commands that were stored before a fault of the disk are being stored again");
    this.name = "Rewound";
  }
}

/** Turns commands into rows: prepared on other threads, written in transactions that run one after another. */
export class Ingester {
  readonly #database: Database;
  readonly #writer = new Writer();
  readonly #preparer: Preparer;
  readonly #activity: Activity;
  readonly #options: IngesterOptions;
  /** The last command of the queue that is known to be dealt with … */
  #committed = 0;
  /** … with what is in the transaction that is being made. */
  #noted = 0;
  /** The engine has lost what came after {@link committed}. */
  #isRewound = false;
  /** Told when it has. */
  onRewound: (() => void) | undefined;
  #transactions = 0;

  constructor(database: Database, options: IngesterOptions) {
    this.#database = database;
    this.#options = options;
    this.#preparer = new Preparer(options);
    this.#activity = new Activity(database, this.#writer.nodes);
  }

  /** Transactions that have been begun. As long as it stays the same, the tables do. */
  get transactions(): number {
    return this.#transactions;
  }

  /** The id of the node of that name, as far as nodes are in memory; one that is being stored for the first time has one, too. */
  nodeOf(certname: string): number | undefined {
    return this.#writer.nodes.get(certname)?.id;
  }

  /** The nodes that are inactive, as far as that is known. */
  get inactive(): Inactive | undefined {
    return this.#activity.inactive;
  }

  /** Finds out which nodes are inactive, where nothing is being written. */
  async learnInactive(): Promise<void> {
    await this.#activity.learn();
  }

  /**
   * Prepares a command here and now if its node has its content already, which takes less than a trip to another thread. Of
   * what is packed or large other threads find that out.
   * @returns undefined where that is not so, or cannot be told so quickly
   */
  attemptKnown(submission: Submission): Attempt | undefined {
    const { encoding, payload } = submission;
    if (encoding !== undefined || payload.length > WORTH_A_LOOK) return undefined;
    const known = this.#writer.contentFor(submission);
    return known === undefined ? undefined : attemptKnown(submission, known);
  }

  /**
   * Parses, checks and shapes commands: one attempt for each, in their order.
   * @param areSpent see {@link Preparer.prepare}
   */
  async prepare(submissions: readonly Submission[], areSpent = false): Promise<Attempt[]> {
    if (isMemoryTight()) await memoryToBeFree();
    return this.#preparer.prepare(submissions, (submission) => this.#writer.contentFor(submission), areSpent);
  }

  /**
   * Stores commands in one transaction, and with them that the queue has been dealt with up to `through`.
   * @param submission reads a command again by its place in `commands`: its content may have been left out for being what
   *   the node had, and be needed after all
   * @returns what became of each, in their order
   */
  async write(
    commands: readonly Prepared[],
    submission: (index: number) => Promise<Submission>,
    through?: number,
  ): Promise<Outcome[]> {
    return this.exclusively(async (tx) => {
      const whole = await this.#completed(commands, submission);
      const outcomes = await this.#writer.write(tx, whole, this.#writeOptions());
      if (through !== undefined) this.#note(tx, through);
      return outcomes;
    });
  }

  async #completed(
    commands: readonly Prepared[],
    submission: (index: number) => Promise<Submission>,
  ): Promise<readonly Prepared[]> {
    const lacking = this.#writer.lacking(commands);
    if (lacking.length === 0) return commands;
    const attempts = await this.#preparer.prepare(await Promise.all(lacking.map(submission)), () => undefined);
    const whole = [...commands];
    for (const [position, attempt] of attempts.entries()) {
      // It was sound when it was read the first time.
      if (!("prepared" in attempt)) throw problemOf(attempt);
      whole[lacking[position] ?? 0] = attempt.prepared;
    }
    return whole;
  }

  /** Up to here the queue has been dealt with, as far as is committed. */
  get committed(): number {
    return this.#committed;
  }

  /** Reads how far the queue has been dealt with, as far as that is committed. */
  async readProgress(): Promise<void> {
    const [row] = await this.#database.rows<{ queue: string; applied: bigint }>(
      "SELECT queue, applied FROM queue_progress",
    );
    this.#committed = this.#noted = row?.queue === this.#options.queue ? Number(row?.applied ?? 0) : 0;
  }

  /** The file was opened anew after a fault: looks what is left of what was committed, and forgets what it knew. */
  async reopened(): Promise<void> {
    const before = this.#committed;
    await this.readProgress();
    this.#writer.forget();
    if (this.#committed >= before) return;
    this.#isRewound = true;
    this.onRewound?.();
  }

  /** Whether the engine has lost what some commands did: nothing is written before they are in line again. */
  get isRewound(): boolean {
    return this.#isRewound;
  }

  /** Commands behind {@link committed} are in line again. */
  takeUp(): void {
    this.#isRewound = false;
  }

  /** Notes that the queue has been dealt with up to `through`, unless that is known. */
  async progress(through: number): Promise<void> {
    if (this.#options.queue === undefined || through <= this.#noted) return;
    await this.exclusively(async (tx) => this.#note(tx, through));
  }

  /** All or none, in one transaction; a fault that `onFault` takes leaves out its command alone. */
  async importAll(
    submissions: AsyncIterable<Submission>,
    onFault?: (submission: Submission, error: Error) => void,
  ): Promise<number> {
    let count = 0;
    await this.exclusively(async (tx) => {
      for await (const { batch, attempts } of this.#preparedAhead(submissions)) {
        const good = batch.flatMap((submission, index) => {
          const attempt = attempts[index];
          if (attempt === undefined) return [];
          if ("prepared" in attempt) return [{ submission, prepared: attempt.prepared }];
          const error = problemOf(attempt);
          if (onFault === undefined) throw error;
          onFault(submission, error);
          return [];
        });
        const prepared = good.map((one) => one.prepared);
        const again = async (index: number): Promise<Submission> => good[index]?.submission ?? gone();
        await this.#writer.write(tx, await this.#completed(prepared, again), this.#writeOptions());
        count += good.length;
      }
    });
    return count;
  }

  /**
   * Runs `work` in a transaction between batches: for what changes the tables otherwise than by commands, too. `memory`
   * is what the writer remembers of them, to be changed alike or forgotten.
   */
  async exclusively<T>(work: (tx: Transaction, memory: Memory) => Promise<T>): Promise<T> {
    this.#transactions++;
    const onCommit = (): void => {
      this.#committed = this.#noted;
    };
    const onRollback = (): void => {
      this.#writer.forget();
      this.#noted = this.#committed;
    };
    return this.#activity.during((done) =>
      this.#database.transaction(
        async (tx) => {
          if (this.#isRewound) throw new Rewound();
          await this.#writer.nodes.load(tx);
          const result = await work(tx, this.#writer);
          done();
          return result;
        },
        { onCommit, onRollback },
      ),
    );
  }

  /** Has the threads that prepare give memory back. */
  async shrink(): Promise<void> {
    await this.#preparer.shrink();
  }

  /** Ends them until commands come again. */
  async rest(): Promise<void> {
    await this.#preparer.rest();
  }

  /** Ends the threads that prepare. */
  async close(): Promise<void> {
    await this.#preparer.close();
  }

  #note(tx: Transaction, through: number): void {
    const { queue } = this.#options;
    if (queue === undefined || through <= this.#noted) return;
    tx.atEnd("DELETE FROM queue_progress");
    tx.atEnd(`INSERT INTO queue_progress VALUES (${quotedText(queue)}, ${through})`);
    this.#noted = through;
  }

  /** Batches in order, each prepared while the one before it is written. */
  async *#preparedAhead(
    submissions: AsyncIterable<Submission>,
  ): AsyncGenerator<{ batch: Submission[]; attempts: Attempt[] }> {
    let ahead: { batch: Submission[]; attempts: Promise<Attempt[]> } | undefined;
    for await (const batch of batches(submissions)) {
      const isAlone = isHeavy(unpackedBytes(batch)) || (ahead !== undefined && isHeavy(unpackedBytes(ahead.batch)));
      if (ahead !== undefined && isAlone) {
        yield { batch: ahead.batch, attempts: await ahead.attempts };
        ahead = undefined;
      }
      const attempts = this.prepare(batch);
      // A failure is met where the batch is awaited; until then it must not count as unhandled.
      attempts.catch(() => undefined);
      if (ahead !== undefined) yield { batch: ahead.batch, attempts: await ahead.attempts };
      ahead = { batch, attempts };
    }
    if (ahead !== undefined) yield { batch: ahead.batch, attempts: await ahead.attempts };
  }

  #writeOptions(): WriteOptions {
    return {
      eventHorizon: this.#eventHorizon(),
      storesCorrectiveChange: this.#options.storesCorrectiveChange ?? false,
    };
  }

  #eventHorizon(): bigint | null {
    const { resourceEventsTtl } = this.#options.retention;
    if (resourceEventsTtl === null) return null;
    // Nothing is kept for no time at all, events of the future included.
    return resourceEventsTtl === 0n ? endOfTime : this.#options.clock.now() - resourceEventsTtl;
  }
}

function gone(): never {
  throw new Error("a command is not in its batch any more");
}

/** At most so many commands at a time, or so many bytes of payload, whichever comes first. */
async function* batches(submissions: AsyncIterable<Submission>): AsyncGenerator<Submission[]> {
  const most = memoryBudget().batch;
  let batch: Submission[] = [];
  let bytes = 0;
  for await (const submission of submissions) {
    batch.push(submission);
    bytes += payloadBytes(submission).length;
    if (batch.length >= most.commands || bytes >= most.bytes) {
      yield batch;
      batch = [];
      bytes = 0;
    }
  }
  if (batch.length > 0) yield batch;
}
