import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract, type Header } from "tar-stream";
import { CensusError, messageOf } from "#storage/errors.ts";
import { shown } from "./guard.ts";
import { looksLike, type ArchiveMember, type OpenArchive } from "./source.ts";

const BLOCK = 512;
const CHECKSUM_AT = 148;
const CHECKSUM_BYTES = 8;
/** Large pieces reduce the number of calls to the thread pool. */
const GUNZIP_BYTES = 256 * 1024;

/** Names of entries that are not plain files. Folders have no content and are skipped. */
const INVALID_TYPES: Readonly<Record<string, string>> = {
  link: "a hard link",
  symlink: "a symbolic link",
  "character-device": "a device",
  "block-device": "a device",
  fifo: "a named pipe",
};

/** Also tar as Unix V7 wrote it; a header is recognised by its checksum, which other files do not have. */
const ANY_TAR = { allowUnknownFormat: true } as Parameters<typeof extract>[0];

/** Our messages for zlib's errors about a damaged gzip file; others are shown after `damaged gzip data: `. */
const GZIP_ERRORS: Readonly<Record<string, string>> = {
  "unexpected end of file": "cut off: the gzip data ends too early",
  "incorrect data check": "damaged gzip data: the checksum does not match",
  "incorrect length check": "damaged gzip data: the length does not match",
};

/** Errors of tar-stream about data that are not tar. */
const TAR_ERRORS = /^(?:Invalid (?:tar )?header|Header exceeds)/;

/** Whether a block is a tar header: its checksum field is the sum of all bytes, with the field itself as blanks. */
export function isTarHeader(block: Buffer): boolean {
  if (block.length < BLOCK) return false;
  let sum = 0;
  for (let i = 0; i < BLOCK; i++) {
    sum += i >= CHECKSUM_AT && i < CHECKSUM_AT + CHECKSUM_BYTES ? 0x20 : (block[i] ?? 0);
  }
  const field = block.toString("latin1", CHECKSUM_AT, CHECKSUM_AT + CHECKSUM_BYTES);
  return /^ *[0-7]+[ \0]*$/.test(field) && Number.parseInt(field, 8) === sum;
}

/** The members of a plain tar file. */
export function tarMembers(archive: OpenArchive): AsyncGenerator<ArchiveMember> {
  return members(archive, false);
}

/** The members of a gzip'd tar file. */
export function gzipTarMembers(archive: OpenArchive): AsyncGenerator<ArchiveMember> {
  return members(archive, true);
}

async function* members(archive: OpenArchive, gzip: boolean): AsyncGenerator<ArchiveMember> {
  const { guard, only } = archive;
  const feed = new TarFeed(archive, gzip);
  const untar = extract(ANY_TAR);
  let failure: unknown;
  const read = () => feed.read();
  const check = (bytes: AsyncIterable<Buffer>) => feed.check(bytes);
  const fed = (
    gzip ? pipeline(read, createGunzip({ chunkSize: GUNZIP_BYTES }), check, untar) : pipeline(read, check, untar)
  ).catch((error: unknown) => {
    failure = error;
  });
  try {
    for await (const entry of untar) {
      const name = enter(archive, entry.header);
      if (name === undefined || (only !== undefined && !only(name))) {
        entry.resume();
        continue;
      }
      guard.member(name, entry.header.size);
      const chunks: Buffer[] = [];
      for await (const chunk of entry as AsyncIterable<Buffer>) chunks.push(chunk);
      yield { name, body: Buffer.concat(chunks) };
    }
    await fed;
    if (failure !== undefined) throw failure;
    feed.finish();
  } catch (error) {
    untar.destroy();
    await fed;
    throw feed.explain(failure === undefined || error instanceof CensusError ? error : failure);
  } finally {
    untar.destroy();
    await fed;
  }
}

/** The name of an entry that is a file, undefined for a folder. */
function enter({ guard }: OpenArchive, header: Header): string | undefined {
  // tar-stream's declaration leaves out that types unknown to it are null
  const type: string | null = header.type;
  const name = guard.enter(header.name, type === "directory" ? "folder" : "file");
  if (type === "directory") return undefined;
  if (type === "file" || type === "contiguous-file") return name;
  throw guard.error(`member ${shown(name)} is ${INVALID_TYPES[type ?? ""] ?? "of an unknown kind"}, not a file`);
}

/** The bytes from the file to tar-stream: counted, and checked for errors that tar-stream ignores. */
class TarFeed {
  readonly #archive: OpenArchive;
  readonly #gzip: boolean;
  #fileBytes = 0;
  #tarBytes = 0;
  #tail = Buffer.alloc(0);

  constructor(archive: OpenArchive, gzip: boolean) {
    this.#archive = archive;
    this.#gzip = gzip;
  }

  async *read(): AsyncGenerator<Buffer> {
    const { size, onProgress } = this.#archive;
    for await (const chunk of this.#archive.read(0, size)) {
      this.#fileBytes += chunk.length;
      onProgress?.(this.#fileBytes, size);
      yield chunk;
    }
  }

  /** Passes on the unpacked bytes, provided that they begin as a tar does. */
  async *check(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const { guard } = this.#archive;
    let head: Buffer | undefined = Buffer.alloc(0);
    for await (const chunk of chunks) {
      guard.unpacked(chunk.length, this.#fileBytes);
      this.#tarBytes += chunk.length;
      this.#tail = Buffer.concat([this.#tail.subarray(-BLOCK), chunk.subarray(-BLOCK)]).subarray(-BLOCK);
      if (head === undefined) {
        yield chunk;
        continue;
      }
      head = Buffer.concat([head, chunk]);
      if (head.length < BLOCK) continue;
      this.#checkHead(head);
      yield head;
      head = undefined;
    }
    if (head !== undefined) this.#checkHead(head);
  }

  /** At the end: tar ends with zero blocks, and only their absence shows that a tar was cut between two members. */
  finish(): void {
    if (this.#tail.every((byte) => byte === 0)) return;
    throw this.#cutOff();
  }

  #cutOff(cause?: unknown): Error {
    const { guard } = this.#archive;
    return guard.error(`cut off: the tar data ends too early, at byte ${this.#tarBytes}${guard.where()}`, cause);
  }

  #checkHead(head: Buffer): void {
    const block = head.subarray(0, BLOCK);
    const empty = head.length >= BLOCK && block.every((byte) => byte === 0);
    if (empty || isTarHeader(block)) return;
    throw this.#archive.guard.error(`a gzip file, but not an archive: inside is ${looksLike(block)}`);
  }

  /** The error with a message for users. */
  explain(error: unknown): unknown {
    if (error instanceof CensusError) return error;
    const { guard, size } = this.#archive;
    const message = messageOf(error);
    const code = (error as NodeJS.ErrnoException | undefined)?.code;
    if (this.#gzip && code !== undefined && code.startsWith("Z_")) {
      const what = GZIP_ERRORS[message] ?? `damaged gzip data: ${message}`;
      return guard.error(`${what}, by byte ${this.#fileBytes} of ${size}${guard.where()}`, error);
    }
    if (message.startsWith("Unexpected end")) return this.#cutOff(error);
    if (!TAR_ERRORS.test(message)) return error;
    return guard.error(`damaged tar data, by byte ${this.#tarBytes} unpacked${guard.where()}`, error);
  }
}
