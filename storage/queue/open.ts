import { join } from "node:path";
import type { Database } from "../engine/database.ts";
import { Attempts } from "./attempts.ts";
import { DeadLetters } from "./dead-letters.ts";
import type { CommandLog, QueueEntry } from "./entry.ts";
import { FileLog } from "./file-log.ts";
import { MemoryLog } from "./memory-log.ts";
import type { Losses, Progress, Recovered } from "./recovery.ts";

/** The folder of the queue in a data directory. */
export const queueFolder = "queue";

/** The queue of a store. */
export interface Queue {
  readonly log: CommandLog;
  /** Undefined: the queue ends with the process. */
  readonly identity: string | undefined;
  readonly deadLetters: DeadLetters | undefined;
  /** Commands in progress; undefined: the queue ends with the process. */
  readonly attempts: Attempts | undefined;
  /** Commands up to this id are stored. */
  readonly stored: number;
  /** Commands of an earlier process, oldest first. */
  readonly unfinished: readonly QueueEntry[];
  /** Files with saved bytes that are not commands. */
  readonly damaged: readonly string[];
  readonly inEngineOnly: Recovered["inEngineOnly"];
  readonly again: Recovered["again"];
}

/** How a queue belongs to its store. */
export interface QueueRelation {
  /** The id of the last command that is known to be in the database file, of the queue with this identity. */
  readonly checkpointed: (identity: string) => number | undefined;
  /** Called before the files of the queue are changed; where it throws, they are not. */
  readonly check: (queue: Losses & Pick<Queue, "stored"> & { readonly identity: string }) => void;
}

const UNRELATED: QueueRelation = { checkpointed: () => undefined, check: () => undefined };

/**
 * Opens the queue that belongs to a store.
 * @throws CensusError "bad-file" when its folder cannot be used; errors of the relation's check
 */
export async function openQueue(
  database: Database,
  directory: string | undefined,
  { checkpointed, check }: QueueRelation = UNRELATED,
): Promise<Queue> {
  if (directory === undefined) {
    const nothing = {
      identity: undefined,
      deadLetters: undefined,
      attempts: undefined,
      stored: 0,
      unfinished: [],
      damaged: [],
      inEngineOnly: [],
      again: undefined,
    };
    return { log: new MemoryLog(), ...nothing };
  }
  const folder = join(directory, queueFolder);
  const [row] = await database.rows<{ queue: string; applied: bigint }>("SELECT queue, applied FROM queue_progress");
  // Progress of another queue does not apply to this one: storing its commands again does no harm, skipping them would.
  const storedOf = (identity: string): number => (row?.queue === identity ? Number(row.applied) : 0);
  const progress = (identity: string): Progress => {
    const stored = storedOf(identity);
    // Where nothing was recorded, an older program has removed everything that was stored.
    return { stored, checkpointed: Math.min(stored, checkpointed(identity) ?? stored) };
  };
  const { log, recovered } = await FileLog.open(folder, progress, (identity, losses) =>
    check({ ...losses, identity, stored: storedOf(identity) }),
  );
  const { entries: unfinished, ...findings } = recovered;
  const [{ identity }, deadLetters] = [log, new DeadLetters(folder)];
  const attempts = await Attempts.open(folder, unfinished);
  return { log, identity, deadLetters, attempts, stored: storedOf(identity), unfinished, ...findings };
}
