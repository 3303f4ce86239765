import type { Submission } from "../ingest/submission.ts";
import type { Timestamp } from "../time.ts";

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
  /** Earlier attempts, oldest first. */
  readonly faults: readonly Fault[];
}

/** A command on its way into the queue. */
export type NewEntry = Omit<QueueEntry, "id" | "size">;

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
  /** The payload of a command that has not been released or is postponed. */
  read(entry: QueueEntry): Promise<Uint8Array>;
  /**
   * Keeps a command that has failed, with its faults, until {@link settle}: `release` passes over it. Called again it
   * replaces what was kept.
   */
  postpone(entry: QueueEntry, payload: Uint8Array): Promise<void>;
  /** A command that may have been postponed has been dealt with. */
  settle(id: number): Promise<void>;
  /** Everything up to and including this id has been dealt with, or postponed. */
  release(through: number): Promise<void>;
  /** Gives back what is kept for commands to come, where none waits. */
  rest(): Promise<void>;
  close(): Promise<void>;
}
