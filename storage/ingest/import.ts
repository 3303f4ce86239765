import type { ArchivePart } from "../archive/document-kinds.ts";
import type { Transaction } from "../engine/transaction.ts";
import type { HistorySource } from "../history/archived/restore.ts";
import { batchLimits } from "../memory/budget.ts";
import { isHeavy } from "./heavy.ts";
import type { Ingester } from "./ingester.ts";
import { Pipeline } from "./pipeline.ts";
import { errorOf, type PrepareResult } from "./prepare-result.ts";
import { payloadBytes, type Submission } from "./submission.ts";
import { totalSize } from "./unpacked-size.ts";

/** How commands are imported. */
export interface ImportWay {
  /**
   * Called for a command that can never be stored, which is then left out; without it such a command fails the import.
   */
  readonly onInvalid?: ((submission: Submission, error: Error) => void) | undefined;
  /** Changes of nodes, which are restored after the commands. */
  readonly history?: HistorySource | undefined;
  /** What the commands are of an archive whose other documents are not imported. */
  readonly part?: ArchivePart | undefined;
  /**
   * Called each time that what has been stored so far can be read. Without it there is one transaction: all commands are
   * stored, or none.
   */
  readonly onReadable?: (() => void) | undefined;
}

/** Milliseconds between two transactions, where what has been stored is read meanwhile: at least, and as a part of the time before. */
const LEAST_STEP = 500;
const STEP = 0.25;

/**
 * Stores many commands.
 * @returns how many were stored
 */
export async function importAll(
  ingester: Ingester,
  submissions: AsyncIterable<Submission>,
  { onInvalid, history, part, onReadable }: ImportWay = {},
): Promise<number> {
  const reader = new BatchReader(submissions);
  const { transactions } = ingester;
  let count = 0;
  let transaction: Transaction | undefined;
  const pipeline = new Pipeline<readonly Submission[], readonly PrepareResult[]>({
    next: () => reader.next(),
    nextAhead: async (current) => {
      const following = await reader.peek();
      const isAlone = following === undefined || isHeavy(totalSize(following)) || isHeavy(totalSize(current));
      return isAlone ? undefined : reader.next();
    },
    prepare: (batch) => ingester.prepare(batch),
    write: async (batch, results) => {
      const valid = batch.flatMap((submission, index) => {
        const result = results[index];
        if (result === undefined) return [];
        if ("prepared" in result) return [result.prepared];
        const error = errorOf(result);
        if (onInvalid === undefined) throw error;
        onInvalid(submission, error);
        return [];
      });
      if (transaction === undefined) throw new Error("a batch is not in a transaction");
      await ingester.writeBatch(transaction, valid);
      count += valid.length;
    },
  });
  const began = performance.now();
  let wasEmpty: boolean | undefined;
  let nextStep = began;
  let hasMore: boolean;
  do {
    hasMore = await transactions.run(async (tx, { nodes }) => {
      transaction = tx;
      if (wasEmpty === undefined && part !== undefined) await ingester.beginPart(tx, part);
      wasEmpty ??= nodes.isEmpty || part !== undefined;
      const isGoingOn = await pipeline.run(() => onReadable !== undefined && performance.now() >= nextStep);
      // The facts of a node may come after its reports.
      await (part === undefined ? ingester.writeFailures(tx) : ingester.endPart(tx, part));
      if (!isGoingOn && history !== undefined) await ingester.restoreHistory(tx, history, wasEmpty);
      return isGoingOn;
    });
    onReadable?.();
    nextStep = performance.now() + Math.max(LEAST_STEP, STEP * (performance.now() - began));
  } while (hasMore);
  return count;
}

/** Reads batches, one of them ahead of its turn where that is wanted. */
class BatchReader {
  readonly #batches: AsyncIterator<Submission[]>;
  #peeked: Promise<Submission[] | undefined> | undefined;

  constructor(submissions: AsyncIterable<Submission>) {
    this.#batches = batchesOf(submissions);
  }

  /** The batch that {@link next} returns. */
  peek(): Promise<Submission[] | undefined> {
    return (this.#peeked ??= this.#read());
  }

  async next(): Promise<Submission[] | undefined> {
    const batch = await this.peek();
    this.#peeked = undefined;
    return batch;
  }

  async #read(): Promise<Submission[] | undefined> {
    const { value, done } = await this.#batches.next();
    return done === true ? undefined : value;
  }
}

/** Batches within {@link batchLimits}; a larger command is alone in its own. */
async function* batchesOf(submissions: AsyncIterable<Submission>): AsyncGenerator<Submission[]> {
  let batch: Submission[] = [];
  let bytes = 0;
  for await (const submission of submissions) {
    batch.push(submission);
    bytes += payloadBytes(submission).length;
    if (batch.length >= batchLimits.commands || bytes >= batchLimits.bytes) {
      yield batch;
      batch = [];
      bytes = 0;
    }
  }
  if (batch.length > 0) yield batch;
}
