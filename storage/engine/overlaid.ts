import type { Database } from "./database.ts";
import type { Overlay } from "./overlay.ts";

/** What queries read from. */
export type ReadableDatabase = Pick<Database, "stream" | "texts" | "rows" | "snapshot" | "versions">;

/** The same store, read through an overlay. */
export function overlaid(database: Database, overlay: Overlay): ReadableDatabase {
  return {
    versions: database.versions,
    stream: (statement, options) => database.stream(statement, { ...options, overlay }),
    texts: (statement, options) => database.texts(statement, { ...options, overlay }),
    rows: (sql, values, options) => database.rows(sql, values, { ...options, overlay }),
    snapshot: (work, options) => database.snapshot(work, { ...options, overlay }),
  };
}
