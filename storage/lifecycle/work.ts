import type { Transaction } from "../engine/transaction.ts";
import type { TableCaches } from "../ingest/write/writer.ts";
import type { Timestamp } from "../time.ts";
import type { MaintenanceListener } from "./events.ts";
import type { CleanRequest } from "./request.ts";
import type { Retention } from "./retention.ts";

/** What an operation works with. */
export interface Work {
  /** When the run began: every horizon counts from here. */
  readonly now: Timestamp;
  readonly retention: Retention;
  readonly request: CleanRequest;
  /** Given when the store closes; looked at between transactions. */
  readonly signal: AbortSignal;
  readonly tell: MaintenanceListener;
  /** Runs `work` in a transaction between batches of commands (`WriteTransactions.run`). */
  readonly inTransaction: <T>(work: (tx: Transaction, caches: TableCaches) => Promise<T>) => Promise<T>;
}

/** Runs a `DELETE`. @returns how many rows it deleted */
export async function deleteRows(
  tx: Transaction,
  sql: string,
  values: Parameters<Transaction["rows"]>[1] = [],
): Promise<number> {
  const [row] = await tx.rows<{ Count: bigint }>(sql, values);
  return Number(row?.Count ?? 0);
}
