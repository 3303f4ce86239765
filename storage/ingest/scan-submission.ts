import { createGunzip, gunzipSync } from "node:zlib";
import { BoundsError, type CommandBounds } from "../wire/bounds.ts";
import { isQuotedJson, QuotedJson } from "../wire/quoted-json.ts";
import { Scan } from "../wire/scan.ts";
import { payloadBytes, type Submission } from "./submission.ts";
import { unpackedSize } from "./unpacked-size.ts";
import { Yielder } from "./yielder.ts";

/** Bytes that are scanned at a time where a payload is large. */
const PIECE = 64 * 1024;

/** Payloads of at most this many bytes are unpacked and scanned at once, in less time than another thread needs to begin. */
const SMALL = 256 * 1024;

/**
 * Scans a command before it is acknowledged. Large ones are scanned in pieces, and unpacked on another thread without storing the
 * result.
 * @returns the command with its content; a promise for large ones. One that is not packed as its encoding says is returned as it
 *   is: reading it fails
 * @throws BoundsError, or rejects with it
 */
export function scanSubmission(submission: Submission, bounds: CommandBounds): Submission | Promise<Submission> {
  const size = unpackedSize(submission);
  if (size === undefined || size > SMALL) {
    return submission.encoding === undefined ? scanPlain(submission, bounds) : scanPacked(submission, bounds);
  }
  const payload = submission.encoding === undefined ? payloadBytes(submission) : unpackedSmall(submission);
  return payload === undefined ? submission : scanned(submission, bounds, [payload]);
}

/** Undefined where it is not packed as its encoding says. */
function unpackedSmall({ payload }: Submission): Uint8Array | undefined {
  try {
    return gunzipSync(payload, { maxOutputLength: SMALL });
  } catch {
    return undefined;
  }
}

async function scanPlain(submission: Submission, bounds: CommandBounds): Promise<Submission> {
  const payload = payloadBytes(submission);
  const pieces = new Pieces(submission, bounds);
  const yielder = new Yielder();
  for (let at = 0; at < payload.length; at += PIECE) {
    pieces.add(payload.subarray(at, at + PIECE));
    if (yielder.isDue()) await yielder.yield();
  }
  return pieces.end();
}

async function scanPacked(submission: Submission, bounds: CommandBounds): Promise<Submission> {
  const pieces = new Pieces(submission, bounds);
  const unpacking = createGunzip({ chunkSize: PIECE });
  unpacking.end(submission.payload);
  try {
    for await (const piece of unpacking) pieces.add(piece as Buffer);
  } catch (error) {
    if (error instanceof BoundsError) throw error;
    return submission;
  }
  return pieces.end();
}

function scanned(submission: Submission, bounds: CommandBounds, pieces: Iterable<Uint8Array>): Submission {
  const all = new Pieces(submission, bounds);
  for (const piece of pieces) all.add(piece);
  return all.end();
}

/** Scans a payload in pieces; of one that is a text also what the text contains. */
class Pieces {
  readonly #submission: Submission;
  readonly #scan: Scan;
  readonly #contents: Scan;
  #text: QuotedJson | undefined;
  #isFirst = true;

  constructor(submission: Submission, bounds: CommandBounds) {
    this.#submission = submission;
    this.#scan = new Scan(submission, bounds);
    this.#contents = new Scan(submission, bounds);
  }

  add(piece: Uint8Array): void {
    if (this.#isFirst && isQuotedJson(piece)) this.#text = new QuotedJson();
    this.#isFirst = false;
    this.#scan.add(piece);
    if (this.#text !== undefined) this.#contents.add(this.#text.add(piece));
  }

  end(): Submission {
    return { ...this.#submission, content: this.#scan.end() ?? null };
  }
}
