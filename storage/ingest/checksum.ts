import { hash } from "node:crypto";
import { unpacked } from "./payload.ts";
import type { Submission } from "./submission.ts";

/**
 * SHA-1 of the payload's bytes once unpacked, in lower-case hexadecimal digits: what a command's `checksum` should be.
 * @throws CensusError "bad-input" when the payload is not packed as its encoding says
 */
export function checksumOf(submission: Submission): string {
  return hash("sha1", unpacked(submission));
}

/** Whether a command came with a checksum that is not its payload's. */
export function hasOtherChecksum(submission: Submission): boolean {
  const { checksum } = submission;
  return checksum !== undefined && checksum.toLowerCase() !== checksumOf(submission);
}
