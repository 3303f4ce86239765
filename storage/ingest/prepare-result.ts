import { CensusError, messageOf } from "../errors.ts";
import { plainOrQuoted } from "../wire/problems.ts";
import { hasOtherChecksum } from "./checksum.ts";
import { prepare, type PrepareOptions, prepareUnchanged } from "./prepare.ts";
import type { Prepared } from "./prepared.ts";
import type { SteadyDigests } from "./shortcuts/volatile-part.ts";
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

/** A command to prepare, and the digest of the content that its node has stored, if that is known. */
export interface PrepareTask {
  readonly submission: Submission;
  readonly storedDigest: string | undefined;
  /** Digests of the fact set that its node has stored, if they are known. */
  readonly storedSteady?: SteadyDigests | undefined;
}

/** Prepares each command by itself: an invalid one does not affect the others. */
export function prepareAll(
  tasks: readonly PrepareTask[],
  options: Omit<PrepareOptions, "storedDigest" | "storedSteady">,
): PrepareResult[] {
  return tasks.map(({ submission, storedDigest, storedSteady }) =>
    resultOf(submission, () => {
      // Preparing may free the payload.
      const isOther = hasOtherChecksum(submission);
      return { prepared: prepare(submission, { ...options, storedDigest, storedSteady }), hasOtherChecksum: isOther };
    }),
  );
}

/**
 * Prepares a command only if its content is what its node has stored.
 * @returns undefined where the content is another one
 */
export function unchangedResult(submission: Submission, storedDigest: string): PrepareResult | undefined {
  return resultOf(submission, () => {
    const prepared = prepareUnchanged(submission, storedDigest);
    return prepared && { prepared, hasOtherChecksum: hasOtherChecksum(submission) };
  });
}

function resultOf<T extends PrepareResult | undefined>(submission: Submission, make: () => T): T | PrepareResult {
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
