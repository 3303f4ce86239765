import type { Database } from "./engine/database.ts";
import type { WriteTransactions } from "./ingest/write/transactions.ts";
import type { Consumer } from "./queue/consumer.ts";
import { saveTables, restoreTables } from "./schema/saved-tables.ts";

interface Parts {
  readonly database: Database;
  readonly transactions: WriteTransactions;
  readonly consumer: Consumer;
}

/** A saved state of a store in memory, to which it can return. */
export class SavedState {
  readonly #parts: Parts;
  /** The number of transactions when the tables last were as saved. */
  #savedAfter: number | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Saves the state. */
  async save(): Promise<void> {
    const { database, transactions, consumer } = this.#parts;
    await consumer.settle();
    await saveTables(database);
    this.#savedAfter = transactions.count;
  }

  /** Returns to the saved state. */
  async restore(): Promise<void> {
    const { transactions, consumer } = this.#parts;
    if (this.#savedAfter === undefined) throw new Error("no state was saved");
    await consumer.settle();
    if (this.#savedAfter === transactions.count) return;
    await transactions.run(async (tx, caches) => {
      await restoreTables(tx);
      caches.clear();
    });
    this.#savedAfter = transactions.count;
  }
}
