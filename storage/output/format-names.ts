/** A format that rows are written in. */
export interface RowFormatName {
  /** In menus. */
  readonly label: string;
  /** The media type. */
  readonly type: string;
  /** The extension of files. */
  readonly extension: string;
}

/** The formats of the command line, of the interface and of the explorer. `formats.ts` writes them. */
export const rowFormats = {
  csv: { label: "CSV", type: "text/csv;charset=utf-8", extension: "csv" },
  "csv-safe": { label: "CSV for spreadsheets", type: "text/csv;charset=utf-8", extension: "csv" },
  tsv: { label: "TSV", type: "text/tab-separated-values;charset=utf-8", extension: "tsv" },
  json: { label: "JSON", type: "application/json;charset=utf-8", extension: "json" },
  ndjson: { label: "NDJSON", type: "application/x-ndjson;charset=utf-8", extension: "ndjson" },
  names: { label: "Names", type: "text/plain;charset=utf-8", extension: "txt" },
  markdown: { label: "Markdown", type: "text/markdown;charset=utf-8", extension: "md" },
  html: { label: "HTML page", type: "text/html;charset=utf-8", extension: "html" },
  parquet: { label: "Parquet", type: "application/vnd.apache.parquet", extension: "parquet" },
  xlsx: {
    label: "Excel",
    type: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    extension: "xlsx",
  },
} as const satisfies Readonly<Record<string, RowFormatName>>;

export type RowFormatKey = keyof typeof rowFormats;

/** Formats that are complete files, rather than texts that are written a batch at a time. */
export type FileFormatKey = "parquet" | "xlsx";

export type TextFormatKey = Exclude<RowFormatKey, FileFormatKey>;

export const rowFormatKeys = Object.keys(rowFormats) as RowFormatKey[];

export function isFileFormat(key: string): key is FileFormatKey {
  return key === "parquet" || key === "xlsx";
}

export const textFormatKeys = rowFormatKeys.filter((key): key is TextFormatKey => !isFileFormat(key));
