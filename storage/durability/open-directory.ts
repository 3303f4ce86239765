import type { Database } from "../engine/database.ts";
import { openQueue, type Queue } from "../queue/open.ts";
import { checkStore } from "./checks.ts";
import { readNote } from "./note.ts";

/** A data directory whose files belong together. */
export interface OpenedDirectory {
  readonly directory: string;
  /** The identity of the store. */
  readonly store: string;
  readonly queue: Queue;
  /** Whether the note records what the queue has removed. */
  readonly isNoted: boolean;
}

/**
 * Opens the queue of a store and compares both with the note.
 * @throws CensusError "bad-file" if something is missing that the queue does not have, and `acceptsLoss` is not set
 */
export async function openDirectory(
  database: Database,
  directory: string,
  { acceptsLoss = false, onNotice = () => undefined }: OpenDirectoryOptions,
): Promise<OpenedDirectory> {
  const [row] = await database.rows<{ id: string }>("SELECT id FROM store_identity");
  const store = row?.id ?? "";
  const { note } = await readNote(directory);
  const isSame = note?.store === store;
  const queue = await openQueue(database, directory, (identity) =>
    isSame && note.queue === identity ? note.checkpointed : undefined,
  );
  try {
    const expected = { directory, path: database.place, note, acceptsLoss };
    const accepted = checkStore(expected, { store, stored: queue.stored }, queue);
    if (accepted !== undefined) onNotice(accepted);
    return { directory, store, queue, isNoted: note !== undefined && accepted === undefined };
  } catch (error) {
    await queue.log.close();
    throw error;
  }
}

export interface OpenDirectoryOptions {
  readonly acceptsLoss?: boolean;
  readonly onNotice?: (text: string) => void;
}
