import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { Anonymizer } from "#storage/anonymize/anonymizer.ts";
import { anonymizedMembers } from "#storage/anonymize/archive.ts";
import { readMetadata } from "#storage/archive/contents.ts";
import { movedMembers } from "#storage/archive/moved.ts";
import { openMembers } from "#storage/archive/members.ts";
import { writeArchive } from "#storage/archive/write.ts";
import { CensusError } from "#storage/errors.ts";
import type { Contact } from "../sources/contact.ts";
import { nameOf, send } from "../sources/http.ts";
import { startProgress } from "../progress.ts";

/** The only top-level directory that PuppetDB imports. Census accepts it too. */
const DIRECTORY = "puppetdb-bak/";

/**
 * Sends an archive to a server, Census or PuppetDB, as a gzipped tar that both accept.
 * @param anonymizer anonymizes the documents before they are sent
 * @returns the server's name
 * @throws CensusError "bad-file" when the archive cannot be read or the server cannot be reached, "bad-input" when the
 * server refuses it (400)
 */
export async function sendArchive(contact: Contact, path: string, anonymizer?: Anonymizer): Promise<string> {
  const { directory } = await readMetadata(path);
  const progress = startProgress(`Sending ${path}`);
  try {
    const isAsIs = anonymizer === undefined && directory === DIRECTORY && (await isGzip(path));
    const archive = isAsIs
      ? await fileOf(path, progress.update)
      : repacked(path, directory, anonymizer, progress.update);
    const boundary = `census-${randomUUID()}`;
    const headers = { "content-type": `multipart/form-data; boundary=${boundary}`, accept: "application/json" };
    const body = Readable.from(formOf(boundary, archive), { objectMode: false });
    const { url, response } = await send(contact, { path: "/pdb/admin/v1/archive", method: "POST", headers, body });
    const message = await text(response);
    if (response.statusCode === 200) return nameOf(url);
    const problem = `${nameOf(url)} returned HTTP ${response.statusCode}: ${message}`;
    throw new CensusError(response.statusCode === 400 ? "bad-input" : "bad-file", problem);
  } finally {
    progress.stop();
  }
}

type OnProgress = (done: number, total: number) => void;

async function isGzip(path: string): Promise<boolean> {
  if (!(await stat(path)).isFile()) return false;
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return buffer.readUInt16BE() === 0x1f8b;
  } finally {
    await file.close();
  }
}

async function fileOf(path: string, onProgress: OnProgress): Promise<Readable> {
  const { size } = await stat(path);
  let done = 0;
  return createReadStream(path).on("data", (chunk) => onProgress((done += chunk.length), size));
}

/** The archive, anonymized if needed, as a gzipped tar with everything in {@link DIRECTORY}. */
function repacked(
  path: string,
  directory: string,
  anonymizer: Anonymizer | undefined,
  onProgress: OnProgress,
): Readable {
  const members =
    anonymizer === undefined
      ? openMembers(path, {}, { onProgress })
      : anonymizedMembers(path, anonymizer, { onProgress });
  const target = new PassThrough();
  // An error destroys the stream, which reports it.
  writeArchive(target, movedMembers(members, directory, DIRECTORY), { format: "tar.gz", mtime: new Date() }).catch(
    (error: unknown) => target.destroy(error as Error),
  );
  return target;
}

async function* formOf(boundary: string, archive: Readable): AsyncGenerator<Buffer> {
  const head = [
    `--${boundary}`,
    'Content-Disposition: form-data; name="archive"; filename="archive.tgz"',
    "Content-Type: application/octet-stream",
    "",
    "",
  ];
  yield Buffer.from(head.join("\r\n"));
  yield* archive as AsyncIterable<Buffer>;
  yield Buffer.from(`\r\n--${boundary}--\r\n`);
}
