import { messageOf } from "../errors.ts";

/** The engine's messages about a block, a header or a log whose bytes are damaged. */
const DAMAGE =
  /^(?:\w+ Error: |Failed to commit: )*(?:Corrupt (?:database|WAL|Encrypted)|Serialization Error|Failure while replaying WAL|Could not read enough bytes from file|.*computed checksum \d+ does not match stored checksum)/;

/**
 * The engine's messages when it could not write. A failed commit is an error of its file, whatever the system's message
 * is (`Could not write`, `Cannot open`), except where memory ran out, or where the data contradict themselves or
 * another transaction.
 */
const WRITE =
  /^(?:IO Error|FATAL Error|(?:TransactionContext Error: )?Failed to commit(?!.*(?:constraint|conflict|Out of Memory|failed to (?:allocate|pin))))/i;

/** The engine's messages when it rejects everything until its file is reopened. */
const INVALIDATED = /^(?:\w+ Error: |Failed to commit: )*FATAL Error|database has been invalidated/;

/**
 * Whether bytes of the database file are damaged, which is permanent. Only the first line of the message counts,
 * because the rest may quote a value.
 */
export function isDamage(error: unknown): boolean {
  return DAMAGE.test(messageOf(error).split("\n")[0] ?? "");
}

/** Whether the engine could not write its log or its file: the statement is not the cause, and it may succeed later. */
export function isWriteFault(error: unknown): boolean {
  return WRITE.test(messageOf(error).split("\n")[0] ?? "");
}

/** Whether the engine's log or file may lack what the engine has in memory: it must be reopened. */
export function isFileFault(error: unknown): boolean {
  return isWriteFault(error) || isInvalidated(error) || messageOf(error).startsWith("INTERNAL Error");
}

/** Whether the engine rejects everything until its file is reopened. */
export function isInvalidated(error: unknown): boolean {
  return INVALIDATED.test(messageOf(error));
}

/** Whether only the log prevents a file from being opened. */
export function isLogFault(error: unknown): boolean {
  return /\bWAL\b|\.wal\b|Serialization Error|INTERNAL Error/.test(messageOf(error));
}
