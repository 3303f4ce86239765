import { type FileHandle, open } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { CensusError, messageOf } from "#storage/errors.ts";
import { remedyOf } from "#storage/remedy.ts";
import { boundaryOf, type PartSink, readMultipart } from "./multipart.ts";

/** The name of the form's part that contains the archive. */
export const archivePart = "archive";

/**
 * Writes the archive in a multipart form to a file, at the pace of the disk.
 * @param largest maximum bytes of the archive
 * @returns whether it is not larger
 * @throws CensusError "bad-input" for another kind of request, "unavailable" when the archive cannot be written
 */
export async function keepUpload(request: IncomingMessage, path: string, largest: number): Promise<boolean> {
  const file = new KeptFile(path, largest);
  try {
    const boundary = boundaryOf(multipartType(request));
    // Leaving early must not destroy the request: its connection is needed for the response.
    const pieces = request.iterator({ destroyOnReturn: false });
    await readMultipart(whole(pieces), boundary, (name) => (name === archivePart ? file.begin() : undefined));
  } catch (error) {
    // The rest of the body is read and discarded, so that the client reads the response.
    request.resume();
    throw error;
  } finally {
    await file.close();
  }
  if (!file.hasBegun) {
    throw new CensusError("bad-input", `the form has no part named ${archivePart}, which is to be the file`);
  }
  return file.isWhole;
}

/** The body as a client sends it; distinguishes a client that disconnects from defects. */
async function* whole(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  try {
    yield* pieces;
  } catch (error) {
    if (error instanceof CensusError) throw error;
    throw new CensusError("bad-input", `the form is damaged or broken off: ${messageOf(error)}`, { cause: error });
  }
}

function multipartType({ headers }: IncomingMessage): string {
  const type = headers["content-type"] ?? "";
  // Parts are read as those of a form, whatever multipart type the client names.
  if (/^multipart\//i.test(type)) return type;
  const given = type === "" ? "nothing" : JSON.stringify(type);
  throw new CensusError("bad-input", `an archive comes as part ${archivePart} of a multipart form, not as ${given}`);
}

/** The file that the first part with the name is written to. */
class KeptFile implements PartSink {
  readonly #path: string;
  readonly #largest: number;
  #handle: FileHandle | undefined;
  #size = 0;
  hasBegun = false;

  constructor(path: string, largest: number) {
    this.#path = path;
    this.#largest = largest;
  }

  get isWhole(): boolean {
    return this.#size <= this.#largest;
  }

  /** The part itself, the first time. */
  begin(): PartSink | undefined {
    if (this.hasBegun) return undefined;
    this.hasBegun = true;
    return this;
  }

  async write(piece: Buffer): Promise<void> {
    this.#size += piece.length;
    // Read to the end in any case: leaving a request half-read would discard its response.
    if (this.isWhole) await writing(async () => (await this.#open()).writeFile(piece));
  }

  async end(): Promise<void> {
    await writing(() => this.#open());
  }

  async close(): Promise<void> {
    await this.#handle?.close();
  }

  async #open(): Promise<FileHandle> {
    return (this.#handle ??= await open(this.#path, "wx", 0o600));
  }
}

/** Does something with the file. @throws CensusError "unavailable" with the remedy, such as for a full disk */
async function writing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new CensusError(
      "unavailable",
      `the archive cannot be written to disk: ${messageOf(error)}; ${remedyOf(error)}`,
      { cause: error },
    );
  }
}
