import type { Database } from "../engine/database.ts";
import type { Transaction } from "../engine/transaction.ts";
import { mayHaveFailures } from "./read.ts";
import { storeFailures } from "./store-failures.ts";

/**
 * Stores the failures of all reports of a store that an older version of the program has written. Each part is a transaction, and what
 * was interrupted continues after the last report with a failure.
 * @param onProgress called with a message from time to time
 */
export async function storeFailuresOfAll(database: Database, onProgress: (message: string) => void): Promise<void> {
  const [found] = await database.rows<{ done: bigint; last: bigint }>(
    "SELECT (SELECT coalesce(max(report_id), 0) FROM failures) AS done, (SELECT coalesce(max(id), 0) FROM reports) AS last",
  );
  const last = found?.last ?? 0n;
  let told = performance.now();
  for (let done = found?.done ?? 0n; done < last;) {
    const after = done;
    done = await database.transaction(async (tx) => {
      const [part] = await tx.rows<{ last: bigint }>(
        `SELECT max(id) AS last FROM (SELECT id FROM reports WHERE id > $1 ORDER BY id LIMIT 5000)`,
        [after],
      );
      const end = part?.last ?? last;
      const ids = await tx.rows<{ id: bigint }>(
        `SELECT id FROM reports r WHERE id > $1 AND id <= $2 AND ${mayHaveFailures} ORDER BY id`,
        [after, end],
      );
      await storeFailures(
        tx,
        ids.map(({ id }) => id),
      );
      return end;
    });
    if (performance.now() - told < 5000) continue;
    told = performance.now();
    onProgress(`reading once what failed in stored reports: ${done} of ${last}`);
  }
}

/** The ids of all reports that may have failures, in ascending order. */
export async function reportsWithFailures(tx: Transaction): Promise<bigint[]> {
  const rows = await tx.rows<{ id: bigint }>(`SELECT id FROM reports r WHERE ${mayHaveFailures} ORDER BY id`);
  return rows.map(({ id }) => id);
}
