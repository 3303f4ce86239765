import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import type { FileFormatKey } from "#storage/output/format-names.ts";
import { filesIn } from "#storage/output/formats.ts";
import type { FileFormat, RowTexts } from "#storage/output/row-texts.ts";
import type { UploadFolder } from "../archive/upload-folder.ts";
import { PIECE } from "../http/pieces.ts";
import { PieceStream, type SendProgress } from "../http/piece-stream.ts";

/**
 * Writes rows to a file and sends that, at the pace of the client; the file is removed afterwards. Before all rows are read, it
 * is not known whether the format can have them, nor which types its columns have.
 * @param begin called before any of it is sent; an error that it throws ends the response
 * @throws what the rows throw, and CensusError "bad-file" when the file cannot be written
 */
export async function fileStream(
  rows: RowTexts,
  format: FileFormatKey,
  options: FileFormat,
  uploads: UploadFolder,
  begin: () => SendProgress,
): Promise<PieceStream> {
  const pieces = filePieces(rows, format, options, uploads);
  const first = await pieces.next();
  try {
    return new PieceStream(first.done === true ? [] : [first.value], pieces, begin());
  } catch (error) {
    await pieces.return();
    throw error;
  }
}

async function* filePieces(
  rows: RowTexts,
  format: FileFormatKey,
  options: FileFormat,
  uploads: UploadFolder,
): AsyncGenerator<Buffer, void> {
  const folder = await uploads.make();
  try {
    const path = await filesIn[format](rows, folder, options).catch((error: unknown): never => {
      // A client that left is no fault; a pipeline that it ends says only that it was aborted.
      options.signal?.throwIfAborted();
      throw error;
    });
    yield* createReadStream(path, { highWaterMark: PIECE }) as AsyncIterable<Buffer>;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
