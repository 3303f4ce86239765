import { type RowFormatKey, rowFormatKeys, rowFormats } from "#storage/output/format-names.ts";
import { asOfParameter } from "../data/as-of.ts";
import { type DataRequest, fetchJson, urlOf } from "../data/fetch-json.ts";
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
export const exportFormats = rowFormatKeys.map((format) => ({ format, label: rowFormats[format].label }));

export type ExportFormat = RowFormatKey;

/** Rows that can be exported. */
export interface Exported {
  /** For the name of the file: `nodes`. */
  readonly name: string;
  /** What is exported when there are several: "Nodes", "Facts of the nodes". */
  readonly label?: string;
  /** All rows, in the order shown; with `table` their conditions. */
  readonly pql: string;
  /** The columns that are shown, in their order, and what the rows are sorted by, as the endpoint of rows has them. */
  readonly table?: { readonly columns: readonly string[]; readonly sort: readonly string[] };
  /** Whether the query is a statement of SQL. */
  readonly isSql?: boolean;
  /** Whether the names of the rows' nodes can be copied. */
  readonly hasNames?: boolean;
}

export interface RowsExport extends Exported {
  readonly format: ExportFormat;
}

const PATH = "/explorer/api/v1/rows";
/** Servers refuse longer addresses. Bytes. */
const LONGEST_URL = 8192;

function pathOf({ isSql = false }: RowsExport): string {
  return isSql ? "/explorer/api/v1/sql/rows" : PATH;
}

function parametersOf({ name, pql, format, table }: RowsExport): NonNullable<DataRequest["parameters"]> {
  return { query: pql, column: table?.columns, sort: table?.sort, format, name };
}

/** The address of the exported rows. */
export function exportUrl(exported: RowsExport): string {
  return urlOf({ path: pathOf(exported), parameters: parametersOf(exported) });
}

/** The names of the nodes that the rows are of, one a line, in their order. @throws RequestError */
export async function namesOf({ name, pql, table }: Exported): Promise<string> {
  const columns = ["certname"];
  const request = { name, pql, table: { columns, sort: table?.sort ?? columns }, format: "json" } as const;
  const { value } = await fetchJson({ path: PATH, parameters: parametersOf(request) }, new AbortController().signal);
  return (value as { certname: string }[]).map(({ certname }) => certname).join("\n");
}

/** Whether the query is short enough for a link. */
export function isLinkable(exported: RowsExport): boolean {
  return exportUrl(exported).length <= LONGEST_URL;
}

/** Fetches rows by POST and saves them as a file. @throws Error with the server's message */
export async function saveRows(exported: RowsExport): Promise<void> {
  const path = pathOf(exported);
  const response = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...parametersOf(exported), ...asOfParameter(path) }),
  });
  leaveIfSignedOut(response);
  if (!response.ok) throw new Error((await response.text()) || response.statusText);
  saveBlob(await response.blob(), fileName(response) ?? exported.name);
}

function fileName(response: Response): string | undefined {
  return /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1];
}
