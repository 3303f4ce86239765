import { CensusError } from "#storage/errors.ts";
import { checksumOf, hasOtherChecksum } from "#storage/ingest/checksum.ts";
import type { Submission } from "#storage/ingest/submission.ts";

/**
 * Checks a command's checksum, if the settings require that, before the command is accepted.
 * @returns the message of the refusal; undefined when nothing is wrong
 */
export function checksumProblem(submission: Submission): string | undefined {
  try {
    if (!hasOtherChecksum(submission)) return undefined;
    return `The checksum ${JSON.stringify(submission.checksum)} is not that of the payload, which is ${checksumOf(submission)}.`;
  } catch (error) {
    if (error instanceof CensusError) return error.message;
    throw error;
  }
}
