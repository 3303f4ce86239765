import { type DocumentKind, documentKinds } from "#storage/archive/document-kinds.ts";
import type * as json from "#storage/json.ts";
import type { Json } from "#storage/json.ts";
import type { Explanation } from "#storage/query/explanation.ts";
import type * as kinds from "#storage/query/kinds-of-query.ts";
import type { QuerySpec } from "#storage/query/query.ts";
import { SILENT_AFTER_MS } from "#storage/states/node-state.ts";
import type { Store } from "#storage/store.ts";
import { formatTimestamp, type Timestamp } from "#storage/time.ts";
import { type Moment, momentAt } from "../moment.ts";
import type { SourceChoice } from "./choice.ts";
import type { Contact } from "./contact.ts";
import type * as http from "./http.ts";
import type { Answer, QueryOptions, LocalSource, OpenSource, Paging, ServerSource } from "./open-source.ts";
import type { OpenPlace } from "./local.ts";
import type * as queryText from "./query-text.ts";
import type * as servers from "./server.ts";

/**
 * Opens the source. Nothing is sent to a server yet, and nothing read of an archive.
 * @param kinds of documents of an archive that will be read, if that is known before its queries
 * @throws CensusError "bad-file" when it cannot be used
 */
export async function openSource(choice: SourceChoice, kinds?: Iterable<DocumentKind>): Promise<OpenSource> {
  return choice.kind === "url" ? openServer(choice) : openLocal(choice, kinds);
}

/** Opens an archive or a data directory. */
export async function openLocal(choice: LocalChoice, kinds?: Iterable<DocumentKind>): Promise<LocalSource> {
  const { openStore } = await import("./local.ts");
  const [{ kindsOfQuery }, { astOrPql }, place] = await Promise.all([
    import("#storage/query/kinds-of-query.ts"),
    import("./query-text.ts"),
    openStore(choice, kinds),
  ]);
  const { asOf } = choice;
  const time = asOf === undefined ? undefined : momentAt(asOf, (await place.clock()).now());
  return localSource(choice, { ...place, kindsOfQuery, astOrPql }, time);
}

type LocalChoice = Exclude<SourceChoice, { kind: "url" }>;

/** What queries of a local source need. */
interface Local extends OpenPlace {
  readonly kindsOfQuery: typeof kinds.kindsOfQuery;
  readonly astOrPql: typeof queryText.astOrPql;
}

/** @param time the time whose state is queried; undefined: the present one */
function localSource(choice: LocalChoice, local: Local, time: Timestamp | undefined): LocalSource {
  const { having, clock, close, kindsOfQuery, astOrPql } = local;
  const whole = async (): Promise<Store> => having(documentKinds);
  return {
    kind: choice.kind,
    name: choice.path,
    whole,
    at: (other) => localSource(choice, local, other),
    queries: async () => (await whole()).queriesAt(time),
    issues: async () => {
      const store = await having(time === undefined ? ["facts", "reports"] : documentKinds);
      return (await store.stateAt(time)).issues;
    },
    sqlSession: async (options) => (await whole()).sql({ ...options, asOf: time }),
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

async function openServer({ contact: args, asOf }: Extract<SourceChoice, { kind: "url" }>): Promise<ServerSource> {
  const [{ contactOf }, server, { nameOf }, { stringifyJson }] = await Promise.all([
    import("./contact.ts"),
    import("./server.ts"),
    import("./http.ts"),
    import("#storage/json.ts"),
  ]);
  return serverSource({ contact: await contactOf(args), server, nameOf, stringifyJson }, asOf);
}

/** What queries of a server need. */
interface Server {
  readonly contact: Contact;
  readonly server: typeof servers;
  readonly nameOf: typeof http.nameOf;
  readonly stringifyJson: typeof json.stringifyJson;
}

/** @param asOf the moment whose state is queried; undefined: the present one */
function serverSource(opened: Server, asOf: Moment | undefined): ServerSource {
  const { contact, server, nameOf, stringifyJson } = opened;
  let time: Promise<Timestamp> | undefined;
  /** One for all queries, so that they show the same state. */
  const pastTime = async (moment: Moment): Promise<Timestamp> => {
    time ??=
      "at" in moment ? Promise.resolve(moment.at) : server.serverTime(contact).then((now) => momentAt(moment, now));
    return time;
  };
  return {
    kind: "url",
    name: contact.urls.map(nameOf).join(","),
    at: (other) => serverSource(opened, { at: other }),
    query: async (query, options) => {
      const text = typeof query === "string" ? query : stringifyJson(query);
      return server.queryServer(contact, text, { ...options, asOf: asOf && (await pastTime(asOf)) });
    },
    sql: async (statement, { inactive = false, signal }) => {
      const { sqlOnServer } = await import("./server-sql.ts");
      return sqlOnServer(contact, statement, { inactive, asOf: asOf && (await pastTime(asOf)), signal });
    },
    explorer: async (path, parameters) => {
      const past = asOf === undefined ? {} : { as_of: formatTimestamp(await pastTime(asOf)) };
      return server.readExplorer(contact, path, { ...parameters, ...past });
    },
    now: () => (asOf === undefined ? server.serverTime(contact) : pastTime(asOf)),
    silentAfter: () => server.silentAfter(contact),
    close: () => Promise.resolve(),
  };
}

/** Opens a source, runs one query and closes it. */
export async function queryOnce(
  choice: SourceChoice,
  query: string | Json,
  take: (answer: Answer, source: OpenSource) => Promise<void>,
  options: QueryOptions = {},
): Promise<void> {
  // Check the query before opening a source; servers check it themselves.
  if (choice.kind !== "url" && typeof query === "string") (await import("./query-text.ts")).astOrPql(query);
  const source = await openSource(choice);
  try {
    await take(await source.query(query, options), source);
  } finally {
    await source.close();
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
