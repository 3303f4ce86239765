import type { SavedQuery } from "#storage/saved-queries/types.ts";
import { UsageError } from "../errors.ts";
import type { Rows } from "../output/rows.ts";
import type { LocalSource, OpenSource } from "../sources/open-source.ts";

/** The rows of a saved query. @throws UsageError for SQL on a server */
export async function rowsOf({ language, text }: SavedQuery, source: OpenSource, signal?: AbortSignal): Promise<Rows> {
  const options = signal === undefined ? {} : { signal };
  if (language !== "SQL") return (await source.query(text, options)).rows;
  if (source.kind === "url") {
    throw new UsageError(
      "this query is SQL, and a server accepts only PQL and AST; use an archive or a data directory",
    );
  }
  const session = await source.store.sql();
  return sqlRows(session, text, options);
}

type Session = Awaited<ReturnType<LocalSource["store"]["sql"]>>;

async function* sqlRows(session: Session, text: string, options: { signal?: AbortSignal }): Rows {
  try {
    yield* await session.run(text, options);
  } finally {
    session.close();
  }
}
