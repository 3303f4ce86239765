import type { JsonObject } from "#storage/json.ts";

/** A resource in the catalog of a node. */
export interface ResourceRow {
  readonly certname: string;
  readonly environment: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly exported: boolean;
  readonly parameters: JsonObject | null;
}

export const resourceColumns = ["certname", "environment", "file", "line", "exported", "parameters"] as const;
