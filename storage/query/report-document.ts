import type { ReadableDatabase } from "../engine/overlaid.ts";

/** Parts of a report that are documents with routes of their own. */
export type ReportDocument = "logs" | "metrics" | "resources";

/** A report's document as JSON text; null when the report has none. */
export async function readDocument(
  database: ReadableDatabase,
  hash: string,
  part: ReportDocument,
): Promise<string | null> {
  const [row] = await database.rows<{ document: string | null }>(
    `SELECT ${part} AS document FROM reports WHERE hash = $1 AND type = 'agent' LIMIT 1`,
    [hash],
  );
  return row?.document ?? null;
}
