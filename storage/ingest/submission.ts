import type { Timestamp } from "../time.ts";
import type { Content } from "../wire/scan.ts";
import type { CommandName } from "../wire/commands.ts";

/** A command as it arrives, with its unread payload. */
export interface Submission {
  readonly command: CommandName;
  readonly version: number;
  /** Names the command in messages and in the queue; what is stored uses the payload's own. */
  readonly certname: string;
  /** JSON: a text, or UTF-8 bytes as they arrived. */
  readonly payload: string | Uint8Array;
  /** The compression of the payload; absent: none. */
  readonly encoding?: "gzip";
  readonly received: Timestamp;
  /** From the request, not from the payload: only waiting commands that have one can be superseded. */
  readonly producerTimestamp?: Timestamp;
  /** The client's SHA-1 of the payload; a historical parameter, and not always right. */
  readonly checksum?: string;
  /** Whether only what the row of its node repeats is stored; absent: all of it is. */
  readonly isHead?: true | undefined;
  /** What it contains, if it was scanned; null: nothing that is compared. */
  readonly content?: Content | null | undefined;
}

/**
 * Frees the memory of bytes that nobody will read again; the collector would take its time. Memory that may have other bytes
 * as well is left alone.
 */
export function freeBytes({ buffer, length }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && length === buffer.byteLength) buffer.transfer(0);
}

/** The payload as bytes. */
export function payloadBytes({ payload }: Submission): Uint8Array {
  return typeof payload === "string" ? Buffer.from(payload) : payload;
}
