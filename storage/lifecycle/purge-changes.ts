import { purgeHistory } from "../history/state.ts";
import type { Work } from "./work.ts";

/** Deletes changes that are older than `historyTtl`. Where none are recorded, there are none. */
export async function purgeChanges({ inTransaction, now, retention }: Work): Promise<void> {
  const { historyTtl } = retention;
  if (historyTtl > 0n) await inTransaction(async (tx) => purgeHistory(tx, now - historyTtl));
}
