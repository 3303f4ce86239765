import { CensusError, messageOf } from "../errors.ts";
import { hasOtherChecksum } from "./checksum.ts";
import { prepare, prepareKnown, type PrepareOptions } from "./prepare.ts";
import type { Prepared } from "./prepared.ts";
import type { Submission } from "./submission.ts";

/** A command prepared, or why it can never be; plain data, so that it can cross threads. */
export type Attempt =
  | {
      readonly prepared: Prepared;
      /** It came with a checksum, and that is not its payload's. */
      readonly hasOtherChecksum: boolean;
    }
  | { readonly problem: string; readonly isDefect: boolean };

/**
 * Prepares each command by itself: a bad one does not touch its neighbours.
 * @param stored for each command, what its node's present content is told by
 */
export function attemptAll(
  submissions: readonly Submission[],
  stored: readonly (string | undefined)[],
  options: Omit<PrepareOptions, "stored">,
): Attempt[] {
  return submissions.map((submission, index) =>
    attempt(submission, () => prepare(submission, { ...options, stored: stored[index] })),
  );
}

/**
 * Prepares a command if its node has its content already.
 * @param stored what that is told by
 * @returns undefined where the content is another one
 */
export function attemptKnown(submission: Submission, stored: string): Attempt | undefined {
  return attempt(submission, () => prepareKnown(submission, stored));
}
function attempt(submission: Submission, make: () => Prepared): Attempt;
function attempt(submission: Submission, make: () => Prepared | undefined): Attempt | undefined;
function attempt(submission: Submission, make: () => Prepared | undefined): Attempt | undefined {
  try {
    const prepared = make();
    return prepared && { prepared, hasOtherChecksum: hasOtherChecksum(submission) };
  } catch (error) {
    const isDefect = !(error instanceof CensusError);
    const problem = isDefect && error instanceof Error ? (error.stack ?? error.message) : messageOf(error);
    return { problem, isDefect };
  }
}

/** The error that an attempt ended in. */
export function problemOf(attempt: Extract<Attempt, { problem: string }>): Error {
  return attempt.isDefect ? new Error(attempt.problem) : new CensusError("bad-input", attempt.problem);
}
