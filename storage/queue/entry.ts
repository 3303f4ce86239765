import type { Submission } from "../ingest/submission.ts";
import type { Maintenance, Turn } from "../lifecycle/maintenance.ts";
import type { Timestamp } from "../time.ts";

/** An attempt at a command that failed. */
export interface Fault {
  readonly at: Timestamp;
  readonly message: string;
}

/** A command in the queue, without its payload. */
export interface QueueEntry extends Omit<Submission, "payload" | "content"> {
  /** Increases with every command; never reused in one queue. */
  readonly id: number;
  /** Bytes of the payload as stored in the queue. */
  readonly size: number;
  /** Bytes of a packed payload once unpacked, if known. */
  readonly unpackedSize?: number;
  /** Earlier attempts, oldest first. */
  readonly faults: readonly Fault[];
  /** Distinguishes an entry of a log that several processes follow from any other entry of any log. */
  readonly mark?: string;
}

/** A command that is to be added to the queue. */
export type NewEntry = Omit<QueueEntry, "id" | "size">;

/** A command that is to be added to the queue, with its payload. */
export interface NewCommand {
  readonly entry: NewEntry;
  readonly payload: Uint8Array;
}

/** Commands that the log still has. */
export interface Retained {
  /** By id, ascending; without postponed ones. */
  readonly entries: readonly QueueEntry[];
  /** Commands that were written up to this id are included; later ones are not. */
  readonly through: number;
}

/** Stores commands from their acknowledgement until they are in the database. */
export interface CommandLog {
  /**
   * Whether the log may keep an appended payload without copying it, so that its memory must not be reused.
   * @param size bytes of the payload
   * @param isWanted see {@link append}
   */
  keepsPayload(size: number, isWanted: boolean): boolean;
  /**
   * Adds a command; resolves when it is durable.
   * @param isWanted whether the payload will be read soon
   * @throws CensusError "unavailable" when it could not be stored; then it is not in the queue
   */
  append(entry: NewEntry, payload: Uint8Array, isWanted?: boolean): Promise<QueueEntry>;
  /**
   * Adds commands, all or none; resolves when they are as durable as those of {@link append}.
   * @returns them in their order
   * @throws errors of `commands`; CensusError "unavailable" when they could not be stored
   */
  appendAll(commands: AsyncIterable<NewCommand>): Promise<readonly QueueEntry[]>;
  /** The payload of a command that has not been released or is postponed. */
  read(entry: QueueEntry): Promise<Uint8Array>;
  /**
   * Stores a failed command with its faults until {@link settle}; {@link release} does not remove it. A second call
   * replaces the first.
   */
  postpone(entry: QueueEntry, payload: Uint8Array): Promise<void>;
  /** A command that may have been postponed has been stored. */
  settle(id: number): Promise<void>;
  /** A command was discarded: it is never tried again, even if the database loses data. */
  drop(id: number): Promise<void>;
  /** All commands up to and including this id are processed or postponed. */
  release(through: number): Promise<void>;
  /** All commands up to and including this id are in the database file: the log may remove them. */
  checkpointed(through: number): Promise<void>;
  /**
   * Commands after this id that the log still has, including released ones, for a database that has lost their data.
   */
  retained(after: number): Promise<Retained>;
  /** Bytes that could be removed if all commands up to this id were in the database file. */
  removableBytes(through: number): number;
  /** Frees what is reserved for future commands, if no command waits. */
  freeReserved(): Promise<void>;
  close(): Promise<void>;
}

/** Maintenance of all stores that follow a log, as of the time when it was requested. */
export interface LoggedMaintenance {
  readonly id: number;
  readonly mark: string;
  /** When it was requested: all horizons are relative to it. */
  readonly asOf: Timestamp;
  readonly change: Maintenance;
}

/** What stores the entries of a log, in their order. */
export interface Follower {
  /** Receives commands; resolves when more may come. */
  commands(entries: readonly QueueEntry[]): Promise<void>;
  /** Receives maintenance; resolves when it is stored. */
  maintenance(entry: LoggedMaintenance): Promise<void>;
}

