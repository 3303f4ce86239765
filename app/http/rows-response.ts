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

/** How rows are sent. */
export interface RowsOptions {
  readonly pretty?: boolean;
  /** Whether to compress for clients that accept it; default: yes. */
  readonly gzip?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** Makes another format of the rows than a JSON array. */
  readonly pieces?: (rows: AsyncIterable<Rows>) => AsyncGenerator<Buffer, void>;
  /** Receives the uncompressed body and its headers once all of it is made, if it is not too large. */
  readonly keep?: {
    readonly largest: number;
    readonly whole: (body: Buffer, headers: HttpResponse["headers"]) => void;
  };
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
  const { keep } = options;
  const made = inPieces(rows);
  const pieces = keep === undefined ? made : recorded(made, keep.largest, (body) => keep.whole(body, plainHeaders));
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

/** Yields pieces, and copies them for `whole`, unless together they have more bytes than `largest`. */
async function* recorded(
  pieces: AsyncGenerator<Buffer, void>,
  largest: number,
  whole: (body: Buffer) => void,
): AsyncGenerator<Buffer, void> {
  let copies: Buffer[] | undefined = [];
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > largest) copies = undefined;
    // The memory of a piece is used again.
    copies?.push(Buffer.from(piece));
    yield piece;
  }
  if (copies !== undefined) whole(Buffer.concat(copies));
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
