import type { Submission } from "../ingest/submission.ts";
import type { Timestamp } from "../time.ts";

/** An attempt at a command that failed. */
export interface Fault {
  readonly at: Timestamp;
  readonly message: string;
}

/** A command in the queue, without its payload. */
export interface QueueEntry extends Omit<Submission, "payload"> {
  /** Increases with every command; never used twice in one queue. */
  readonly id: number;
  /** Bytes of the payload as stored in the queue. */
  readonly size: number;
  /** Bytes of a packed payload once unpacked, if known. */
  readonly unpackedSize?: number;
  /** Earlier attempts, oldest first. */
  readonly faults: readonly Fault[];
}

/** A command on its way into the queue. */
export type NewEntry = Omit<QueueEntry, "id" | "size">;

/** A command on its way into the queue, with its payload. */
export interface NewCommand {
  readonly entry: NewEntry;
  readonly payload: Uint8Array;
}

/** Commands that the log still has. */
export interface Retained {
  /** By id, ascending; without those that wait for another try. */
  readonly entries: readonly QueueEntry[];
  /** Those that were written up to this id are among them; not those that came later. */
  readonly through: number;
}

/** Holds commands from their acknowledgement until they are stored. */
export interface CommandLog {
  /**
   * Whether an appended payload of so many bytes may be kept as it is instead of being copied, so that its memory must not be
   * reused.
   * @param isWanted see {@link append}
   */
  keepsPayload(size: number, isWanted: boolean): boolean;
  /**
   * Adds a command; resolves when it is durable.
   * @param isWanted whether the payload will be read soon
   * @throws CensusError "unavailable" when it could not be kept; then it is not in the queue
   */
  append(entry: NewEntry, payload: Uint8Array, isWanted?: boolean): Promise<QueueEntry>;
  /**
   * Adds commands, all or none of them; resolves when they will survive as {@link append}'s do.
   * @returns them in their order
   * @throws what `commands` throws; CensusError "unavailable" when they could not be kept
   */
  appendAll(commands: AsyncIterable<NewCommand>): Promise<readonly QueueEntry[]>;
  /** The payload of a command that has not been released or is postponed. */
  read(entry: QueueEntry): Promise<Uint8Array>;
  /**
   * Keeps a command that has failed, with its faults, until {@link settle}; {@link release} does not remove it. A second call
   * replaces what the first one kept.
   */
  postpone(entry: QueueEntry, payload: Uint8Array): Promise<void>;
  /** A command that may have been postponed has been stored. */
  settle(id: number): Promise<void>;
  /** A command was discarded: it is never tried again, even if the database loses data. */
  drop(id: number): Promise<void>;
  /** Everything up to and including this id has been dealt with, or postponed. */
  release(through: number): Promise<void>;
  /** Everything up to and including this id is in the database file: the log may remove it. */
  checkpointed(through: number): Promise<void>;
  /** Commands after this id that the log still has, released ones included, for a database that has lost their data. */
  retained(after: number): Promise<Retained>;
  /** Bytes that could be removed if everything up to this id were in the database file. */
  keptBytes(through: number): number;
  /** Frees what is reserved for future commands, if none waits. */
  rest(): Promise<void>;
  close(): Promise<void>;
}
