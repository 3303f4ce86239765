import { gunzipSync } from "node:zlib";
import { CensusError, messageOf } from "../errors.ts";
import { type Json, parseJson } from "../json.ts";
import { payloadBytes, type Submission } from "./submission.ts";

/** A gzipped payload may not unpack to more bytes than this. */
const LARGEST = 512 * 1024 * 1024;

/** Leaves out a byte order mark; malformed sequences become U+FFFD. */
const utf8 = new TextDecoder();

/** What V8 says of a text that goes on behind its first value. */
const GOES_ON = /^Unexpected non-whitespace character after JSON at position (\d+)/;

/**
 * A payload's first JSON value: what follows is ignored, as the peer ignores it, and nothing at all is null
 * (`reference/commands.md §2.5`).
 * @param json the payload unpacked, or what is to be read in its place
 * @throws CensusError "bad-input" when there is none
 */
export function parsePayload(submission: Submission, json: Buffer): Json {
  const text = utf8.decode(json);
  try {
    return text.trim() === "" ? null : parseJson(text);
  } catch (error) {
    const [, end] = GOES_ON.exec(messageOf(error)) ?? [];
    if (end !== undefined) return parseJson(text.slice(0, Number(end)));
    throw refusal(submission, "the payload is not JSON", error);
  }
}

/**
 * The payload's bytes.
 * @throws CensusError "bad-input" when they are not packed as its encoding says
 */
export function unpacked(submission: Submission): Buffer {
  const bytes = payloadBytes(submission);
  if (submission.encoding === undefined) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  try {
    return gunzipSync(bytes, { maxOutputLength: LARGEST });
  } catch (error) {
    throw refusal(submission, "the payload is not gzip data, as its encoding says", error);
  }
}

function refusal({ command, version, certname }: Submission, what: string, error: unknown): CensusError {
  const text = `${command} v${version} of ${certname}: ${what}: ${messageOf(error)}`;
  return new CensusError("bad-input", text, { cause: error });
}
