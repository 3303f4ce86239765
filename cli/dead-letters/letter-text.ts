import { gunzipSync } from "node:zlib";
import { type JsonObject, parseJson } from "#storage/json.ts";
import type { DeadLetter } from "#storage/queue/dead-letters.ts";
import { formatTimestamp } from "#storage/time.ts";

/** A dead letter with the contents of its files. */
export interface OpenLetter extends DeadLetter {
  readonly payload: Uint8Array;
  readonly diagnosis: string;
}

/** A dead letter for people: command, diagnosis, payload. */
export function letterText(letter: OpenLetter): string {
  const { name, command, version, certname, received, size, diagnosis } = letter;
  const what = `${command} version ${version} of ${certname}, received ${formatTimestamp(received)}, ${size} bytes`;
  const text = [name, what, "", diagnosis.trim(), "", prettyPayload(letter), ""].join("\n");
  // Replace control characters: the payload comes from outside and must not move the cursor.
  return text.replace(/(?![\n\t])\p{Cc}/gu, "\u{fffd}");
}

/** A letter for programs, as one JSON text; the payload is a text, unpacked. */
export function letterJson(letter: OpenLetter): string {
  return JSON.stringify({ ...listed(letter), diagnosis: letter.diagnosis, payload: payloadText(letter) });
}

/** The fields of a dead letter in a list. */
export function listed({ name, command, version, certname, received, size, reason }: DeadLetter): JsonObject {
  return { name, command, version, certname, received: formatTimestamp(received), size, reason };
}

function prettyPayload(letter: OpenLetter): string {
  const text = payloadText(letter);
  try {
    return JSON.stringify(parseJson(text), null, 2);
  } catch {
    return text;
  }
}

/** The uncompressed payload; as stored if it is not compressed although its name says so. */
function payloadText({ name, payload }: OpenLetter): string {
  try {
    return new TextDecoder().decode(name.endsWith(".gz") ? gunzipSync(payload) : payload);
  } catch {
    return new TextDecoder().decode(payload);
  }
}
