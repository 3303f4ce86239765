import type { Rows } from "../output/rows.ts";
import type { Sql } from "#storage/sql/sql.ts";
import type { OpenSource } from "./open-source.ts";

/**
 * Runs a SELECT on the views of a source: a store on this machine, or a server that allows it.
 * @throws CensusError "bad-input" when the statement is invalid; the server's message where it does not answer SQL
 */
export async function sqlRows(source: OpenSource, statement: string, signal?: AbortSignal): Promise<Rows> {
  const options = signal === undefined ? {} : { signal };
  if (source.kind === "url") return source.sql(statement, options);
  return localRows(await source.sqlSession(), statement, options);
}

async function* localRows(session: Sql, statement: string, options: { readonly signal?: AbortSignal }): Rows {
  try {
    yield* await session.run(statement, options);
  } finally {
    session.close();
  }
}
