import { createGunzip } from "node:zlib";
import { BoundsError, type CommandBounds, Survey, surveyedFrom } from "../wire/bounds.ts";
import { Yielder } from "./yielder.ts";
import { unpackedSize } from "./unpacked-size.ts";
import { payloadBytes, type Submission } from "./submission.ts";

/** Bytes that are checked at a time, in a fraction of a millisecond. */
const PIECE = 64 * 1024;

/**
 * Checks a command before it is acknowledged. Most commands are too small to exceed any bound, so that their size is
 * enough; others are checked in pieces, and packed ones are unpacked on another thread without storing the result.
 * @returns undefined where the size is enough; otherwise a promise that rejects with a BoundsError for a command that
 *   exceeds a bound, and resolves for all others, even those that are not packed as their encoding says
 */
export function checkBounds(submission: Submission, bounds: CommandBounds): Promise<void> | undefined {
  const size = unpackedSize(submission);
  if (size !== undefined && size < surveyedFrom(submission.command, bounds)) return undefined;
  return submission.encoding === undefined ? surveyPlain(submission, bounds) : surveyPacked(submission, bounds);
}

async function surveyPlain(submission: Submission, bounds: CommandBounds): Promise<void> {
  const payload = payloadBytes(submission);
  const survey = new Survey(submission, bounds);
  const yielder = new Yielder();
  for (let at = 0; at < payload.length; at += PIECE) {
    survey.add(payload.subarray(at, at + PIECE));
    if (yielder.isDue()) await yielder.yield();
  }
}

async function surveyPacked(submission: Submission, bounds: CommandBounds): Promise<void> {
  const survey = new Survey(submission, bounds);
  const unpacking = createGunzip({ chunkSize: PIECE });
  unpacking.end(submission.payload);
  try {
    for await (const piece of unpacking) survey.add(piece as Buffer);
  } catch (error) {
    // Data that are not gzip become a dead letter when they are read.
    if (error instanceof BoundsError) throw error;
  }
}
