import type { Database } from "../../engine/database.ts";
import type { Transaction } from "../../engine/transaction.ts";
import { CensusError } from "../../errors.ts";
import type { QueueProgress } from "./queue-progress.ts";
import type { TableCaches } from "./writer.ts";

/** The engine has lost commands that were committed: nothing is written until they are read from the queue again. */
export class Rewound extends CensusError {
  constructor() {
    super("unavailable", "commands that were stored before a fault of the disk are being stored again");
    this.name = "Rewound";
  }
}

export interface WriteTransactionsOptions {
  readonly database: Database;
  readonly progress: QueueProgress;
  readonly caches: TableCaches;
}

/** The transactions that change tables, one after another. They keep the caches of the tables up to date. */
export class WriteTransactions {
  readonly #options: WriteTransactionsOptions;
  #count = 0;
  #committed = 0;
  #isRewound = false;

  constructor(options: WriteTransactionsOptions) {
    this.#options = options;
  }

  /** Transactions begun so far. While it stays the same, the tables do. */
  get count(): number {
    return this.#count;
  }

  /** Transactions that have changed the tables so far. */
  get committed(): number {
    return this.#committed;
  }

  /**
   * Runs `work` in a transaction. It is given the caches, to change them as it changes the tables or to clear them.
   * @throws Rewound
   */
  async run<T>(work: (tx: Transaction, caches: TableCaches) => Promise<T>): Promise<T> {
    this.#count++;
    const { database, progress, caches } = this.#options;
    const onCommit = (): void => {
      this.#committed++;
      progress.commit();
    };
    const onRollback = (): void => {
      caches.clear();
      progress.rollback();
    };
    return database.transaction(
      async (tx) => {
        if (this.#isRewound) throw new Rewound();
        await caches.nodes.load(tx);
        return work(tx, caches);
      },
      { onCommit, onRollback },
    );
  }

  /** Reads what the first transactions would have to read. */
  async preload(): Promise<void> {
    const { database, caches } = this.#options;
    const onRollback = (): void => {
      caches.clear();
    };
    await database.transaction((tx) => caches.preload(tx), { onRollback });
  }

  /** The database file was reopened after an error: clears the caches and finds out whether anything is lost. */
  async reopened(): Promise<void> {
    const { database, progress, caches } = this.#options;
    const before = progress.committed;
    await progress.read(database);
    database.versions.noteAll();
    caches.clear();
    if (progress.committed < before) this.#isRewound = true;
  }

  /** Whether the engine has lost the results of some commands: nothing is written before {@link resume}. */
  get isRewound(): boolean {
    return this.#isRewound;
  }

  /** The lost commands are about to be stored again. */
  resume(): void {
    this.#isRewound = false;
  }
}
