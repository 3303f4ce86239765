import { readFile } from "node:fs/promises";
import { finished } from "node:stream/promises";
import { replaceFile } from "#storage/archive/write.ts";
import { CensusError, messageOf } from "#storage/errors.ts";
import { isObject, type Json, parseJson, stringifyJson } from "#storage/json.ts";
import { UsageError } from "../errors.ts";

/** What a watch has delivered: the rows of its query then, and the number of changes so far. */
export interface Delivered {
  readonly sequence: number;
  /** JSON texts. */
  readonly rows: readonly string[];
}

/** The query that a cursor file belongs to. */
export interface WatchedQuery {
  readonly query: string;
  readonly isSql: boolean;
}

const VERSION = 1;

/**
 * What has been delivered; undefined where there is no file.
 * @throws UsageError for the file of another query, CensusError "bad-file" for one that cannot be read
 */
export async function readCursor(path: string, watched: WatchedQuery): Promise<Delivered | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new CensusError("bad-file", `${path}: cannot be read: ${messageOf(error)}`, { cause: error });
  }
  const content = parsed(path, text);
  if (content.query !== watched.query || content.isSql !== watched.isSql) {
    throw new UsageError(`watch: ${path} belongs to another query; name another file with --cursor, or delete it`);
  }
  return content;
}

function parsed(path: string, text: string): Delivered & WatchedQuery {
  try {
    const content = parseJson(text);
    if (!isObject(content)) throw new Error("not an object");
    const { version, query, sql, sequence, rows }: Readonly<Record<string, Json | undefined>> = content;
    if (version !== VERSION) throw new Error(`version is not ${VERSION}`);
    if (typeof query !== "string" || typeof sql !== "boolean") throw new Error("query is missing");
    if (typeof sequence !== "number" || !Array.isArray(rows)) throw new Error("rows are missing");
    return { query, isSql: sql, sequence, rows: rows.map((row) => stringifyJson(row)) };
  } catch (error) {
    const remedy = "delete it to begin anew";
    throw new CensusError("bad-file", `${path}: is not a cursor of census watch (${messageOf(error)}); ${remedy}`, {
      cause: error,
    });
  }
}

/** Replaces the file atomically, flushed to the disk: after a crash there is the old one or the new one. */
export async function writeCursor(path: string, { query, isSql }: WatchedQuery, delivered: Delivered): Promise<void> {
  const head = JSON.stringify({ version: VERSION, query, sql: isSql, sequence: delivered.sequence }).slice(0, -1);
  await replaceFile(path, async (target) => {
    target.end(`${head},"rows":[\n${delivered.rows.join(",\n")}\n]}\n`);
    await finished(target);
  });
}
