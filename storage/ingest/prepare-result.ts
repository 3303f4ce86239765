import { CensusError, messageOf } from "../errors.ts";
import { plainOrQuoted } from "../wire/problems.ts";
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
  | {
      readonly problem: string;
      readonly isDefect: boolean;
      /** See {@link CensusError.logged}. */
      readonly logged?: string | undefined;
    };

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
    if (error instanceof CensusError) return { problem: error.message, isDefect: false, logged: error.logged };
    if (error instanceof RangeError) return { problem: outOfRange(submission, error), isDefect: false };
    return { problem: error instanceof Error ? (error.stack ?? error.message) : messageOf(error), isDefect: true };
  }
}

/** What V8 cannot do at all (a text that is too long, a stack that is too deep) it cannot do the next time either. */
function outOfRange({ command, version, certname }: Submission, error: RangeError): string {
  return `${command} v${version} of ${plainOrQuoted(certname)}: it is too large or nested too deep: ${error.message}`;
}

/** The error that an attempt ended in. */
export function problemOf(attempt: Extract<Attempt, { problem: string }>): Error {
  const { problem, isDefect, logged } = attempt;
  return isDefect ? new Error(problem) : new CensusError("bad-input", problem, { logged });
}
