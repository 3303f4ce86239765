import type { Rows } from "#storage/engine/rows.ts";
import type { TextFormatKey } from "#storage/output/format-names.ts";
import { textsIn } from "#storage/output/formats.ts";
import type { AboutPage } from "#storage/output/html/page.ts";
import { PIECE } from "../http/pieces.ts";

/** Rows in one of the formats that are texts, in pieces of a socket's size. */
export function textPieces(
  format: TextFormatKey,
  columns: readonly string[] | undefined,
  page: AboutPage,
): (rows: AsyncIterable<Rows>) => AsyncGenerator<Buffer, void> {
  return async function* pieces(rows) {
    let gathered = "";
    for await (const text of await textsIn[format](rowTexts(rows), { columns, page })) {
      gathered += text;
      if (gathered.length < PIECE) continue;
      yield Buffer.from(gathered);
      gathered = "";
    }
    yield Buffer.from(gathered);
  };
}

/** The texts of rows, each batch of them valid until the next one is wanted. */
export async function* rowTexts(rows: AsyncIterable<Rows>): AsyncGenerator<readonly string[], void> {
  for await (const batch of rows) yield batch.texts();
}
