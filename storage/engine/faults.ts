import { messageOf } from "../errors.ts";

/** What the engine says of a block, a header or a log whose bytes are not those that it wrote. */
const DAMAGE =
  /^(?:\w+ Error: |Failed to commit: )*(?:Corrupt (?:database|WAL|Encrypted)|Serialization Error|Failure while replaying WAL|Could not read enough bytes from file|.*computed checksum \d+ does not match stored checksum)/;

/** What it says when it could not write, or gives a file up until it is opened anew. */
const FILE =
  /^(?:IO Error|FATAL Error|INTERNAL Error|TransactionContext Error: Failed to commit: (?:Could not|IO Error|FATAL Error)|Failed to commit)|has been invalidated/;

/**
 * Whether bytes of the database file are damaged, which does not pass by itself. Told by the beginning of the message, since
 * the rest of it may quote a value.
 */
export function isDamage(error: unknown): boolean {
  return DAMAGE.test(messageOf(error).split("\n")[0] ?? "");
}

/** Whether the engine's log or file may not be what the engine takes it for: it has to be opened anew. */
export function isFileFault(error: unknown): boolean {
  return FILE.test(messageOf(error));
}

/** Whether the engine refuses everything until its file is opened anew. */
export function isInvalidated(error: unknown): boolean {
  return /FATAL Error|has been invalidated/.test(messageOf(error));
}

/** Whether a file cannot be opened for its log alone. */
export function isLogFault(error: unknown): boolean {
  return /\bWAL\b|\.wal\b|Serialization Error|INTERNAL Error/.test(messageOf(error));
}
