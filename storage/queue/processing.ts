import { memoryBudget } from "../memory/budget.ts";
import type { NewEntry, QueueEntry } from "./entry.ts";
import type { Waiting } from "./waiting-line.ts";
import type { Attempt } from "../ingest/prepare-result.ts";
import type { Outcome } from "../ingest/outcome.ts";
import { unpackedSize } from "../ingest/unpacked-size.ts";
import type { Prepared } from "../ingest/prepared.ts";
import type { Submission } from "../ingest/submission.ts";

/** What became of a command the first time it was tried. */
export type Processing =
  | { readonly kind: "done"; readonly outcome: Outcome }
  /** Its payload can never be stored. */
  | { readonly kind: "refused"; readonly error: Error }
  /** It failed while being stored; it may yet succeed. */
  | { readonly kind: "failed"; readonly error: Error };

/** A command that will not be lost any more. */
export interface Accepted {
  readonly id: number;
  /** Whether nobody looks into its payload any more: all that it says is known already, and the log has its own copy. */
  readonly isPayloadFree: boolean;
  /** What becomes of it when it is first tried, for those who said that they would wait; never rejects. */
  readonly processed: Promise<Processing>;
}

/** A command in the line, prepared beforehand where that was done as it came. */
export type Taken = Waiting<Attempt>;

export interface Batch {
  readonly taken: readonly Taken[];
  readonly attempts: Promise<readonly Attempt[]>;
}

export const NOT_PREPARED: Attempt = { problem: "it was not prepared", isDefect: true };

/** A command of a batch that can be written. */
export interface Ready {
  readonly entry: QueueEntry;
  readonly prepared: Prepared;
}

/** What a packed command's entry says of its size: of one that does not say it, the most that it can be. */
export function unpackedSizeOf(submission: Submission): Pick<NewEntry, "unpackedSize"> {
  if (submission.encoding === undefined) return {};
  return { unpackedSize: unpackedSize(submission) ?? memoryBudget().batch.bytes };
}
