import type { Database } from "./engine/database.ts";
import type { WriteTransactions } from "./ingest/write/transactions.ts";
import type { QueueConsumer } from "./queue/consumer.ts";
import { keepTables, restoreTables } from "./schema/kept.ts";

interface Parts {
  readonly database: Database;
  readonly transactions: WriteTransactions;
  readonly consumer: QueueConsumer;
}

/** A saved state of a store in memory, to which it can return. */
export class KeptState {
  readonly #parts: Parts;
  /** The number of transactions when the tables last were as saved. */
  #keptAfter: number | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Saves the state. */
  async keep(): Promise<void> {
    const { database, transactions, consumer } = this.#parts;
    await consumer.settle();
    await keepTables(database);
    this.#keptAfter = transactions.count;
  }

  /** Returns to the saved state. */
  async restore(): Promise<void> {
    const { transactions, consumer } = this.#parts;
    if (this.#keptAfter === undefined) throw new Error("nothing was kept that could be brought back");
    await consumer.settle();
    if (this.#keptAfter === transactions.count) return;
    await transactions.run(async (tx, caches) => {
      await restoreTables(tx);
      caches.clear();
    });
    this.#keptAfter = transactions.count;
  }
}
