import { isWriteFault } from "../engine/faults.ts";
import { CensusError, messageOf, systemCodeOf } from "../errors.ts";

/** What the engine says when its file could not be opened again after a fault. */
const CLOSED = /^(?:Failed to query: connection disconnected|Failed to connect: instance closed)/;

/** The system's codes for the same. */
const SYSTEM: ReadonlySet<string> = new Set([
  "ENOSPC",
  "EDQUOT",
  "EFBIG",
  "EIO",
  "EROFS",
  "EMFILE",
  "ENFILE",
  "EAGAIN",
]);

/**
 * Whether the same may work later: there is no room, or the disk does not answer. Told by the beginning of the message,
 * since the rest of it may quote a payload.
 */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof CensusError) return error.code === "unavailable";
  return isWriteFault(error) || CLOSED.test(messageOf(error)) || SYSTEM.has(systemCodeOf(error) ?? "");
}
