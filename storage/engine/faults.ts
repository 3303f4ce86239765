import { messageOf } from "../errors.ts";

/** What the engine says of a block, a header or a log whose bytes are not those that it wrote. */
const DAMAGE =
  /^(?:\w+ Error: |Failed to commit: )*(?:Corrupt (?:database|WAL|Encrypted)|Serialization Error|Failure while replaying WAL|Could not read enough bytes from file|.*computed checksum \d+ does not match stored checksum)/;

/**
 * What it says when it could not write. A commit fails for its file, whatever the system's words are (`Could not write`,
 * `Cannot open`), unless memory ran out, or what was stored contradicts itself or a transaction beside it.
 */
const WRITE =
  /^(?:IO Error|FATAL Error|(?:TransactionContext Error: )?Failed to commit(?!.*(?:constraint|conflict|Out of Memory|failed to (?:allocate|pin))))/i;

/** What it says when it refuses everything until its file is opened again. */
const INVALIDATED = /^(?:\w+ Error: |Failed to commit: )*FATAL Error|database has been invalidated/;

/**
 * Whether bytes of the database file are damaged, which does not pass by itself. Only the first line of the message counts:
 * the rest may quote a value.
 */
export function isDamage(error: unknown): boolean {
  return DAMAGE.test(messageOf(error).split("\n")[0] ?? "");
}

/** Whether the engine could not write its log or its file: no statement is the cause, and it may work later. */
export function isWriteFault(error: unknown): boolean {
  return WRITE.test(messageOf(error).split("\n")[0] ?? "");
}

/** Whether the engine's log or file may not have what the engine believes it has: it must be opened again. */
export function isFileFault(error: unknown): boolean {
  return isWriteFault(error) || isInvalidated(error) || messageOf(error).startsWith("INTERNAL Error");
}

/** Whether the engine refuses everything until its file is opened again. */
export function isInvalidated(error: unknown): boolean {
  return INVALIDATED.test(messageOf(error));
}

/** Whether a file cannot be opened because of its log alone. */
export function isLogFault(error: unknown): boolean {
  return /\bWAL\b|\.wal\b|Serialization Error|INTERNAL Error/.test(messageOf(error));
}
