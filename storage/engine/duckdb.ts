import type * as DuckDBApi from "@duckdb/node-api";

type DuckDB = typeof DuckDBApi;

let library: DuckDB | undefined;

/**
 * For the library's allocator, which reads it when the library is loaded: one arena for all threads, and pages that
 * nobody uses go back to the system after 200 ms rather than seconds. A large answer then takes a tenth less memory in
 * the same time.
 */
const ALLOCATOR = "narenas:1,dirty_decay_ms:200,muzzy_decay_ms:0";

/**
 * The DuckDB binding, loaded at its first use: `--version` and `--help` must not pay for a 70 MB native library, and the
 * packaged executable unpacks it first.
 */
export async function duckdb(): Promise<DuckDB> {
  process.env["DUCKDB_JE_MALLOC_CONF"] ||= ALLOCATOR;
  library ??= await import("@duckdb/node-api");
  return library;
}

/** The binding once {@link duckdb} has been awaited; for code that only runs with an open database. */
duckdb.loaded = (): DuckDB => {
  if (library === undefined) throw new Error("the DuckDB binding is used before a database was opened");
  return library;
};
