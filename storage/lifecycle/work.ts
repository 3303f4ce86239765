import type { Transaction } from "../engine/transaction.ts";
import type { TableCaches } from "../ingest/write/writer.ts";
import type { Timestamp } from "../time.ts";
import type { MaintenanceListener } from "./events.ts";
import type { CleanRequest } from "./request.ts";
import type { KeptFor } from "./retention.ts";

/** What an operation needs. */
export interface Work {
  /** When the run began: all horizons are relative to it. */
  readonly now: Timestamp;
  readonly retention: KeptFor;
  readonly request: CleanRequest;
  /** Whether nodes are chosen by their names, so that all stores of a log choose the same; otherwise in any order. */
  readonly isOrdered: boolean;
  /** Aborted when the store closes; checked between transactions. */
  readonly signal: AbortSignal;
  readonly report: MaintenanceListener;
  /** Reads what is committed, or where everything is one transaction, what that has changed. Commands do not wait for it. */
  readonly rows: <T>(sql: string) => Promise<T[]>;
  /** Runs `work` in a transaction between batches of commands (`WriteTransactions.run`). */
  readonly inTransaction: <T>(work: (tx: Transaction, caches: TableCaches) => Promise<T>) => Promise<T>;
}

/** Runs a `DELETE`. @returns the number of deleted rows */
export async function deleteRows(
  tx: Transaction,
  table: string,
  sql: string,
  values: Parameters<Transaction["rows"]>[1] = [],
): Promise<number> {
  const [row] = await tx.returning<{ Count: bigint }>(table, sql, values);
  return Number(row?.Count ?? 0);
}
