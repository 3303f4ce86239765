/** An error or a notice about a data directory. */
export interface Finding {
  /** `damaged`: data are lost or unreadable; `notice`: worth knowing, and nothing is lost. */
  readonly severity: "damaged" | "notice";
  /** The file, and the place in it. */
  readonly place: string;
  /** The problem, with the message of the engine or the system. */
  readonly problem: string;
  /** What to do about it. */
  readonly remedy: string;
}

/** Called with each finding. */
export type Report = (finding: Finding) => void;

/** A backup is the remedy for any damage of the engine's file. */
export const RESTORE =
  "restore a backup and start once with --accept-loss: what the queue keeps is stored again (docs/recovery.md)";

/** The amounts that were read. */
export interface AmountsRead {
  readonly tables: number;
  readonly rows: number;
  readonly commands: number;
  readonly postponed: number;
  readonly deadLetters: number;
}
