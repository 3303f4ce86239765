import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ZipArchive } from "archiver";
import { messageOf } from "#storage/errors.ts";
import type { WrittenMember } from "./written-member.ts";

/** On exports, level 4 compresses 11.8 times at 127 MB/s; the default, 6, compresses 12.4 times at 66 MB/s. */
const LEVEL = 4;

/** archiver queues without limit; a few members at a time keep it busy. */
const MAX_QUEUED = 16;

const MODE = 0o644;

/**
 * Writes a zip.
 * @throws errors of the members or the target
 */
export async function writeZip(target: Writable, members: AsyncIterable<WrittenMember>, date: Date): Promise<void> {
  const archive = new ZipArchive({ zlib: { level: LEVEL } });
  const flow: Flow = { outstanding: 0, failure: undefined, wake: undefined };
  // archiver reports some errors again after the pipeline has ended, when there is no other listener
  archive.on("error", () => {});
  archive.on("entry", () => {
    flow.outstanding -= 1;
    flow.wake?.();
  });
  const written = pipeline(archive, target).catch((error: unknown) => {
    flow.failure ??= { error };
    flow.wake?.();
  });
  try {
    for await (const { name, body } of members) {
      // archiver reads it later, when its memory may already contain the next member.
      archive.append(Buffer.from(body), { name, date, mode: MODE });
      flow.outstanding += 1;
      await waitForCapacity(flow);
      if (flow.failure !== undefined) break;
    }
  } catch (error) {
    flow.failure = { error };
    archive.destroy(error instanceof Error ? error : new Error(messageOf(error)));
  }
  // its promise never settles when the archive fails; the pipeline reports the result in any case
  if (flow.failure === undefined) archive.finalize().catch(() => {});
  await written;
  if (flow.failure !== undefined) throw flow.failure.error;
}

/** The state of the members that were passed to archiver. */
interface Flow {
  outstanding: number;
  failure: { readonly error: unknown } | undefined;
  wake: (() => void) | undefined;
}

/** Waits until another member may be passed, or until archiver has failed. */
async function waitForCapacity(flow: Flow): Promise<void> {
  while (flow.outstanding >= MAX_QUEUED && flow.failure === undefined) {
    await new Promise<void>((resolve) => {
      flow.wake = resolve;
    });
  }
}
