import type { Timestamp } from "#storage/time.ts";
import type { WriteOptions } from "../output/rows.ts";
import type { TextOutput } from "../stdout.ts";
import type { Outcome } from "./outcome.ts";

/** What was checked. */
export interface CheckReport {
  readonly outcomes: readonly Outcome[];
  /** The name of the source. */
  readonly source: string;
  /** The name of the source that it was compared with. */
  readonly against: string | undefined;
  readonly now: () => Promise<Timestamp>;
}

export type ReportWriter = (report: CheckReport, output: TextOutput, options: WriteOptions) => Promise<void>;
