import { existsSync } from "node:fs";
import { join } from "node:path";
import { type DocumentKind, documentKinds } from "#storage/archive/document-kinds.ts";
import { openStore } from "#storage/open.ts";
import type { Explanation } from "#storage/query/explanation.ts";
import { kindsOfQuery } from "#storage/query/kinds-of-query.ts";
import type { QuerySpec } from "#storage/query/query.ts";
import type { Sql } from "#storage/sql/sql.ts";
import { SILENT_AFTER_MS } from "#storage/states/node-state.ts";
import type { Store } from "#storage/store.ts";
import { databaseFile } from "#storage/store-database.ts";
import { CensusError } from "#storage/errors.ts";
import type { Clock, Timestamp } from "#storage/time.ts";
import { momentAt } from "../moment.ts";
import type { Rows } from "../output/rows.ts";
import { ArchiveParts } from "./archive-parts.ts";
import type { SourceChoice } from "./choice.ts";
import type { LocalSource, Paging } from "./open-source.ts";
import { astOrPql } from "./query-text.ts";

/** An archive or a data directory. */
export type LocalChoice = Exclude<SourceChoice, { kind: "url" }>;

/** What of it is read. */
interface Place {
  /** A store with the content of these kinds of documents, which is closed with the place. */
  readonly having: (kinds: Iterable<DocumentKind>) => Promise<Store>;
  readonly clock: () => Promise<Clock>;
  readonly close: () => Promise<void>;
}

/**
 * Opens an archive or a data directory for reading.
 * @param kinds of documents of an archive that will be read, if that is known before
 * @throws CensusError "bad-file" for a directory that does not exist or cannot be used, or an archive that is read at once
 */
export async function openLocal(choice: LocalChoice, kinds?: Iterable<DocumentKind>): Promise<LocalSource> {
  const place = choice.kind === "archive" ? await openArchive(choice, kinds) : await openDirectory(choice);
  const { asOf } = choice;
  const time = asOf === undefined ? undefined : momentAt(asOf, (await place.clock()).now());
  return localSource(choice, place, time);
}

async function openArchive(
  { path, clock, cached }: Extract<LocalChoice, { kind: "archive" }>,
  kinds: Iterable<DocumentKind> | undefined,
): Promise<Place> {
  const parts = new ArchiveParts(path, clock, cached, kinds);
  // What is known to be needed is imported at once, so that its errors are those of opening.
  if (kinds !== undefined) await parts.having(kinds);
  return { having: (more) => parts.having(more), clock: () => parts.clock(), close: () => parts.close() };
}

async function openDirectory({ path, clock }: LocalChoice): Promise<Place> {
  checkHasStore(path);
  const store = await openStore({ directory: path, readOnly: true, ...(clock === undefined ? {} : { clock }) });
  return {
    having: () => Promise.resolve(store),
    clock: () => Promise.resolve(store.clock),
    close: () => store.close(),
  };
}

/** @throws CensusError "bad-file" for a directory without a store */
export function checkHasStore(directory: string): void {
  if (existsSync(join(directory, databaseFile))) return;
  const remedy = "create one with census import or census serve";
  throw new CensusError("bad-file", `${directory}: no Census store found; ${remedy}`);
}

/** @param time the time whose state is queried; undefined: the present one */
function localSource(choice: LocalChoice, place: Place, time: Timestamp | undefined): LocalSource {
  const { having, clock, close } = place;
  const whole = async (): Promise<Store> => having(documentKinds);
  return {
    kind: choice.kind,
    name: choice.path,
    whole,
    at: (other) => localSource(choice, place, other),
    queries: async (kinds = documentKinds) =>
      (await having(time === undefined ? kinds : documentKinds)).queriesAt(time),
    issues: async () => {
      const store = await having(time === undefined ? ["facts", "reports"] : documentKinds);
      return (await store.stateAt(time)).issues;
    },
    sql: async (statement, { inactive = false, signal } = {}) => {
      const session = await (await whole()).sql({ inactive, asOf: time });
      return rowsOfSession(session, statement, signal);
    },
    query: async (query, { signal, explain = false, paging = {}, withTotal = false } = {}) => {
      const ast = typeof query === "string" ? astOrPql(query) : { query };
      const spec: QuerySpec = { of: "root", ...ast, ...pagingOf(paging) };
      const store = await having(time === undefined ? kindsOfQuery(spec) : documentKinds);
      const queries = await store.queriesAt(time);
      const plan = queries.plan(spec);
      const options = signal === undefined ? {} : { signal };
      if (explain) return { rows: explanation(await queries.explain(plan, options)), total: undefined };
      const { rows, total } = await queries.run(plan, { ...options, withTotal });
      return { rows: texts(rows), total: total === null ? undefined : Number(total) };
    },
    now: async () => time ?? (await clock()).now(),
    silentAfter: () => Promise.resolve(SILENT_AFTER_MS),
    close,
  };
}

/** The rows of a statement, with which its session ends. */
async function rowsOfSession(session: Sql, statement: string, signal: AbortSignal | undefined): Promise<Rows> {
  const end = (): void => session.close();
  try {
    const rows = await session.run(statement, signal === undefined ? {} : { signal });
    return withEnd(rows, end);
  } catch (error) {
    end();
    throw error;
  }
}

async function* withEnd(rows: Rows, end: () => void): Rows {
  try {
    yield* rows;
  } finally {
    end();
  }
}

function pagingOf({ orderBy, limit, offset }: Paging): Pick<QuerySpec, "orderBy" | "limit" | "offset"> {
  return {
    ...(orderBy === undefined ? {} : { orderBy }),
    ...(limit === undefined ? {} : { limit: BigInt(limit) }),
    ...(offset === undefined ? {} : { offset: BigInt(offset) }),
  };
}

async function* texts(rows: AsyncIterable<{ texts(): string[] }>): AsyncGenerator<string[]> {
  for await (const batch of rows) yield batch.texts();
}

async function* explanation(row: Explanation): AsyncGenerator<string[]> {
  yield await Promise.resolve([JSON.stringify(row)]);
}
