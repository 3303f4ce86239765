import type { Submission } from "../ingest/submission.ts";
import type { Timestamp } from "../time.ts";
import type { NewCommand } from "./bundle.ts";

/** An attempt at a command that failed. */
export interface Fault {
  readonly at: Timestamp;
  readonly message: string;
}

/** What is known of a command in the queue besides its payload. */
export interface QueueEntry extends Omit<Submission, "payload"> {
  /** Increases with every command; never used twice in one queue. */
  readonly id: number;
  /** Bytes of the payload as it lies in the queue. */
  readonly size: number;
  /** Bytes of it once unpacked, where it is packed and that is known. */
  readonly unpackedSize?: number;
  /** Earlier attempts, oldest first. */
  readonly faults: readonly Fault[];
}

/** A command on its way into the queue. */
export type NewEntry = Omit<QueueEntry, "id" | "size">;

/** Commands that are kept still. */
export interface Retained {
  /** By id, ascending; without those that wait for another try. */
  readonly entries: readonly QueueEntry[];
  /** Those that were written up to this id are among them; not those that came later. */
  readonly through: number;
}

/** Where commands lie between their acknowledgement and their being stored. */
export interface CommandLog {
  /** Whether payloads stay where they are as they are appended, rather than being copied somewhere else. */
  readonly holdsPayloads: boolean;
  /**
   * Adds a command; resolves when it will survive whatever happens to this process and this machine.
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
   * Keeps a command that has failed, with its faults, until {@link settle}: `release` passes over it. Called again it
   * replaces what was kept.
   */
  postpone(entry: QueueEntry, payload: Uint8Array): Promise<void>;
  /** A command that may have been postponed has been stored. */
  settle(id: number): Promise<void>;
  /** A command is kept as a dead letter, or nowhere: it is never tried again, whatever the database loses. */
  drop(id: number): Promise<void>;
  /** Everything up to and including this id has been dealt with, or postponed. */
  release(through: number): Promise<void>;
  /** Everything up to and including this id is in the database file: it need not be kept any more. */
  checkpointed(through: number): Promise<void>;
  /** Commands behind this id that are kept still, released ones as well, for a database that has lost what they did. */
  retained(after: number): Promise<Retained>;
  /** Bytes that need not be kept once everything up to this id is in the database file. */
  keptBytes(through: number): number;
  /** Gives back what is kept for commands to come, where none waits. */
  rest(): Promise<void>;
  close(): Promise<void>;
}
