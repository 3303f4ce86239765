import type { Ingester } from "../ingest/ingester.ts";
import type { Outcome } from "../ingest/outcome.ts";
import { errorOf, type PrepareResult } from "../ingest/prepare-result.ts";
import type { Prepared } from "../ingest/prepared.ts";
import type { Submission } from "../ingest/submission.ts";
import { Rewound } from "../ingest/write/transactions.ts";
import type { Attempts } from "./attempts.ts";
import { BackOff } from "./back-off.ts";
import type { CommandLog, QueueEntry } from "./entry.ts";
import type { CommandListener } from "./events.ts";
import { hasHeavy, HeavyTurn } from "./heavy-turn.ts";
import type { Processing } from "./processing.ts";
import type { Stall } from "./stall.ts";
import type { Waiting } from "./waiting-line.ts";

export interface BatchStoreOptions {
  readonly log: Pick<CommandLog, "read" | "release">;
  readonly ingester: Ingester;
  /** Default: commands in progress are not recorded. */
  readonly attempts?: Attempts | undefined;
  readonly stall: Stall;
  readonly onEvent: CommandListener;
  /** Prepares commands. */
  readonly prepare: (submissions: readonly Submission[]) => Promise<readonly PrepareResult[]>;
  /** Runs what writes commands, again where an error may pass. @param isAlone whether it writes a single command */
  readonly persist: <T>(write: () => Promise<T>, isAlone: boolean) => Promise<T>;
  /** Handles a command that cannot be stored. @param isPrepared whether it is valid, and writing it failed */
  readonly fail: (entry: QueueEntry, error: Error, isPrepared: boolean) => Promise<Processing>;
  /** A command is stored, or need not be. */
  readonly settled?: (entry: QueueEntry) => Promise<void>;
  /** Reports the first attempt at a command to its waiting client. */
  readonly report: (entry: QueueEntry, processing: Processing) => void;
}

/** A command of a batch that can be written. */
interface Ready extends Pick<Waiting, "entry" | "content" | "obsolete"> {
  readonly prepared: Prepared;
}

const NOT_PREPARED: PrepareResult = { problem: "it was not prepared", isDefect: true };

/**
 * Stores batches of commands that were taken from the line. A batch that fails is halved until the command that fails is alone.
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
  async prepare(batch: readonly Waiting[]): Promise<readonly PrepareResult[]> {
    const { attempts, prepare, stall } = this.#options;
    await stall.retry(async () => attempts?.begin(batch.map(({ entry }) => entry.id)));
    if (hasHeavy(batch)) await this.#heavy.begin();
    const current = batch.filter((taken) => !this.#isSkipped(taken));
    const unprepared = current.filter(({ result }) => result === undefined);
    const submissions = await stall.retry(() => Promise.all(unprepared.map((taken) => this.#submissionOf(taken))));
    const results = (await prepare(submissions)).values();
    return current.map(({ result }) => result ?? results.next().value ?? NOT_PREPARED);
  }

  /** Writes a batch and handles the commands that fail. */
  async store(batch: readonly Waiting[], results: readonly PrepareResult[]): Promise<void> {
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
  async release(batch: readonly Waiting[]): Promise<void> {
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
  #isSkipped({ obsolete }: Waiting): boolean {
    return obsolete === "same time" || (obsolete === "older" && !this.#options.ingester.recordsChanges);
  }

  /** Finishes an obsolete command. */
  async #passed(entry: QueueEntry): Promise<void> {
    this.#options.onEvent({ kind: "obsolete", entry });
    await this.#done(entry, "obsolete");
  }

  /** Handles the commands that are skipped or invalid. @returns the others */
  async #sort(batch: readonly Waiting[], results: readonly PrepareResult[]): Promise<Ready[]> {
    const { fail, onEvent, report } = this.#options;
    const ready: Ready[] = [];
    let index = 0;
    for (const taken of batch) {
      const { entry, content, obsolete } = taken;
      if (this.#isSkipped(taken)) {
        await this.#passed(entry);
        continue;
      }
      const result = results[index++] ?? NOT_PREPARED;
      if ("prepared" in result) {
        if (result.hasOtherChecksum && obsolete === undefined) onEvent({ kind: "checksum", entry });
        ready.push({ entry, content, obsolete, prepared: result.prepared });
      } else if (obsolete !== undefined) await this.#passed(entry);
      else report(entry, await fail(entry, errorOf(result), false));
    }
    return ready;
  }

  /** @returns the outcome of each command; undefined for one that failed and has been handled */
  async #write(ready: readonly Ready[]): Promise<(Outcome | undefined)[]> {
    if (ready.length === 0) return [];
    const { ingester, persist, fail, report } = this.#options;
    const write = (): Promise<Outcome[]> =>
      ingester.write(
        ready.map(({ prepared }) => prepared),
        (index) => this.#submissionOf(ready[index]),
        ready.at(-1)?.entry.id,
      );
    try {
      return await persist(write, ready.length === 1);
    } catch (error) {
      if (error === BackOff.cancelled || error instanceof Rewound) throw error;
      const [only] = ready;
      if (ready.length === 1 && only?.obsolete !== undefined) {
        await this.#passed(only.entry);
        return [undefined];
      }
      if (ready.length === 1 && only !== undefined) {
        const reason = error instanceof Error ? error : new Error(String(error));
        report(only.entry, await fail(only.entry, reason, true));
        return [undefined];
      }
      const half = ready.length >> 1;
      return [...(await this.#write(ready.slice(0, half))), ...(await this.#write(ready.slice(half)))];
    }
  }

  async #done(entry: QueueEntry, outcome: Outcome): Promise<void> {
    const { settled, report } = this.#options;
    await settled?.(entry);
    report(entry, { kind: "done", outcome });
  }

  async #submissionOf(taken: Pick<Waiting, "entry" | "content"> | undefined): Promise<Submission> {
    if (taken === undefined) throw new Error("a command is not in its batch any more");
    const { entry, content } = taken;
    return { ...entry, content, payload: await this.#options.log.read(entry) };
  }
}

/**
 * The last id that is processed with this batch: a command that was postponed is in line after commands with larger
 * ids.
 */
function lastOf(batch: readonly Waiting[]): number {
  return Math.max(...batch.map(({ entry }) => entry.id));
}
