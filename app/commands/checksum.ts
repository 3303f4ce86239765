import { CensusError } from "#storage/errors.ts";
import { checksumOf, hasOtherChecksum } from "#storage/ingest/checksum.ts";
import type { Submission } from "#storage/ingest/submission.ts";

/**
 * What is wrong with a command's checksum, where a site wants that checked before the command is taken.
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
