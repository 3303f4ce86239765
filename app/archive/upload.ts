import { createWriteStream } from "node:fs";
import type { IncomingMessage } from "node:http";
import { finished } from "node:stream/promises";
import { Busboy, type BusboyFileStream } from "@fastify/busboy";
import { CensusError, messageOf } from "#storage/errors.ts";

/** The part of the form that is the archive. */
export const archivePart = "archive";

/** Small parts beside the archive, which are passed over: how many, and bytes of each. */
const OTHERS = { fields: 16, fieldSize: 65_536, headerPairs: 64 };

/**
 * Keeps the archive that a multipart form brings in a file, at the pace of the disk.
 * @param largest bytes it may have
 * @returns whether it has no more
 * @throws CensusError "bad-input" when the request is no such form, "unavailable" when the archive cannot be kept
 */
export async function keepUpload(request: IncomingMessage, path: string, largest: number): Promise<boolean> {
  try {
    return await keepPart(request, openForm(request, largest), path);
  } catch (error) {
    // What is left of the body is let go, so that the client gets to read the answer.
    request.unpipe();
    request.resume();
    throw error;
  }
}

async function keepPart(request: IncomingMessage, form: Busboy, path: string): Promise<boolean> {
  const over = new AbortController();
  let kept: Promise<boolean> | undefined;
  form.on("file", (name, file) => {
    if (name !== archivePart || kept !== undefined) file.resume();
    else kept = keep(file, path, over.signal);
    kept?.catch(() => undefined);
  });
  try {
    await parsed(request, form);
  } catch (error) {
    over.abort();
    throw new CensusError("bad-input", `the form is damaged or broken off: ${messageOf(error)}`, { cause: error });
  }
  if (kept === undefined) {
    throw new CensusError("bad-input", `the form has no part named ${archivePart}, which is to be the file`);
  }
  return kept;
}

/** Hands the request over to the form; resolves when all of its parts have been read. */
async function parsed(request: IncomingMessage, form: Busboy): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  form.on("finish", resolve);
  form.on("error", reject);
  // Also of a client that has gone before anybody listened.
  finished(request).catch(reject);
  request.pipe(form);
  return promise;
}

function openForm(request: IncomingMessage, largest: number): Busboy {
  const type = request.headers["content-type"] ?? "";
  if (!/^multipart\//i.test(type)) {
    const given = type === "" ? "nothing" : JSON.stringify(type);
    throw new CensusError("bad-input", `an archive comes as part ${archivePart} of a multipart form, not as ${given}`);
  }
  // Whatever kind of multipart a client calls it, its parts are those of a form.
  const headers = { "content-type": type.replace(/^multipart\/[^;]*/i, "multipart/form-data") };
  try {
    return new Busboy({
      headers,
      limits: { ...OTHERS, fileSize: largest },
      isPartAFile: (name) => name === archivePart,
    });
  } catch (error) {
    throw new CensusError("bad-input", `the form cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

async function keep(file: BusboyFileStream, path: string, signal: AbortSignal): Promise<boolean> {
  const target = createWriteStream(path, { flags: "wx", mode: 0o600 });
  file.pipe(target);
  try {
    await finished(target, { signal });
  } catch (error) {
    target.destroy();
    file.resume();
    throw new CensusError("unavailable", `the archive cannot be kept: ${messageOf(error)}`, { cause: error });
  }
  return !file.truncated;
}
