import { gunzipSync } from "node:zlib";
import { CensusError, messageOf } from "../errors.ts";
import { type Json, parseJson } from "../json.ts";
import { BoundsError, boundSettings, defaultBounds } from "../wire/bounds.ts";
import { payloadBytes, type Submission } from "./submission.ts";
import { unpackedSize } from "./unpacked-size.ts";

/** Leaves out a byte order mark; malformed sequences become U+FFFD. */
const utf8 = new TextDecoder();

/** V8's message for a text that continues after its first value. */
const TRAILING_TEXT = /^Unexpected non-whitespace character after JSON at position (\d+)/;

/**
 * A payload's first JSON value. As in PuppetDB, what follows it is ignored, and an empty payload is null
 * (`reference/commands.md §2.5`).
 * @param json the unpacked payload, or its head
 * @throws CensusError "bad-input" when there is none
 */
export function parsePayload(submission: Submission, json: Buffer): Json {
  const text = utf8.decode(json);
  try {
    return text.trim() === "" ? null : parseJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const [, end] = TRAILING_TEXT.exec(messageOf(error)) ?? [];
    if (end !== undefined) return parseJson(text.slice(0, Number(end)));
    // V8's message quotes the payload, which must not be logged.
    throw payloadError(submission, "the payload is not JSON", error, "");
  }
}

/**
 * The payload's bytes.
 * @param largest the limit on their number once unpacked
 * @throws CensusError "bad-input" when they are not packed as its encoding says, BoundsError when there are more
 */
export function unpacked(submission: Submission, largest = defaultBounds.unpackedBytes): Buffer {
  const bytes = payloadBytes(submission);
  if (submission.encoding === undefined) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  try {
    return gunzipSync(bytes, { maxOutputLength: largest, ...inOnePiece(submission, largest) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") {
      const { command, version, certname } = submission;
      const text = `${command} v${version} of ${certname}: the payload is larger than ${largest} bytes`;
      throw new BoundsError("unpackedBytes", `${text} (${boundSettings.unpackedBytes})`);
    }
    throw payloadError(submission, "the payload is not gzip data, as its encoding says", error);
  }
}

/** Unpacked payloads of more bytes are made in one piece, rather than put together of many. */
const LONG = 1024 * 1024;

function inOnePiece(submission: Submission, largest: number): { readonly chunkSize?: number } {
  const size = unpackedSize(submission);
  return size === undefined || size < LONG || size > largest ? {} : { chunkSize: size };
}

/** @param detail the part of the message that may be logged */
function payloadError(
  { command, version, certname }: Submission,
  what: string,
  error: unknown,
  detail = `: ${messageOf(error)}`,
): CensusError {
  const text = `${command} v${version} of ${certname}: ${what}`;
  return new CensusError("bad-input", `${text}: ${messageOf(error)}`, { cause: error, logged: `${text}${detail}` });
}
