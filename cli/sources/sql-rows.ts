import type { Rows } from "../output/rows.ts";
import type { LocalSource, OpenSource } from "./open-source.ts";

/**
 * Runs a SELECT on the views of a source: a store on this machine, or a server that allows it.
 * @throws CensusError "bad-input" when the statement is invalid; the server's message where it does not answer SQL
 */
export async function sqlRows(source: OpenSource, statement: string, signal?: AbortSignal): Promise<Rows> {
  const options = signal === undefined ? {} : { signal };
  if (source.kind === "url") return source.sql(statement, options);
  return localRows(await source.store.sql(), statement, options);
}

type Session = Awaited<ReturnType<LocalSource["store"]["sql"]>>;

async function* localRows(session: Session, statement: string, options: { readonly signal?: AbortSignal }): Rows {
  try {
    yield* await session.run(statement, options);
  } finally {
    session.close();
  }
}
