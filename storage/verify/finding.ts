/** Something that is wrong with a data directory. */
export interface Finding {
  /** `damaged`: something is lost or cannot be read; `notice`: it should be known, and nothing is lost by it. */
  readonly severity: "damaged" | "notice";
  /** The file, and where in it. */
  readonly place: string;
  /** What is wrong, with the engine's or the system's words. */
  readonly problem: string;
  /** What to do about it. */
  readonly remedy: string;
}

/** Told of each finding. */
export type Report = (finding: Finding) => void;

/** Restoring is the way out of whatever damage the engine's file has. */
export const RESTORE =
  "restore a backup and start once with --accept-loss: what the queue keeps is stored again (docs/recovery.md)";

/** How much was read. */
export interface Read {
  readonly tables: number;
  readonly rows: number;
  readonly commands: number;
  readonly postponed: number;
  readonly deadLetters: number;
}
