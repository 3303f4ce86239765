import { CensusError } from "#storage/errors.ts";

/** Receives the content of a part. */
export interface PartSink {
  /** Receives the next bytes, which the caller does not use any more; resolves when it can receive more. */
  write(piece: Buffer): Promise<void>;
  /** The part is complete. */
  end(): Promise<void>;
}

/** Maximum bytes of a part's headers, and of the bytes before the first and after the last part, which are ignored. */
const LARGEST_HEADERS = 16 * 1024;
const LARGEST_MARGIN = 1024 * 1024;

/** Maximum number of parts, all but one of which are skipped. */
const MOST_PARTS = 64;

/** RFC 2046 §5.1.1 allows 70; some clients go beyond. */
const LONGEST_BOUNDARY = 256;

const CRLF = "\r\n";

/**
 * The boundary that a multipart content type names.
 * @throws CensusError "bad-input" when it names none
 */
export function boundaryOf(contentType: string): string {
  const { quoted, bare } = /;\s*boundary=(?:"(?<quoted>[^"]+)"|(?<bare>[^\s;"]+))/i.exec(contentType)?.groups ?? {};
  const boundary = quoted ?? bare;
  if (boundary === undefined || boundary.length > LONGEST_BOUNDARY) {
    throw new CensusError("bad-input", "the form cannot be read: its content type names no boundary");
  }
  return boundary;
}

/**
 * Reads a multipart form as it arrives, at the pace of its receivers; at most one piece is in memory.
 * @param sinkOf returns the receiver of the part with this name; undefined: the part is skipped
 * @throws CensusError "bad-input" for an invalid form, or one that ends before its last boundary; what the sinks throw
 */
export async function readMultipart(
  pieces: AsyncIterable<Buffer>,
  boundary: string,
  sinkOf: (name: string | undefined) => PartSink | undefined,
): Promise<void> {
  const reader = new MultipartReader(boundary, sinkOf);
  for await (const piece of pieces) await reader.push(piece);
  reader.finish();
}

type State = "preamble" | "delimiter" | "headers" | "content" | "epilogue";

class MultipartReader {
  readonly #delimiter: Buffer;
  readonly #sinkOf: (name: string | undefined) => PartSink | undefined;
  #state: State = "preamble";
  /** Bytes that have arrived but are not used yet. They begin with the line break that the first delimiter may lack. */
  #rest: Buffer = Buffer.from(CRLF);
  #sink: PartSink | undefined;
  #parts = 0;
  /** Bytes outside of all parts. */
  #margin = 0;

  constructor(boundary: string, sinkOf: (name: string | undefined) => PartSink | undefined) {
    this.#delimiter = Buffer.from(`${CRLF}--${boundary}`, "latin1");
    this.#sinkOf = sinkOf;
  }

  async push(piece: Buffer): Promise<void> {
    this.#rest = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    while (await this.#step()) continue;
  }

  finish(): void {
    if (this.#state !== "epilogue") throw damaged("it ends before its last boundary");
  }

  /** @returns whether the arrived bytes may allow another step */
  async #step(): Promise<boolean> {
    switch (this.#state) {
      case "preamble":
      case "content":
        return this.#readContent();
      case "delimiter":
        return this.#readDelimiter();
      case "headers":
        return this.#readHeaders();
      case "epilogue":
        this.#skip(this.#rest.length);
        this.#rest = Buffer.alloc(0);
        return false;
    }
  }

  async #readContent(): Promise<boolean> {
    const at = this.#rest.indexOf(this.#delimiter);
    // The last bytes may be the beginning of a delimiter.
    const length = at < 0 ? Math.max(0, this.#rest.length - this.#delimiter.length + 1) : at;
    if (length > 0) await this.#take(this.#rest.subarray(0, length));
    this.#rest = this.#rest.subarray(at < 0 ? length : length + this.#delimiter.length);
    if (at < 0) return false;
    await this.#sink?.end();
    this.#sink = undefined;
    this.#state = "delimiter";
    return true;
  }

  async #take(piece: Buffer): Promise<void> {
    if (this.#state === "preamble") this.#skip(piece.length);
    else await this.#sink?.write(piece);
  }

  #skip(length: number): void {
    this.#margin += length;
    if (this.#margin > LARGEST_MARGIN) throw damaged(`it has more than ${LARGEST_MARGIN} bytes outside of its parts`);
  }

  /** The last delimiter is followed by two dashes; the others at most by blanks. */
  #readDelimiter(): boolean {
    if (this.#rest.length < 2) return false;
    if (this.#rest.toString("latin1", 0, 2) === "--") {
      this.#state = "epilogue";
      return true;
    }
    const end = this.#rest.indexOf(CRLF);
    const blanks = this.#rest.toString("latin1", 0, end < 0 ? this.#rest.length : end);
    if (!/^[ \t]{0,256}$/.test(end < 0 ? blanks.replace(/\r$/, "") : blanks))
      throw damaged("a boundary is not alone in its line");
    if (end < 0) return false;
    if (++this.#parts > MOST_PARTS) throw damaged(`it has more than ${MOST_PARTS} parts`);
    this.#rest = this.#rest.subarray(end);
    this.#state = "headers";
    return true;
  }

  #readHeaders(): boolean {
    const end = this.#rest.indexOf(`${CRLF}${CRLF}`);
    if (end > LARGEST_HEADERS || (end < 0 && this.#rest.length > LARGEST_HEADERS)) {
      throw damaged(`a part has more than ${LARGEST_HEADERS} bytes of headers`);
    }
    if (end < 0) return false;
    this.#sink = this.#sinkOf(nameIn(this.#rest.toString("utf8", 0, end)));
    this.#rest = this.#rest.subarray(end + CRLF.length * 2);
    this.#state = "content";
    return true;
  }
}

/** The name of the part with these headers. */
function nameIn(headers: string): string | undefined {
  const disposition = /\r\ncontent-disposition:(?<value>[^\r\n]*)/i.exec(headers)?.groups?.["value"];
  const { quoted, bare } = /;\s*name=(?:"(?<quoted>[^"]*)"|(?<bare>[^\s;"]+))/i.exec(disposition ?? "")?.groups ?? {};
  return quoted ?? bare;
}

function damaged(how: string): CensusError {
  return new CensusError("bad-input", `the form is damaged or broken off: ${how}`);
}
