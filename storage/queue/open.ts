import { existsSync } from "node:fs";
import { join } from "node:path";
import { Database } from "../engine/database.ts";
import { CensusError } from "../errors.ts";
import { Attempts } from "./attempts.ts";
import { DeadLetters } from "./dead-letters.ts";
import type { CommandLog, LogPosition, OpenReplicatedLog, QueueEntry, ReplicatedLog } from "./entry.ts";
import { FileLog } from "./file-log.ts";
import { MemoryLog } from "./memory-log.ts";
import { queueFolder } from "./folder.ts";
import type { Losses, Progress, Recovered } from "./recovery.ts";

/** The queue of a store: its own log, or one that it follows with other stores. */
export type Queue = OwnQueue | ReplicatedQueue;

export interface OwnQueue extends QueueState {
  readonly log: CommandLog;
  readonly replicated: undefined;
}

export interface ReplicatedQueue extends QueueState {
  readonly log: undefined;
  readonly replicated: ReplicatedLog;
}

interface QueueState {
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
): Promise<OwnQueue> {
  if (directory === undefined) {
    const nothing = {
      replicated: undefined,
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
  return {
    log,
    replicated: undefined,
    identity,
    deadLetters,
    attempts,
    stored: storedOf(identity),
    unfinished,
    ...findings,
  };
}

/** Opens the log that a store follows with others; dead letters are in its own directory. */
export async function openReplicatedQueue(
  database: Database,
  directory: string | undefined,
  open: OpenReplicatedLog,
): Promise<ReplicatedQueue> {
  if (directory !== undefined) await checkNothingWaits(database, join(directory, queueFolder));
  const [row] = await database.rows<{ identity: string; isEmpty: boolean }>(
    `SELECT (SELECT id FROM store_identity LIMIT 1) AS identity,
      NOT EXISTS (FROM nodes) AND NOT EXISTS (FROM reports) AND NOT EXISTS (FROM history_state) AS "isEmpty"`,
  );
  const position = await positionOf(database);
  const replicated = await open({ identity: row?.identity ?? "", isEmpty: row?.isEmpty ?? true, position });
  const { identity } = replicated;
  if (position?.log !== identity) {
    await database.transaction(async (tx) => {
      await tx.execute("queue_progress", "DELETE FROM queue_progress");
      await tx.execute("queue_progress", "INSERT INTO queue_progress VALUES ($1, 0, $2)", [
        identity,
        replicated.markOf(0) ?? "",
      ]);
    });
  }
  const deadLetters = directory === undefined ? undefined : new DeadLetters(join(directory, queueFolder));
  const found = { attempts: undefined, unfinished: [], damaged: [], inEngineOnly: [], again: undefined };
  return {
    log: undefined,
    replicated,
    identity,
    deadLetters,
    stored: position?.log === identity ? position.id : 0,
    ...found,
  };
}

/** How far the store in a database file, which no process has open, has stored such a log; undefined: it follows none. */
export async function positionIn(path: string): Promise<LogPosition | undefined> {
  const database = await Database.open({ path, readOnly: true });
  try {
    return await positionOf(database);
  } finally {
    await database.close();
  }
}

/** How far a store has stored a log that several processes follow; its mark is not NULL. */
export async function positionOf(database: Database): Promise<LogPosition | undefined> {
  const [row] = await database.rows<{ log: string; id: bigint; mark: string }>(
    "SELECT queue AS log, applied AS id, mark FROM queue_progress WHERE mark IS NOT NULL",
  );
  return row === undefined
    ? undefined
    : { log: row.log, id: Number(row.id), mark: row.mark === "" ? undefined : row.mark };
}

/**
 * Commands in the queue on disk would be forgotten.
 * @throws CensusError "bad-file" if there are any
 */
async function checkNothingWaits(database: Database, folder: string): Promise<void> {
  if (!existsSync(join(folder, "commands"))) return;
  const [row] = await database.rows<{ queue: string; applied: bigint }>(
    "SELECT queue, applied FROM queue_progress WHERE mark IS NULL",
  );
  if (row === undefined) return;
  const stored = Number(row.applied);
  const { log, recovered } = await FileLog.open(folder, () => ({ stored, checkpointed: stored }));
  await log.close();
  const waiting = recovered.entries.length;
  if (waiting === 0) return;
  throw new CensusError(
    "bad-file",
    `${folder}: ${waiting} commands wait here; start once without command-log, so that they are stored, then with it`,
  );
}
