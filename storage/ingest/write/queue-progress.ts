import type { Database } from "../../engine/database.ts";
import { quotedText } from "../../engine/quoted-text.ts";
import type { Transaction } from "../../engine/transaction.ts";

/** How far the commands of a queue are stored. It is recorded in the transactions that store them. */
export class QueueProgress {
  readonly #queue: string | undefined;
  #committed = 0;
  /** The same including the open transaction. */
  #noted = 0;

  /** @param queue the identity of the queue; undefined for one that does not outlive the process */
  constructor(queue: string | undefined) {
    this.#queue = queue;
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
    tx.atEnd("DELETE FROM queue_progress");
    tx.atEnd(`INSERT INTO queue_progress VALUES (${quotedText(this.#queue)}, ${through})`);
    this.#noted = through;
  }

  /** The transaction is committed. */
  commit(): void {
    this.#committed = this.#noted;
  }

  /** The transaction is rolled back. */
  rollback(): void {
    this.#noted = this.#committed;
  }
}
