import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { copyLines } from "../engine/copy.ts";
import { CensusError } from "../errors.ts";
import { isObject, parseJson } from "../json.ts";
import type { FileFormat } from "../output/row-texts.ts";
import { ColumnKinds } from "./column-kinds.ts";

/** Files inside the working folder. */
const LINES = "rows.ndjson";
const RESULT = "rows.parquet";

/**
 * Writes rows as a Parquet file, in bounded memory: to lines of JSON first, because a column's type depends on all
 * values.
 * @param rows JSON texts, a batch at a time
 * @param folder working folder; it should be empty
 * @param options `columns` in their order, if they are known; `signal` ends it
 * @returns the file's path, inside the folder
 * @throws CensusError "bad-input" for a response without rows and unknown columns
 */
export async function writeParquet(
  rows: AsyncIterable<readonly string[]>,
  folder: string,
  { columns: known = [], signal }: FileFormat = {},
): Promise<string> {
  const kinds = new ColumnKinds(known);
  let longest = 0;
  async function* lines(): AsyncGenerator<string> {
    for await (const batch of rows) {
      for (const row of batch) {
        longest = Math.max(longest, row.length);
        const value = parseJson(row);
        kinds.add(isObject(value) ? value : { value });
      }
      if (batch.length > 0)
        yield `${batch.map((row) => (row.startsWith("{") ? row : `{"value":${row}}`)).join("\n")}\n`;
    }
  }
  const [from, to] = [join(folder, LINES), join(folder, RESULT)];
  await pipeline(Readable.from(lines()), createWriteStream(from, { mode: 0o600 }), { signal });
  const columns = kinds.types();
  if (columns.length === 0) {
    throw new CensusError("bad-input", "an answer without rows has no columns, which a Parquet file must have");
  }
  await copyLines({ folder, from, to, columns, longest, signal });
  await rm(from);
  return to;
}
