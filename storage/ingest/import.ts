import type { HistorySource } from "../history/archived/restore.ts";
import { memoryBudget } from "../memory/budget.ts";
import { isHeavy } from "./heavy.ts";
import type { Ingester } from "./ingester.ts";
import { Pipeline } from "./pipeline.ts";
import { errorOf, type PrepareResult } from "./prepare-result.ts";
import { payloadBytes, type Submission } from "./submission.ts";
import { totalSize } from "./unpacked-size.ts";

/**
 * Stores all commands in one transaction, or none of them.
 * @param onInvalid called for a command that can never be stored, which is then left out; without it such a command fails
 *   the import
 * @param history changes of nodes, which are restored after the commands
 * @returns how many commands were stored
 */
export async function importAll(
  ingester: Ingester,
  submissions: AsyncIterable<Submission>,
  onInvalid?: (submission: Submission, error: Error) => void,
  history?: HistorySource,
): Promise<number> {
  const reader = new BatchReader(submissions);
  let count = 0;
  await ingester.transactions.run(async (tx, { nodes }) => {
    const wasEmpty = nodes.isEmpty;
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
          if ("prepared" in result) return [{ submission, prepared: result.prepared }];
          const error = errorOf(result);
          if (onInvalid === undefined) throw error;
          onInvalid(submission, error);
          return [];
        });
        const submissionAt = async (index: number): Promise<Submission> => valid[index]?.submission ?? missing();
        await ingester.writeIn(
          tx,
          valid.map(({ prepared }) => prepared),
          submissionAt,
        );
        count += valid.length;
      },
    });
    await pipeline.run();
    if (history !== undefined) await ingester.restoreHistory(tx, history, wasEmpty);
  });
  return count;
}

function missing(): never {
  throw new Error("a command is not in its batch any more");
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

/** Batches within the limits of the memory budget on commands and on bytes of payload; a larger command is alone in its own. */
async function* batchesOf(submissions: AsyncIterable<Submission>): AsyncGenerator<Submission[]> {
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
