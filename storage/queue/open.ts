import { join } from "node:path";
import type { Database } from "../engine/database.ts";
import { DeadLetters } from "./dead-letters.ts";
import type { CommandLog, QueueEntry } from "./entry.ts";
import { FileLog } from "./file-log.ts";
import { MemoryLog } from "./memory-log.ts";

/** The folder of the queue in a data directory. */
export const queueFolder = "queue";

/** What a store's commands go through. */
export interface Queue {
  readonly log: CommandLog;
  /** Undefined: nothing outlives the process. */
  readonly identity: string | undefined;
  readonly deadLetters: DeadLetters | undefined;
  /** Commands that an earlier process has left, oldest first. */
  readonly left: readonly QueueEntry[];
  /** Files that bytes were saved to that are no commands. */
  readonly damaged: readonly string[];
}

/**
 * Opens the queue that belongs to a store.
 * @throws CensusError "bad-file" when its folder cannot be used
 */
export async function openQueue(database: Database, directory: string | undefined): Promise<Queue> {
  if (directory === undefined) {
    return { log: new MemoryLog(), identity: undefined, deadLetters: undefined, left: [], damaged: [] };
  }
  const folder = join(directory, queueFolder);
  const [row] = await database.rows<{ queue: string; applied: bigint }>("SELECT queue, applied FROM queue_progress");
  // Progress of another queue says nothing about this one: doing its commands again does no harm, passing over them would.
  const applied = (identity: string): number => (row?.queue === identity ? Number(row.applied) : 0);
  const { log, recovered } = await FileLog.open(folder, applied);
  const deadLetters = new DeadLetters(folder);
  return { log, identity: log.identity, deadLetters, left: recovered.entries, damaged: recovered.damaged };
}
