import { Readable } from "node:stream";
import { promisify } from "node:util";
import { crc32, inflateRaw, inflateRawSync } from "node:zlib";
import { Open, type File } from "unzipper";
import { CensusError } from "#storage/errors.ts";
import { shown } from "./guard.ts";
import { collect, type ArchiveMember, type OpenArchive } from "./source.ts";
import { directoryEnd, type DirectoryEnd } from "./zip-directory.ts";

const CENTRAL_SIGNATURE = 0x02014b50;
/** Flag bits: encrypted, strongly encrypted, directory encrypted. */
const ENCRYPTED = 0x1 | 0x40 | 0x2000;
const STORED = 0;
const DEFLATED = 8;
const METHODS: ReadonlySet<number> = new Set([STORED, DEFLATED]);

/** The fixed part before a member's data. */
const LOCAL_BYTES = 30;
const LOCAL_SIGNATURE = 0x04034b50;
/** How much longer a member's own extra fields may be than in the directory, to be read together with its data. */
const LOCAL_SLACK = 64;
/** Up to this size (bytes, unpacked) a call to the thread pool costs more than it saves on the event loop. */
const MAX_SYNC_BYTES = 256 * 1024;
const inflateInPool = promisify(inflateRaw);

/** The type bits of a Unix mode, in the upper half of the external attributes; 0 where the writer knew none. */
const TYPE_BITS = 0o170000;
const REGULAR: ReadonlySet<number> = new Set([0, 0o100000]);
const DIRECTORY = 0o040000;
const INVALID_TYPES: Readonly<Record<number, string>> = { 0o120000: "a symbolic link", 0o010000: "a named pipe" };

/** The members of a zip file, in the order of its central directory. */
export async function* zipMembers(archive: OpenArchive): AsyncGenerator<ArchiveMember> {
  const { guard, size, only, onProgress } = archive;
  const file = new ZipFile(archive, await directoryEnd(archive));
  let reached = 0;
  for (const entry of await file.entries()) {
    const name = enter(archive, entry);
    if (name === undefined || (only !== undefined && !only(name))) continue;
    checkEntry(archive, entry, name);
    guard.unpacked(entry.uncompressedSize, size);
    yield { name, body: await file.body(entry, name) };
    reached = Math.max(reached, Math.min(size, entry.offsetToLocalFileHeader + entry.compressedSize));
    onProgress?.(reached, size);
  }
  onProgress?.(size, size);
}

/** The name of an entry that is a file, undefined for a folder. */
function enter({ guard }: OpenArchive, entry: File): string | undefined {
  if (entry.signature !== CENTRAL_SIGNATURE) throw guard.error(`damaged zip: its directory is broken${guard.where()}`);
  const type = (entry.externalFileAttributes >>> 16) & TYPE_BITS;
  const folder = type === DIRECTORY || entry.path.endsWith("/");
  const name = guard.enter(entry.path, folder ? "folder" : "file");
  if (folder) return undefined;
  if (REGULAR.has(type)) return name;
  throw guard.error(`member ${shown(name)} is ${INVALID_TYPES[type] ?? "a device"}, not a file`);
}

function checkEntry({ guard }: OpenArchive, entry: File, name: string): void {
  if ((entry.flags & ENCRYPTED) !== 0) throw guard.error(`member ${shown(name)} is encrypted`);
  if (!METHODS.has(entry.compressionMethod)) {
    const method = `compressed by method ${entry.compressionMethod}; only deflate can be read`;
    throw guard.error(`member ${shown(name)} is ${method}`);
  }
  guard.member(name, entry.uncompressedSize);
  guard.member(name, entry.compressedSize);
}

/** A zip file as unzipper reads its directory and as its members are read. */
class ZipFile {
  readonly #archive: OpenArchive;
  readonly #end: DirectoryEnd;
  readonly #streams: Readable[] = [];
  #failure: unknown;

  constructor(archive: OpenArchive, end: DirectoryEnd) {
    this.#archive = archive;
    this.#end = end;
  }

  async entries(): Promise<File[]> {
    try {
      const { files } = await Open.custom({
        size: () => Promise.resolve(this.#end.offset + this.#end.tail.length),
        stream: (offset, length) => this.#stream(offset, length),
      });
      return files;
    } catch (error) {
      throw this.#damaged("its directory is broken or cut off", error);
    } finally {
      for (const stream of this.#streams.splice(0)) stream.destroy();
    }
  }

  /**
   * The unpacked content, checked by size and checksum. unzipper would create four streams for it and check nothing;
   * reading it in one piece is many times faster for members of a few kilobytes.
   */
  async body(entry: File, name: string): Promise<Buffer> {
    const { uncompressedSize: size, compressedSize, offsetToLocalFileHeader: at } = entry;
    const guess = LOCAL_BYTES + entry.fileNameLength + entry.extraFieldLength + LOCAL_SLACK;
    const head = await this.#read(at, guess + compressedSize);
    if (head.length < LOCAL_BYTES || head.readUInt32LE(0) !== LOCAL_SIGNATURE) {
      throw this.#damaged(`member ${shown(name)} is not where the directory says`);
    }
    const start = LOCAL_BYTES + head.readUInt16LE(26) + head.readUInt16LE(28);
    const packed =
      start <= guess ? head.subarray(start, start + compressedSize) : await this.#read(at + start, compressedSize);
    let body;
    try {
      body = entry.compressionMethod === STORED ? Buffer.from(packed) : await inflate(packed, size);
    } catch (error) {
      throw this.#damaged(`member ${shown(name)} cannot be unpacked`, error);
    }
    if (body.length !== size || crc32(body) !== entry.crc32) {
      throw this.#damaged(`member ${shown(name)} does not match its size and checksum`);
    }
    return body;
  }

  #read(start: number, bytes: number): Promise<Buffer> {
    return collect(this.#archive.read(start, Math.min(start + bytes, this.#end.offset)));
  }

  #stream(offset: number, length?: number): Readable {
    const end = length === undefined ? Number.POSITIVE_INFINITY : offset + length;
    const stream = Readable.from(this.#bytes(offset, end), { objectMode: false });
    this.#streams.push(stream);
    return stream;
  }

  async *#bytes(start: number, end: number): AsyncGenerator<Buffer> {
    const { offset, tail } = this.#end;
    try {
      if (start < offset) yield* this.#archive.read(start, Math.min(end, offset));
    } catch (error) {
      // unzipper would wait forever on a stream that fails; one that ends is reported
      this.#failure = error;
      return;
    }
    if (end > offset) yield tail.subarray(Math.max(0, start - offset), Math.min(tail.length, end - offset));
  }

  #damaged(what: string, cause?: unknown): Error {
    if (this.#failure instanceof CensusError) return this.#failure;
    return this.#archive.guard.error(`damaged zip: ${what}`, cause);
  }
}

/** Unpacks deflate data; more than `size` bytes are an error. */
async function inflate(packed: Buffer, size: number): Promise<Buffer> {
  const options = { maxOutputLength: Math.max(size, 1) };
  return size <= MAX_SYNC_BYTES ? inflateRawSync(packed, options) : inflateInPool(packed, options);
}
