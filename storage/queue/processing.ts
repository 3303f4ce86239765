import type { Outcome } from "../ingest/outcome.ts";

/** The result of the first attempt to store a command. */
export type Processing =
  | { readonly kind: "done"; readonly outcome: Outcome }
  /** Its payload can never be stored. */
  | { readonly kind: "refused"; readonly error: Error }
  /** Storing it failed; a later attempt may succeed. */
  | { readonly kind: "failed"; readonly error: Error };

/** A command that is durable. */
export interface Accepted {
  readonly id: number;
  /** Whether nothing reads the given payload any more, because the log has its own copy. */
  readonly isPayloadFree: boolean;
  /** The result of the first attempt, for callers that wait for it; never rejects. */
  readonly processed: Promise<Processing>;
}
