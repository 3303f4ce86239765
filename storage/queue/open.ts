import { join } from "node:path";
import type { Database } from "../engine/database.ts";
import { Attempts } from "./attempts.ts";
import { DeadLetters } from "./dead-letters.ts";
import type { CommandLog, QueueEntry } from "./entry.ts";
import { FileLog } from "./file-log.ts";
import { MemoryLog } from "./memory-log.ts";
import type { Progress, Recovered } from "./recovery.ts";

/** The folder of the queue in a data directory. */
export const queueFolder = "queue";

/** What a store's commands go through. */
export interface Queue {
  readonly log: CommandLog;
  /** Undefined: nothing outlives the process. */
  readonly identity: string | undefined;
  readonly deadLetters: DeadLetters | undefined;
  /** Which commands are being tried; undefined: nothing outlives the process. */
  readonly attempts: Attempts | undefined;
  /** Commands up to this id are stored. */
  readonly stored: number;
  /** Commands that an earlier process has left, oldest first. */
  readonly left: readonly QueueEntry[];
  /** Files that bytes were saved to that are no commands. */
  readonly damaged: readonly string[];
  /** Ids of commands that should be there and are not. */
  readonly missing: Recovered["missing"];
}

/**
 * Opens the queue that belongs to a store.
 * @param checkpointed the id of the last command that the database file is known to hold, of the queue with this identity
 * @throws CensusError "bad-file" when its folder cannot be used
 */
export async function openQueue(
  database: Database,
  directory: string | undefined,
  checkpointed: (identity: string) => number | undefined = () => undefined,
): Promise<Queue> {
  if (directory === undefined) {
    const nothing = {
      identity: undefined,
      deadLetters: undefined,
      attempts: undefined,
      stored: 0,
      left: [],
      damaged: [],
      missing: undefined,
    };
    return { log: new MemoryLog(), ...nothing };
  }
  const folder = join(directory, queueFolder);
  const [row] = await database.rows<{ queue: string; applied: bigint }>("SELECT queue, applied FROM queue_progress");
  // Progress of another queue says nothing about this one: doing its commands again does no harm, passing over them would.
  const storedOf = (identity: string): number => (row?.queue === identity ? Number(row.applied) : 0);
  const progress = (identity: string): Progress => {
    const stored = storedOf(identity);
    // Where nothing was noted, an older program has let go of everything that was stored.
    return { stored, checkpointed: Math.min(stored, checkpointed(identity) ?? stored) };
  };
  const { log, recovered } = await FileLog.open(folder, progress);
  const { entries: left, damaged, missing } = recovered;
  const [{ identity }, deadLetters] = [log, new DeadLetters(folder)];
  const attempts = await Attempts.open(folder, left);
  return { log, identity, deadLetters, attempts, stored: storedOf(identity), left, damaged, missing };
}
