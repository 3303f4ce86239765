import { CensusError } from "#storage/errors.ts";
import { duckdb } from "#storage/engine/duckdb.ts";
import { type Finding, reporter } from "./finding.ts";

/** Loads the engine's library, which the program may have to unpack first. */
export async function checkEngine(): Promise<Finding> {
  const report = reporter("engine", null);
  try {
    return report.ok(`DuckDB ${(await duckdb()).version()} can be loaded`);
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    const remedy = error instanceof CensusError ? "see the engine's library in docs/installation.md" : "install again";
    return report.error(what, remedy);
  }
}
