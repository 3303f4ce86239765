import { createHash, hash } from "node:crypto";
import { unpacked } from "./payload.ts";
import type { Submission } from "./submission.ts";

/**
 * SHA-1 of the payload's bytes once unpacked, in lower-case hexadecimal digits: what a command's `checksum` should be.
 * @throws CensusError "bad-input" when the payload is not packed as its encoding says
 */
export function checksumOf(submission: Submission): string {
  return hash("sha1", unpacked(submission));
}

/**
 * Whether a command came with a checksum that is neither its payload's nor, as Puppet's terminus has it, that of the
 * message which the deprecated form of the command would be.
 * @throws CensusError "bad-input" when the payload is not packed as its encoding says
 */
export function hasOtherChecksum(submission: Submission): boolean {
  const checksum = submission.checksum?.toLowerCase();
  if (checksum === undefined) return false;
  const payload = unpacked(submission);
  return checksum !== hash("sha1", payload) && checksum !== messageChecksum(submission, payload);
}

function messageChecksum({ command, version, certname }: Submission, payload: Buffer): string {
  const head = JSON.stringify({ command, version, certname }).slice(0, -1);
  return createHash("sha1").update(`${head},"payload":`).update(payload).update("}").digest("hex");
}
