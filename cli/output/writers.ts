import type { TextOutput } from "../stdout.ts";
import { writeCsv } from "./csv.ts";
import type { OutputFormat } from "./formats.ts";
import { writeJson, writeLines } from "./json.ts";
import { writeTable } from "./table.ts";

/** Rows of an answer: JSON texts, a batch at a time. */
export type Rows = AsyncIterable<readonly string[]>;

/** Writes all rows out in one layout, a batch at a time unless it says otherwise. */
export type RowWriter = (rows: Rows, output: TextOutput) => Promise<void>;

/** What writes each layout. */
export const writers: Readonly<Record<OutputFormat, RowWriter>> = {
  table: writeTable,
  json: writeJson,
  ndjson: writeLines,
  csv: writeCsv,
};
