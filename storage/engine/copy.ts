import { quotedText } from "./quoted-text.ts";
import { CensusError, messageOf } from "../errors.ts";
import { duckdb } from "./duckdb.ts";
import { interruptOn } from "./interrupt.ts";
import { converterScript, converterSettings } from "./settings.ts";

export interface CopyOptions {
  /** The only folder whose files are used. */
  readonly folder: string;
  /** Lines of JSON objects, in the folder. */
  readonly from: string;
  /** The Parquet file to write, in the folder. */
  readonly to: string;
  readonly columns: readonly (readonly [name: string, type: string])[];
  /** Characters of the longest line. */
  readonly longest: number;
  /** Cancels the copy. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Converts lines of JSON into a Parquet file. It uses an engine of its own, which has no data, runs only this statement
 * and may only access one folder, because the engine of a store never opens other files.
 */
export async function copyLines({ folder, from, to, columns, longest, signal }: CopyOptions): Promise<void> {
  const { DuckDBInstance } = await duckdb();
  const instance = await DuckDBInstance.create(":memory:", converterSettings());
  const connection = await instance.connect();
  const endInterrupting = interruptOn(signal, [connection]);
  try {
    signal?.throwIfAborted();
    const types = columns.map(([name, type]) => `${quotedText(name)}: ${quotedText(type)}`).join(", ");
    // The engine's default, if that suffices. A character is at most three bytes.
    const size = Math.max(16 * 1024 * 1024, 3 * longest);
    const options = `format = 'newline_delimited', columns = {${types}}, maximum_object_size = ${size}`;
    await connection.run(converterScript(folder));
    await connection.run(
      `COPY (SELECT * FROM read_json(${quotedText(from)}, ${options})) TO ${quotedText(to)} (FORMAT parquet, COMPRESSION zstd)`,
    );
  } catch (error) {
    signal?.throwIfAborted();
    throw new CensusError("bad-file", `the Parquet file cannot be written: ${messageOf(error).split("\n")[0]}`, {
      cause: error,
    });
  } finally {
    endInterrupting();
    connection.closeSync();
    instance.closeSync();
  }
}
