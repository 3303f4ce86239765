import type { Ingester } from "../ingest/ingester.ts";
import type { Outcome } from "../ingest/outcome.ts";
import { errorOf, type PrepareResult } from "../ingest/prepare-result.ts";
import type { Prepared } from "../ingest/prepared.ts";
import type { Submission } from "../ingest/submission.ts";
import { Rewound } from "../ingest/write/transactions.ts";
import type { Attempts } from "./attempts.ts";
import { CensusError, messageOf } from "../errors.ts";
import { BackOff } from "./back-off.ts";
import { isOfContent } from "./content-errors.ts";
import type { CommandLog, QueueEntry } from "./entry.ts";
import type { CommandListener } from "./events.ts";
import type { FailedCommands } from "./failed-commands.ts";
import { hasHeavy, HeavyTurn } from "./heavy-turn.ts";
import type { Processing, Taken } from "./processing.ts";
import type { Stall } from "./stall.ts";

export interface BatchStoreOptions {
  readonly log: CommandLog;
  readonly ingester: Ingester;
  /** Default: commands in progress are not recorded. */
  readonly attempts?: Attempts | undefined;
  readonly stall: Stall;
  readonly failed: FailedCommands;
  readonly onEvent: CommandListener;
  /**
   * Whether a command that fails for a reason other than its content is tried until it succeeds, because others that follow the
   * same log would store what comes after it in another state.
   */
  readonly keepsOrder: boolean;
  /** Reports the first attempt at a command to its waiting client. */
  readonly report: (entry: QueueEntry, processing: Processing) => void;
}

/** A command of a batch that can be written. */
interface Ready extends Pick<Taken, "entry" | "obsolete"> {
  readonly prepared: Prepared;
}

const NOT_PREPARED: PrepareResult = { problem: "it was not prepared", isDefect: true };

/**
 * Stores batches of commands that were taken from the line. A batch that fails is halved until the command that fails is
 * alone; that one is postponed, and in the end discarded.
 */
export class BatchStore {
  readonly #options: BatchStoreOptions;
  readonly #heavy = new HeavyTurn();

  constructor(options: BatchStoreOptions) {
    this.#options = options;
  }

