import type * as DuckDBApi from "@duckdb/node-api";
import type * as DuckDBBindings from "@duckdb/node-bindings";
import { placeNativeLibrary } from "./native-library.ts";

type DuckDB = typeof DuckDBApi;
type Bindings = (typeof DuckDBBindings)["default"];

let library: DuckDB | undefined;
let bindings: Bindings | undefined;

/**
 * The DuckDB binding, loaded at its first use: `--version` and `--help` must not load a 70 MB native library, and the
 * packaged executable unpacks the library first.
 */
export async function duckdb(): Promise<DuckDB> {
  await placeNativeLibrary();
  library ??= await import("@duckdb/node-api");
  bindings ??= (await import("@duckdb/node-bindings")).default;
  return library;
}

/** The binding after {@link duckdb} has been awaited; for code that only runs with an open database. */
duckdb.loaded = (): DuckDB => {
  if (library === undefined) throw new Error("the DuckDB binding is used before a database was opened");
  return library;
};

/** The low-level binding, under the same condition: functions that access the engine's memory. */
duckdb.bindings = (): Bindings => {
  if (bindings === undefined) throw new Error("the DuckDB binding is used before a database was opened");
  return bindings;
};
