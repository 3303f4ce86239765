import type { Database } from "../../engine/database.ts";
import { quotedText } from "../../engine/quoted-text.ts";
import type { Transaction } from "../../engine/transaction.ts";

/** How far the commands of a queue are stored. It is recorded in the transactions that store them. */
export class QueueProgress {
  readonly #queue: string | undefined;
  readonly #markOf: ((id: number) => string | undefined) | undefined;
  #committed = 0;
  /** Callers that wait until a command is committed, by its id. */
  readonly #waiting = new Map<() => void, number>();
  /** The same including the open transaction. */
  #noted = 0;

  /**
   * @param queue the identity of the queue; undefined for one that does not outlive the process
   * @param markOf what distinguishes the command with an id from any other command with that id, where there may be others
   */
  constructor(queue: string | undefined, markOf?: (id: number) => string | undefined) {
    this.#queue = queue;
    this.#markOf = markOf;
  }

  /** The id of the last command up to which all commands are processed and committed. */
  get committed(): number {
    return this.#committed;
  }

  /** Reads what is committed. */
  async read(database: Database): Promise<void> {
    const [row] = await database.rows<{ queue: string; applied: bigint }>("SELECT queue, applied FROM queue_progress");
    this.#committed = this.#noted = row?.queue === this.#queue ? Number(row?.applied ?? 0) : 0;
  }

  /** Whether commands up to this id are recorded as processed already. */
  isNoted(through: number): boolean {
    return this.#queue === undefined || through <= this.#noted;
  }

  /** Records at the end of a transaction that commands up to this id are processed. */
  note(tx: Transaction, through: number): void {
    if (this.#queue === undefined || this.isNoted(through)) return;
    tx.atEnd("queue_progress", "DELETE FROM queue_progress");
    const mark = this.#markOf?.(through);
    const cells = [quotedText(this.#queue), through, mark === undefined ? "NULL" : quotedText(mark)];
    tx.atEnd("queue_progress", `INSERT INTO queue_progress VALUES (${cells.join(", ")})`);
    this.#noted = through;
  }

  /** The transaction is committed. */
  commit(): void {
    this.#committed = this.#noted;
    for (const [reached, id] of this.#waiting) if (id <= this.#committed) reached();
  }

  /** Resolves when commands up to this id are committed; rejects with the signal's reason. */
  async reached(id: number, signal: AbortSignal): Promise<void> {
    if (id <= this.#committed) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    // eslint-disable-next-line typescript/prefer-promise-reject-errors
    const abort = (): void => reject(signal.reason);
    this.#waiting.set(resolve, id);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    try {
      await promise;
    } finally {
      this.#waiting.delete(resolve);
      signal.removeEventListener("abort", abort);
    }
  }

  /** The transaction is rolled back. */
  rollback(): void {
    this.#noted = this.#committed;
  }
}
