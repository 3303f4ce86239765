import { createGunzip, gunzipSync } from "node:zlib";
import { BoundsError, type CommandBounds, isNestedDeeper, Survey, surveyedFrom } from "../wire/bounds.ts";
import { isQuotedJson, QuotedJson } from "../wire/quoted-json.ts";
import { Yielder } from "./yielder.ts";
import { unpackedSize } from "./unpacked-size.ts";
import { payloadBytes, type Submission } from "./submission.ts";

/** Bytes that are checked at a time, in a fraction of a millisecond. */
const PIECE = 64 * 1024;

/** Packed payloads of at most this many bytes are unpacked at once, in less time than another thread needs to begin. */
const SMALL = 256 * 1024;

/**
 * Checks a command before it is acknowledged. Most commands are too small to exceed any bound but that on depth, so that
 * counting their brackets is enough; others are checked in pieces, and packed ones are unpacked on another thread without
 * storing the result.
 * @returns undefined where it is within the bounds; otherwise a promise that rejects with a BoundsError for a command that
 *   exceeds a bound, and resolves for all others, even those that are not packed as their encoding says
 */
export function checkBounds(submission: Submission, bounds: CommandBounds): Promise<void> | undefined {
  const size = unpackedSize(submission);
  if (size !== undefined && size <= bounds.depth) return undefined;
  if (size !== undefined && size < surveyedFrom(submission.command, bounds)) {
    const payload = smallPayload(submission, size);
    if (payload !== undefined && isFlat(payload, bounds)) return undefined;
  }
  return submission.encoding === undefined ? surveyPlain(submission, bounds) : surveyPacked(submission, bounds);
}

/** @returns undefined where it is not worth unpacking at once, or cannot be */
function smallPayload(submission: Submission, size: number): Uint8Array | undefined {
  if (submission.encoding === undefined) return payloadBytes(submission);
  if (size > SMALL) return undefined;
  try {
    return gunzipSync(submission.payload, { maxOutputLength: SMALL });
  } catch {
    return undefined;
  }
}

function isFlat(payload: Uint8Array, { depth }: CommandBounds): boolean {
  return !isQuotedJson(payload) && !isNestedDeeper(payload, depth);
}

async function surveyPlain(submission: Submission, bounds: CommandBounds): Promise<void> {
  const payload = payloadBytes(submission);
  const add = surveyInPieces(submission, bounds);
  const yielder = new Yielder();
  for (let at = 0; at < payload.length; at += PIECE) {
    add(payload.subarray(at, at + PIECE));
    if (yielder.isDue()) await yielder.yield();
  }
}

async function surveyPacked(submission: Submission, bounds: CommandBounds): Promise<void> {
  const add = surveyInPieces(submission, bounds);
  const unpacking = createGunzip({ chunkSize: PIECE });
  unpacking.end(submission.payload);
  try {
    for await (const piece of unpacking) add(piece as Buffer);
  } catch (error) {
    // Data that are not gzip become a dead letter when they are read.
    if (error instanceof BoundsError) throw error;
  }
}

/** Surveys a payload in pieces; of one that is a text also what the text contains. */
function surveyInPieces(submission: Submission, bounds: CommandBounds): (piece: Uint8Array) => void {
  const survey = new Survey(submission, bounds);
  const contents = new Survey(submission, bounds);
  const text = new QuotedJson();
  return (piece) => {
    survey.add(piece);
    contents.add(text.add(piece));
  };
}
