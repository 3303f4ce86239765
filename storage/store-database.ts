import { existsSync } from "node:fs";
import { join } from "node:path";
import { checkFile, removeUnfinished } from "./durability/checks.ts";
import { readNote } from "./durability/note.ts";
import { keepFilesPrivate } from "./durability/permissions.ts";
import { Database } from "./engine/database.ts";
import { HEADERS } from "./engine/file-layout.ts";
import type { LogListener } from "./engine/instance.ts";
import { savedBlocksEnding } from "./engine/saved-blocks.ts";
import { schemaScript } from "./schema/migrate.ts";
import type { StoreOptions } from "./store-options.ts";

/** The database file inside a data directory. */
export const databaseFile = "census.duckdb";

/**
 * Opens the database of a store, without checking its tables.
 * @throws CensusError "bad-file" when the directory cannot be used, or the database contains less than its note says
 */
export async function openDatabase(options: StoreOptions): Promise<Database> {
  const { directory, base } = options;
  if (directory !== undefined) return openFile(directory, options);
  return Database.open({ tables: schemaScript(), ...(base === undefined ? {} : { base }) });
}

async function openFile(
  directory: string,
  { readOnly = false, acceptsLoss = false, onNotice = () => undefined }: StoreOptions,
): Promise<Database> {
  if (!readOnly) keepFilesPrivate();
  const path = join(directory, databaseFile);
  const { note, isDamaged } = await readNote(directory);
  if (isDamaged) onNotice(`${directory}: store.json is damaged and is written again`);
  const expected = { directory, path, note, acceptsLoss };
  if (!readOnly) removeUnfinished(expected);
  if (!readOnly || existsSync(path)) checkFile(expected);
  if (readOnly) return Database.open({ path, readOnly });
  // The queue keeps the commands in the engine's log; a store without a note was written by a program whose queue did not.
  const mayDoWithoutLog = note !== undefined || acceptsLoss;
  const onLog: LogListener = {
    setAside: (aside, reason) =>
      onNotice(
        `${path}: the engine's log cannot be read and is kept as ${aside}; the store is as of its last checkpoint, ` +
          `and what came after it is stored again from the queue: ${reason}`,
      ),
    cutOff: (log, { size, complete }) =>
      onNotice(
        `${log}: ends in an incomplete transaction, which the engine leaves out (bytes ${complete} to ${size}); ` +
          "what it held is stored again from the queue",
      ),
  };
  const onRestored = (blocks: readonly number[]): void =>
    onNotice(
      `${path}: blocks that describe the tables were damaged, as an unfinished checkpoint leaves them ` +
        `(${blocks.join(", ")}); they are restored from ${path}${savedBlocksEnding}`,
    );
  const open = (): Promise<Database> => Database.open({ path, onRestored, ...(mayDoWithoutLog ? { onLog } : {}) });
  try {
    return await open();
  } catch (error) {
    if (!removeUnfinished(expected, HEADERS)) throw error;
    return open();
  }
}