/** The store that is to follow a log. */
export interface FollowingStore {
  /** Distinguishes it from stores that are not copies of it. */
  readonly identity: string;
  /** Whether nothing has ever been stored in it. */
  readonly isEmpty: boolean;
  /** How far it has stored a log; undefined: it has followed none. */
  readonly position: LogPosition | undefined;
}

/** A place in a log that several processes follow. */
export interface LogPosition {
  /** The identity of the log. */
  readonly log: string;
  /** The id of the last entry that is stored; 0: none is. */
  readonly id: number;
  /** The mark of that entry. */
  readonly mark: string | undefined;
}

/**
 * Opens a log for a store.
 * @throws CensusError "bad-file" if the store may not follow it from where it is
 */
export type OpenReplicatedLog = (store: FollowingStore) => Promise<ReplicatedLog>;

/** A log that several processes append to and follow. What is appended comes back in the order of the log. */
export interface ReplicatedLog {
  /** Distinguishes this log from any other. */
  readonly identity: string;
  /**
   * Adds a command; resolves when it is durable.
   * @throws CensusError "unavailable" when it could not be stored; then it is not in the log
   */
  append(entry: NewEntry, payload: Uint8Array): Promise<QueueEntry>;
  /** See {@link CommandLog.appendAll}. */
  appendAll(commands: AsyncIterable<NewCommand>): Promise<readonly QueueEntry[]>;
  /** Reports to the other stores of the log, besides its own problems, what prevents this store from storing. */
  reportProblem(read: () => string | undefined): void;
  /** Delivers all entries after this id, those that others append too; another call replaces the one before. */
  follow(after: number, follower: Follower): void;
  /**
   * Adds maintenance, which stores do when they reach it.
   * @param turn if this is a periodic run
   * @returns false if another process has added the same run
   * @throws CensusError "unavailable" when it could not be stored
   */
  appendMaintenance(entry: Omit<LoggedMaintenance, "id">, turn?: Turn): Promise<boolean>;
  /** The payload of a command that was delivered and not released. */
  read(entry: QueueEntry): Promise<Uint8Array>;
  /** All entries up to and including this id are stored. */
  release(through: number): Promise<void>;
  /** The mark of an entry that has been delivered and not been released. */
  markOf(id: number): string | undefined;
  /** Receives what this store had at a position, to be compared with what others had there. */
  compare(found: ContentAt): void;
  /** How far it has been read, and whether it can be. */
  readonly state: ReplicatedLogState;
  close(): Promise<void>;
}

/** What a store had at a position in a log. */
export interface ContentAt {
  readonly position: number;
  /** Contents of different versions of the tables are not compared. */
  readonly schema: number;
  /** The fingerprint of each table. */
  readonly tables: Readonly<Record<string, string>>;
}

/** The state of a log that several processes follow. */
export interface ReplicatedLogState {
  /** The id of the last entry that is known to be in the log. */
  readonly head: number;
  /** Why the log cannot be read or written at present; undefined: it can be. */
  readonly problem: string | undefined;
  /** Whether the problem lasts: what is stored here may be much older than what other processes have. */
  readonly isLasting: boolean;
  /** When the oldest entry that is read and not stored was received; undefined: all are stored. */
  readonly oldest: Timestamp | undefined;
  /** Milliseconds for which that entry has waited here. */
  readonly waiting: number;
  /** Milliseconds since the log answered the last time; undefined: it has not since the start. */
  readonly silence: number | undefined;
  /** What was found when the content was compared the last time; undefined: it has not been. */
  readonly comparison: Comparison | undefined;
}

/** A comparison with other stores at one position. */
export interface Comparison {
  readonly position: number;
  /** The names of the stores that had the same there, and of those that had something else. */
  readonly equal: readonly string[];
  readonly different: readonly string[];
}
