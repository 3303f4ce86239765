import { CensusError, messageOf } from "../errors.ts";
import type { Content } from "../wire/scan.ts";
import { plainOrQuoted } from "../wire/problems.ts";
import { hasOtherChecksum } from "./checksum.ts";
import { prepare, type PrepareOptions, prepareUnchanged } from "./prepare.ts";
import type { Prepared } from "./prepared.ts";
import type { Submission } from "./submission.ts";

/** A prepared command, or why it can never be stored; plain data, so that it can cross from one thread to another. */
export type PrepareResult =
  | {
      readonly prepared: Prepared;
      /** Whether the command came with a checksum that is not its payload's. */
      readonly hasOtherChecksum: boolean;
    }
  | {
      readonly problem: string;
      readonly isDefect: boolean;
      /** Whether another machine, with more memory, could prepare it. */
      readonly isOfMachine?: boolean | undefined;
      /** See {@link CensusError.logged}. */
      readonly logged?: string | undefined;
    };

/** Prepares each command by itself: an invalid one does not affect the others. */
export function prepareAll(submissions: readonly Submission[], options: PrepareOptions): PrepareResult[] {
  return submissions.map((submission) =>
    resultOf(submission, () => {
      // Preparing may free the payload.
      const isOther = hasOtherChecksum(submission);
      return { prepared: prepare(submission, options), hasOtherChecksum: isOther };
    }),
  );
}

/** Prepares a command whose content is what its node has stored. */
export function unchangedResult(submission: Submission, content: Content): PrepareResult {
  return resultOf(submission, () => ({
    prepared: prepareUnchanged(submission, content),
    hasOtherChecksum: hasOtherChecksum(submission),
  }));
}

function resultOf(submission: Submission, make: () => PrepareResult): PrepareResult {
  try {
    return make();
  } catch (error) {
    if (error instanceof CensusError) return { problem: error.message, isDefect: false, logged: error.logged };
    if (error instanceof RangeError) return { problem: outOfRange(submission, error), isDefect: false };
    return { problem: error instanceof Error ? (error.stack ?? error.message) : messageOf(error), isDefect: true };
  }
}

/** A string that is too long or a stack that is too deep for V8 will be so in the next attempt as well. */
function outOfRange({ command, version, certname }: Submission, error: RangeError): string {
  return `${command} v${version} of ${plainOrQuoted(certname)}: it is too large or nested too deep: ${error.message}`;
}

/** The error for a command that could not be prepared. */
export function errorOf(result: Extract<PrepareResult, { problem: string }>): Error {
  const { problem, isDefect, logged } = result;
  return isDefect ? new Error(problem) : new CensusError("bad-input", problem, { logged });
}