  /**
   * Prepares a batch. Reading payloads is repeated until it succeeds: they are on disk.
   * @returns a result for each command that is not skipped
   */
  async prepare(batch: readonly Taken[]): Promise<readonly PrepareResult[]> {
    const { attempts, log, stall } = this.#options;
    await stall.retry(async () => attempts?.begin(batch.map(({ entry }) => entry.id)));
    if (hasHeavy(batch)) await this.#heavy.begin();
    const current = batch.filter((taken) => !this.#isSkipped(taken));
    const unprepared = current.filter(({ result }) => result === undefined);
    const submissions = await stall.retry(() => Promise.all(unprepared.map(({ entry }) => this.#submissionOf(entry))));
    const isOwned = ({ payload }: Submission): boolean => !log.keepsPayload(payload.length, true);
    const results = (await this.#prepared(submissions, isOwned)).values();
    return current.map(({ result }) => result ?? results.next().value ?? NOT_PREPARED);
  }

  async #prepared(
    submissions: readonly Submission[],
    isOwned: (submission: Submission) => boolean,
  ): Promise<readonly PrepareResult[]> {
    const { ingester, stall, keepsOrder } = this.#options;
    if (!keepsOrder) return ingester.prepare(submissions, isOwned);
    return stall.insist(async () => {
      const results = await ingester.prepare(submissions);
      for (const result of results) {
        if ("problem" in result && (result.isDefect || result.isOfMachine === true)) throw errorOf(result);
      }
      return results;
    });
  }

  /** Writes a batch and handles the commands that fail. */
  async store(batch: readonly Taken[], results: readonly PrepareResult[]): Promise<void> {
    const started = performance.now();
    const { ingester, stall, onEvent } = this.#options;
    const ready = await this.#sort(batch, results);
    const outcomes = await this.#write(ready);
    const ms = (performance.now() - started) / Math.max(1, ready.length);
    for (const [position, { entry, obsolete }] of ready.entries()) {
      const outcome = outcomes[position];
      if (outcome === undefined) continue;
      if (obsolete === undefined) {
        onEvent({ kind: "processed", entry, outcome, ms });
        await this.#done(entry, outcome);
      } else await this.#passed(entry);
    }
    await stall.retry(() => ingester.noteProgress(lastOf(batch)));
  }

  /** Releases a batch that was stored from the queue. */
  async release(batch: readonly Taken[]): Promise<void> {
    const { attempts, log, stall } = this.#options;
    await stall.retry(() => log.release(lastOf(batch)));
    await attempts?.finish(batch.map(({ entry }) => entry.id));
    this.#heavy.end();
  }

  /** Frees the memory that was reserved for a batch that is not stored. */
  abandon(): void {
    this.#heavy.end();
  }

  /** Whether a command leaves nothing, not even recorded changes. */
  #isSkipped({ obsolete }: Taken): boolean {
    return obsolete === "same time" || (obsolete === "older" && !this.#options.ingester.recordsChanges);
  }

  /** Finishes an obsolete command. */
  async #passed(entry: QueueEntry): Promise<void> {
    this.#options.onEvent({ kind: "obsolete", entry });
    await this.#done(entry, "obsolete");
  }

  /** Handles the commands that are skipped or invalid. @returns the others */
  async #sort(batch: readonly Taken[], results: readonly PrepareResult[]): Promise<Ready[]> {
    const { failed, onEvent, report } = this.#options;
    const ready: Ready[] = [];
    let index = 0;
    for (const taken of batch) {
      const { entry, obsolete } = taken;
      if (this.#isSkipped(taken)) {
        await this.#passed(entry);
        continue;
      }
      const result = results[index++] ?? NOT_PREPARED;
      if ("prepared" in result) {
        if (result.hasOtherChecksum && obsolete === undefined) onEvent({ kind: "checksum", entry });
        ready.push({ entry, obsolete, prepared: result.prepared });
      } else if (obsolete !== undefined) await this.#passed(entry);
      else report(entry, await failed.handle(entry, errorOf(result), false));
    }
    return ready;
  }

  /** @returns the outcome of each command; undefined for one that failed and has been handled */
  async #write(ready: readonly Ready[]): Promise<(Outcome | undefined)[]> {
    if (ready.length === 0) return [];
    const { ingester, stall, failed, report, keepsOrder } = this.#options;
    const write = (): Promise<Outcome[]> =>
      ingester.write(
        ready.map(({ prepared }) => prepared),
        (index) => this.#submissionOf(ready[index]?.entry),
        ready.at(-1)?.entry.id,
      );
    try {
      return await (keepsOrder && ready.length === 1 ? stall.insist(write, isOfContent) : stall.retry(write));
    } catch (error) {
      if (error === BackOff.cancelled || error instanceof Rewound) throw error;
      const [only] = ready;
      if (ready.length === 1 && only?.obsolete !== undefined) {
        await this.#passed(only.entry);
        return [undefined];
      }
      if (ready.length === 1 && only !== undefined) {
        const reason = keepsOrder ? hopeless(error) : error instanceof Error ? error : new Error(String(error));
        report(only.entry, await failed.handle(only.entry, reason, true));
        return [undefined];
      }
      const half = ready.length >> 1;
      return [...(await this.#write(ready.slice(0, half))), ...(await this.#write(ready.slice(half)))];
    }
  }

  async #done(entry: QueueEntry, outcome: Outcome): Promise<void> {
    const { log, stall, report } = this.#options;
    // The log's release skips postponed commands.
    if (entry.faults.length > 0) await stall.retry(() => log.settle(entry.id));
    report(entry, { kind: "done", outcome });
  }

  async #submissionOf(entry: QueueEntry | undefined): Promise<Submission> {
    if (entry === undefined) throw new Error("a command is not in its batch any more");
    return { ...entry, payload: await this.#options.log.read(entry) };
  }
}

/** The same error as one for which a command is discarded, since it cannot be postponed. */
function hopeless(error: unknown): CensusError {
  return new CensusError("bad-input", messageOf(error), { cause: error });
}

/**
 * The last id that is processed with this batch: a command that was postponed is in line after commands with larger
 * ids.
 */
function lastOf(batch: readonly Taken[]): number {
  return Math.max(...batch.map(({ entry }) => entry.id));
}
