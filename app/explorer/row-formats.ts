import type { Rows } from "#storage/engine/rows.ts";
import type { AboutPage } from "#storage/output/html/page.ts";
import type { RowTexts } from "#storage/output/row-texts.ts";
import { PIECE } from "../http/pieces.ts";

/** A format in which rows are downloaded. */
export interface DownloadFormat {
  readonly type: string;
  /** The extension of the file. */
  readonly extension: string;
}

/** The formats, by the names that requests have for them. */
export const downloadFormats = {
  csv: { type: "text/csv;charset=utf-8", extension: "csv" },
  "csv-safe": { type: "text/csv;charset=utf-8", extension: "csv" },
  json: { type: "application/json;charset=utf-8", extension: "json" },
  ndjson: { type: "application/x-ndjson;charset=utf-8", extension: "ndjson" },
  markdown: { type: "text/markdown;charset=utf-8", extension: "md" },
  html: { type: "text/html;charset=utf-8", extension: "html" },
  parquet: { type: "application/vnd.apache.parquet", extension: "parquet" },
} as const satisfies Readonly<Record<string, DownloadFormat>>;

export type DownloadFormatName = keyof typeof downloadFormats;

/** Formats that are texts, which can be written without knowing the query. */
export const textFormats = ["csv", "csv-safe", "json", "ndjson", "markdown", "html"] as const;

/** Rows in one of the formats that are texts, in pieces of a socket's size. */
export function textPieces(
  format: Exclude<DownloadFormatName, "parquet">,
  columns: readonly string[] | undefined,
  page: AboutPage,
): (rows: AsyncIterable<Rows>) => AsyncGenerator<Buffer, void> {
  return async function* pieces(rows) {
    let gathered = "";
    for await (const text of await textsIn(format, rowTexts(rows), columns, page)) {
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

/** Loaded when it is used: few services ever write most of them. */
async function textsIn(
  format: Exclude<DownloadFormatName, "parquet">,
  rows: RowTexts,
  columns: readonly string[] | undefined,
  page: AboutPage,
): Promise<AsyncIterable<string>> {
  switch (format) {
    case "json":
      return (await import("#storage/output/json.ts")).jsonOf(rows);
    case "ndjson":
      return (await import("#storage/output/json.ts")).linesOf(rows);
    case "markdown":
      return (await import("#storage/output/markdown.ts")).markdownOf(rows, { columns });
    case "html":
      return (await import("#storage/output/html/rows.ts")).htmlOf(rows, { columns, page });
    case "csv":
    case "csv-safe": {
      const { csvOf } = await import("#storage/output/csv.ts");
      return csvOf(rows, { columns, isForSpreadsheets: format === "csv-safe" });
    }
  }
}
