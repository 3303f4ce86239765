import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { gzip as gzipAtOnce, type ZlibOptions } from "node:zlib";
import type { Rows } from "#storage/engine/rows.ts";
import { acceptsGzip } from "./accept.ts";
import { compactArray, recycle } from "./pieces.ts";
import { contentType, type HttpResponse, vary } from "./response.ts";
import { prettyArray } from "./pretty-pieces.ts";
import { PieceStream, type SendProgress } from "./piece-stream.ts";

/** Higher levels take more time than they save. */
export const GZIP_LEVEL = 4;

const gzip = promisify<Uint8Array, ZlibOptions, Buffer>(gzipAtOnce);

/** Records a body that is sent. */
export interface BodyRecording {
  /** Resolves when the memory of the piece may be used again. */
  add(piece: Buffer): Promise<void>;
  /** @param isComplete whether all pieces were added; otherwise making them failed, or the client left */
  end(isComplete: boolean): void;
}

/** How rows are sent. */
export interface RowsOptions {
  readonly pretty?: boolean;
  /** Whether to compress for clients that accept it; default: yes. */
  readonly gzip?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** Makes another format of the rows than a JSON array. */
  readonly pieces?: (rows: AsyncIterable<Rows>) => AsyncGenerator<Buffer, void>;
  /** Records the uncompressed body. */
  readonly record?: (headers: HttpResponse["headers"]) => BodyRecording;
}

/**
 * Answers with rows that are JSON texts, as an array of them or in another format. An answer that fits into a piece is
 * sent at once; a longer one is streamed (see {@link PieceStream}).
 * @param begin called before a stream; an error that it throws ends the response before any of it is sent
 */
export async function rowsResponse(
  request: IncomingMessage,
  rows: AsyncIterable<Rows>,
  options: RowsOptions,
  begin: () => SendProgress,
): Promise<HttpResponse> {
  const { pretty = false, pieces: inPieces = pretty ? prettyArray : compactArray } = options;
  const isZipped = options.gzip !== false && acceptsGzip(request);
  const plainHeaders = { "content-type": contentType.json, vary, ...options.headers };
  const headers = { ...plainHeaders, ...(isZipped ? { "content-encoding": "gzip" } : {}) };
  const made = inPieces(rows);
  const pieces = options.record === undefined ? made : recorded(made, options.record(plainHeaders));
  const first = await pieces.next();
  const second = await pieces.next();
  const compression = isZipped ? { level: GZIP_LEVEL } : undefined;
  if (first.done !== true && second.done !== true) {
    const read = [first.value, second.value];
    const body = new PieceStream(read, pieces, await beginStream(begin, read, pieces), compression);
    return { status: 200, headers, body };
  }
  const piece = first.value ?? Buffer.alloc(0);
  const body = compression === undefined ? Buffer.from(piece) : await gzip(piece, compression);
  recycle(piece);
  return { status: 200, headers, body };
}

/** Yields pieces once they are recorded. */
async function* recorded(pieces: AsyncGenerator<Buffer, void>, recording: BodyRecording): AsyncGenerator<Buffer, void> {
  let isComplete = false;
  try {
    for await (const piece of pieces) {
      await recording.add(piece);
      yield piece;
    }
    isComplete = true;
  } finally {
    recording.end(isComplete);
  }
}

async function beginStream(
  begin: () => SendProgress,
  read: readonly Buffer[],
  rest: AsyncGenerator,
): Promise<SendProgress> {
  try {
    return begin();
  } catch (error) {
    await rest.return(undefined);
    read.forEach(recycle);
    throw error;
  }
}
