import { CensusError } from "#storage/errors.ts";
import { checksumOf } from "#storage/ingest/checksum.ts";
import type { Submission } from "#storage/ingest/submission.ts";

/**
 * What is wrong with a command's checksum, where a site wants that checked before the command is taken.
 * @returns the message of the refusal; undefined when nothing is wrong
 */
export function checksumProblem(submission: Submission): string | undefined {
  const { checksum } = submission;
  if (checksum === undefined) return undefined;
  try {
    const actual = checksumOf(submission);
    if (checksum.toLowerCase() === actual) return undefined;
    return `The checksum ${JSON.stringify(checksum)} is not that of the payload, which is ${actual}.`;
  } catch (error) {
    if (error instanceof CensusError) return error.message;
    throw error;
  }
}
