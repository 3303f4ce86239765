import { join } from "node:path";
import type { Database } from "../engine/database.ts";
import type { LogState } from "../engine/log-end.ts";
import { CensusError } from "../errors.ts";
import type { OpenReplicatedLog } from "../queue/entry.ts";
import { queueFolder } from "../queue/folder.ts";
import { openQueue, openReplicatedQueue, type Queue, type QueueRelation, positionOf } from "../queue/open.ts";
import { idsText } from "../queue/recovery.ts";
import { checkStore } from "./checks.ts";
import { readNote } from "./note.ts";
import { tightenPermissions } from "./permissions.ts";

/** A data directory whose files belong together. */
export interface OpenedDirectory {
  readonly directory: string;
  /** The identity of the store. */
  readonly store: string;
  readonly queue: Queue;
  /** Whether the note records what the queue has removed, and the queue has everything else. */
  readonly isNoted: boolean;
}

/** The log that had commands which the database does not have any more. */
const LOST_LOG: Readonly<Record<LogState, string>> = {
  missing: "is missing",
  empty: "is empty",
  unrecognized: "could not be read",
  log: "was damaged, or cut off",
};

/**
 * Makes the directory of a store private, opens its queue, and compares both with the note.
 * @throws CensusError "bad-file" if something is missing that the queue does not have, and `acceptsLoss` is not set
 */
export async function openDirectory(
  database: Database,
  directory: string,
  { acceptsLoss = false, onNotice = () => undefined, commandLog }: OpenDirectoryOptions,
): Promise<OpenedDirectory> {
  // Not earlier: a directory of another program stays as it is.
  const closed = tightenPermissions(directory);
  if (closed !== undefined) onNotice(closed);
  const [row] = await database.rows<{ id: string }>("SELECT id FROM store_identity");
  const store = row?.id ?? "";
  if (commandLog === undefined && !acceptsLoss) await checkFollowsNone(database, directory);
  const { note } = await readNote(directory);
  const isSame = note?.store === store;
  const expected = { directory, path: database.place, note, acceptsLoss };
  let accepted: string | undefined;
  const relation: QueueRelation = {
    checkpointed: (identity) => (isSame && note.queue === identity ? note.checkpointed : undefined),
    check: ({ stored, ...found }) => {
      accepted = checkStore(expected, { store, stored }, found);
    },
  };
  const queue =
    commandLog === undefined
      ? await openQueue(database, directory, relation)
      : await openReplicatedQueue(database, directory, commandLog);
  if (accepted !== undefined) onNotice(accepted);
  const { inEngineOnly, again } = queue;
  if (again !== undefined && accepted === undefined) {
    const log = LOST_LOG[database.logBefore];
    onNotice(
      `${database.place}.wal: ${log}; the commands that it had are stored again from the queue (${idsText([again])})`,
    );
  }
  if (inEngineOnly.length > 0) {
    onNotice(
      `${join(directory, queueFolder, "commands")}: the queue lacks commands (${idsText(inEngineOnly)}), which the database has: ` +
        "nothing is lost, and they are written to the database file now",
    );
  }
  const isNoted = note !== undefined && accepted === undefined && inEngineOnly.length === 0;
  return { directory, store, queue, isNoted };
}

/**
 * A store that follows a log with others must not begin a queue of its own: nobody else would get its commands.
 * @throws CensusError "bad-file" that names the setting
 */
async function checkFollowsNone(database: Database, directory: string): Promise<void> {
  const position = await positionOf(database);
  if (position === undefined) return;
  const what = `follows the command log ${position.log} together with other servers, and command-log is not set`;
  throw new CensusError("bad-file", `${directory}: ${what}; set command-log in [census] to the address of that log`);
}

export interface OpenDirectoryOptions {
  /** See {@link StoreOptions.commandLog}. */
  readonly commandLog?: OpenReplicatedLog;
  readonly acceptsLoss?: boolean;
  readonly onNotice?: (text: string) => void;
}
