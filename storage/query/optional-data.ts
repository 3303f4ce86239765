import type { ReadableDatabase } from "../engine/overlaid.ts";

/** Data that only some sites send or store. */
export interface OptionalData {
  /** Whether any node has a package inventory. */
  readonly packages: boolean;
  /** Whether any report says if its changes were corrective. */
  readonly correctiveChanges: boolean;
}

/** Reads which optional data a store contains. */
export async function optionalData(database: ReadableDatabase): Promise<OptionalData> {
  const [row] = await database.rows<{ packages: boolean; corrective: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM node_packages) AS packages,
       EXISTS (SELECT 1 FROM reports WHERE corrective_change IS NOT NULL) AS corrective`,
  );
  return { packages: row?.packages === true, correctiveChanges: row?.corrective === true };
}
