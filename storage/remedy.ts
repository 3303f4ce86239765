import { messageOf, systemCodeOf } from "./errors.ts";

interface Remedy {
  /** The text in the message of the system or of the engine. */
  readonly text: RegExp;
  readonly says: string;
}

const remedies: readonly Remedy[] = [
  { text: /ENOSPC|No space left/i, says: "free disk space" },
  { text: /EDQUOT|quota exceeded/i, says: "raise the quota or free disk space" },
  { text: /EMFILE|ENFILE|Too many open files/i, says: "raise the limit of open files (ulimit -n, LimitNOFILE)" },
  { text: /EROFS|Read-only file system/i, says: "mount the file system for writing" },
  { text: /EACCES|EPERM|Permission denied/i, says: "check the owner and mode of the data directory" },
  { text: /EIO|Input\/output error/i, says: "check the disk" },
];

/** Whether an error is one of the disk or of the system's limits, for which there is advice and that passes. */
export function isOfDisk(error: unknown): boolean {
  return remedyFor(error) !== undefined;
}

/** The advice for a database file whose bytes are damaged, as a sentence without a full stop. */
export const RESTORE = "Restore a backup (docs/recovery.md; census verify lists the damage)";

/** The advice for a disk error, in a few words without a full stop; afterwards the operation can be repeated. */
export function remedyOf(error: unknown): string {
  const found = remedyFor(error);
  return found === undefined ? "try again later" : `${found.says}, then try again`;
}

function remedyFor(error: unknown): Remedy | undefined {
  const text = `${systemCodeOf(error) ?? ""} ${messageOf(error).split("\n")[0]}`;
  return remedies.find((remedy) => remedy.text.test(text));
}
