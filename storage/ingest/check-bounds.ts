import { createGunzip } from "node:zlib";
import { BoundsError, type CommandBounds, Survey, surveyedFrom } from "../wire/bounds.ts";
import { Pace } from "./yielder.ts";
import { unpackedSize } from "./unpacked-size.ts";
import { payloadBytes, type Submission } from "./submission.ts";

/** Bytes that are surveyed at a time: a fraction of a millisecond. */
const PIECE = 64 * 1024;

/**
 * Checks a command before it is acknowledged. Most are too small to exceed any bound, which their size tells; of the others
 * the event loop does a piece at a time, and what is packed is unpacked on another thread without being kept.
 * @returns undefined where there is nothing to wait for; else it rejects with a BoundsError for a command that exceeds a
 *   bound, and resolves for all others, those that are not what their encoding says included
 */
export function checkBounds(submission: Submission, bounds: CommandBounds): Promise<void> | undefined {
  const size = unpackedSize(submission);
  if (size !== undefined && size < surveyedFrom(submission.command, bounds)) return undefined;
  return submission.encoding === undefined ? surveyPlain(submission, bounds) : surveyPacked(submission, bounds);
}

async function surveyPlain(submission: Submission, bounds: CommandBounds): Promise<void> {
  const payload = payloadBytes(submission);
  const survey = new Survey(submission, bounds);
  const pace = new Pace();
  for (let at = 0; at < payload.length; at += PIECE) {
    survey.add(payload.subarray(at, at + PIECE));
    if (pace.isDue()) await pace.rest();
  }
}

async function surveyPacked(submission: Submission, bounds: CommandBounds): Promise<void> {
  const survey = new Survey(submission, bounds);
  const unpacking = createGunzip({ chunkSize: PIECE });
  unpacking.end(submission.payload);
  try {
    for await (const piece of unpacking) survey.add(piece as Buffer);
  } catch (error) {
    // What is not gzip is found out when it is read, and is a dead letter then.
    if (error instanceof BoundsError) throw error;
  }
}
