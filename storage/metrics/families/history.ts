import type { Database } from "../../engine/database.ts";
import { documentTable, historyTables } from "../../history/state.ts";
import { fileSpace, tableSpace } from "../../lifecycle/file-space.ts";
import { cachedFor } from "../gauge.ts";
import type { Registry } from "../registry.ts";

/** Makes the metrics of recorded changes: how many there are, and the bytes of their blocks in the file. */
export function historyMetrics(registry: Registry, database: Database): void {
  // Sizes need the description of each block.
  const size = cachedFor(60_000, registry.ticks, async () => readSize(database));
  registry.gauge("history", "changes", async () => (await size()).changes);
  registry.gauge("history", "bytes", async () => (await size()).bytes);
}

async function readSize(database: Database): Promise<{ readonly changes: number; readonly bytes: number }> {
  const { blockSize } = await fileSpace(database);
  let [changes, blocks] = [0, 0];
  for (const table of historyTables) {
    const space = await tableSpace(database, table);
    changes += space.live;
    blocks += space.blocks;
  }
  blocks += (await tableSpace(database, documentTable)).blocks;
  return { changes, bytes: blocks * blockSize };
}
