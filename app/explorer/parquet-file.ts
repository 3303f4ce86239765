import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import type { RowFormat, RowTexts } from "#storage/output/row-texts.ts";
import type { UploadFolder } from "../archive/upload-folder.ts";
import { PIECE } from "../http/pieces.ts";
import { PieceStream, type SendProgress } from "../http/piece-stream.ts";

/**
 * Writes rows to a Parquet file and sends that, at the pace of the client; the file is removed afterwards. The format has its
 * columns' types at the end, and they depend on all rows.
 * @param begin called before any of it is sent; an error that it throws ends the response
 * @throws what the rows throw, and CensusError "bad-file" when the file cannot be written
 */
export async function parquetStream(
  rows: RowTexts,
  options: RowFormat & { readonly signal: AbortSignal },
  uploads: UploadFolder,
  begin: () => SendProgress,
): Promise<PieceStream> {
  const pieces = parquetPieces(rows, options, uploads);
  const first = await pieces.next();
  try {
    return new PieceStream(first.done === true ? [] : [first.value], pieces, begin());
  } catch (error) {
    await pieces.return();
    throw error;
  }
}

async function* parquetPieces(
  rows: RowTexts,
  options: RowFormat & { readonly signal: AbortSignal },
  uploads: UploadFolder,
): AsyncGenerator<Buffer, void> {
  const folder = await uploads.make();
  try {
    const { writeParquet } = await import("#storage/parquet/write.ts");
    const path = await writeParquet(rows, folder, options);
    yield* createReadStream(path, { highWaterMark: PIECE }) as AsyncIterable<Buffer>;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
