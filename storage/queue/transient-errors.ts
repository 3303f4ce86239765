import { isWriteFault } from "../engine/faults.ts";
import { CensusError, messageOf, systemCodeOf } from "../errors.ts";

/** The engine's messages when its file could not be reopened after an error. */
const CLOSED = /^(?:Failed to query: connection disconnected|Failed to connect: instance closed)/;

/** The system's codes for such errors. */
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
 * Whether the same work may succeed later: the disk is full or does not respond. Only the beginning of the message counts,
 * since the rest of it may quote a payload.
 */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof CensusError) return error.code === "unavailable";
  return isWriteFault(error) || CLOSED.test(messageOf(error)) || SYSTEM.has(systemCodeOf(error) ?? "");
}
