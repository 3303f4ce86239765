import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { ZodType } from "zod";
import { CensusError } from "#storage/errors.ts";
import { parseJson } from "#storage/json.ts";

/**
 * The non-empty lines of a file of one JSON document per line; `.gz` files are unpacked.
 * @throws CensusError (bad-file) when the file does not exist
 */
export function readLines(file: string): string[] {
  if (!existsSync(file)) throw new CensusError("bad-file", `no such file of recordings: ${file}`);
  const bytes = readFileSync(file);
  const text = (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  return text.split("\n").filter((line) => line.trim() !== "");
}

/**
 * The documents of such a file, numbers exact, each checked against a schema.
 * @throws CensusError (bad-file) naming the file, the line and what is wrong in it
 */
export function readDocuments<T>(file: string, schema: ZodType<T>): T[] {
  return readLines(file).map((line, index) => {
    const { data, error } = schema.safeParse(parsed(line));
    if (error === undefined) return data;
    const [issue] = error.issues;
    throw new CensusError("bad-file", `${file}, line ${index + 1}: ${issue?.path.join(".")}: ${issue?.message}`);
  });
}

function parsed(line: string): unknown {
  try {
    return parseJson(line);
  } catch {
    return undefined; // which no schema accepts
  }
}
