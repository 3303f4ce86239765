import { asOfParameter } from "../data/as-of.ts";
import { urlOf } from "../data/fetch-json.ts";
import { leaveIfSignedOut } from "../session/session.ts";

/** Saves something as a file, as a download does. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads the blob after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Formats of the endpoint `rows`, as the menu offers them. */
export const exportFormats = [
  { format: "csv", label: "CSV" },
  { format: "csv-safe", label: "CSV for spreadsheets" },
  { format: "json", label: "JSON" },
  { format: "ndjson", label: "NDJSON" },
  { format: "markdown", label: "Markdown" },
  { format: "html", label: "HTML page" },
  { format: "parquet", label: "Parquet" },
] as const;

export type ExportFormat = (typeof exportFormats)[number]["format"];

export interface RowsExport {
  readonly name: string;
  readonly pql: string;
  readonly format: ExportFormat;
  /** Whether the query is a statement of SQL. */
  readonly isSql?: boolean;
}

const PATH = "/explorer/api/v1/rows";
/** Servers refuse longer addresses. Bytes. */
const LONGEST_URL = 8192;

function pathOf({ isSql = false }: RowsExport): string {
  return isSql ? "/explorer/api/v1/sql/rows" : PATH;
}

/** The address of the exported rows. */
export function exportUrl(exported: RowsExport): string {
  const { name, pql, format } = exported;
  return urlOf({ path: pathOf(exported), parameters: { query: pql, format, name } });
}

/** Whether the query is short enough for a link. */
export function isLinkable(exported: RowsExport): boolean {
  return exportUrl(exported).length <= LONGEST_URL;
}

/** Fetches rows by POST and saves them as a file. @throws Error with the server's message */
export async function saveRows(exported: RowsExport): Promise<void> {
  const { name, pql, format } = exported;
  const path = pathOf(exported);
  const response = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query: pql, format, name, ...asOfParameter(path) }),
  });
  leaveIfSignedOut(response);
  if (!response.ok) throw new Error((await response.text()) || response.statusText);
  saveBlob(await response.blob(), fileName(response) ?? name);
}

function fileName(response: Response): string | undefined {
  return /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1];
}
