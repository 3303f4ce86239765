import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { classesForm } from "#cli/short-forms/classes.ts";
import { eventsForm } from "#cli/short-forms/events.ts";
import { factsForm } from "#cli/short-forms/facts.ts";
import { nodesForm } from "#cli/short-forms/nodes.ts";
import { packagesForm } from "#cli/short-forms/packages.ts";
import { reportsForm } from "#cli/short-forms/reports.ts";
import { resourcesForm } from "#cli/short-forms/resources.ts";
import type { LocalSource } from "#cli/sources/open-source.ts";
import { openLocal } from "#cli/sources/local.ts";
import { type DocumentKind, documentKinds, isKnownTable, kindsRead } from "#storage/archive/document-kinds.ts";
import type { Json } from "#storage/json.ts";
import { columnNames } from "#storage/nodes/columns.ts";
import { entities } from "#storage/query/entities/index.ts";
import { openDatabase } from "#storage/store-database.ts";
import { Store } from "#storage/store.ts";
import { a, time } from "#test/fixture-store.ts";
import { byLength } from "#test/length.ts";
import { queries as otherQueries } from "#test/storage/query/statements/other-queries.ts";
import { census, SAMPLE, workFolder } from "../census.ts";
import { importSeries, seriesOf, seriesOptions } from "#cli/import/series.ts";

const folder = workFolder();
const withHistory = join(folder, "with-history.tgz");
const WEB = "web-01.example.com";
const NOW = time("2026-11-20T12:00:00Z");

beforeAll(async () => {
  const directory = join(folder, "data");
  let now = time("2026-11-18T10:00:00Z");
  const store = await Store.open({ directory, clock: { now: () => now } });
  for (const [at, kernel] of [
    ["2026-11-18T10:00:00Z", "6.1"],
    ["2026-11-20T10:00:00Z", "6.12"],
  ] as const) {
    now = time(at);
    const values = { kernel, hostname: "web-01" };
    await store.submit(a.facts(WEB, { producer_timestamp: at, values }, now));
    await store.submit(a.catalog(WEB, { producer_timestamp: at, version: kernel }, now));
    await store.submit(a.report(WEB, { producer_timestamp: at, status: "failed" }, now));
  }
  await store.close();
  const words = ["export", withHistory, "--with-history", "--data", directory, "--now", "2026-11-21T00:00:00Z"];
  const { code, stderr } = await census(words);
  if (code !== 0) throw new Error(stderr);
});

afterAll(() => {
  vi.unstubAllEnvs();
});

const forms = [
  nodesForm({}),
  nodesForm({ status: "failed" }),
  nodesForm({ state: "corrective" }),
  nodesForm({ class: "chrony", fact: "os.family=Debian" }),
  nodesForm({ count: true }),
  factsForm({ name: "os.family", count: true }),
  factsForm({}),
  reportsForm({}),
  eventsForm({}),
  resourcesForm({ resource: "File" }),
  classesForm({}),
  packagesForm({}),
];

/** Queries of all kinds: what commands ask, each entity with all fields, and others. */
const queries: readonly Json[] = [
  ...forms.map((form) => form.query(NOW)),
  ...Object.keys(entities).map((entity) => ["from", entity]),
  "nodes[certname, latest_report_hash] {}",
  "catalogs[certname, hash] {}",
  "factsets[certname, hash, producer] {}",
  "reports[hash, latest_report?] { latest_report? = true }",
  "nodes[certname] { certname in events[certname] { status = 'failure' } }",
  ...otherQueries,
];

async function rowsOf(source: LocalSource, query: Json): Promise<string[] | string> {
  try {
    const rows: string[] = [];
    for await (const batch of (await source.query(query)).rows) rows.push(...batch);
    return rows.toSorted();
  } catch (error) {
    return String(error);
  }
}

const issuesOf = async (source: LocalSource): Promise<unknown> => {
  const issues = await source.issues();
  const range = {
    from: Number(NOW / 1000n) - 30 * 86_400_000,
    to: Number(NOW / 1000n),
    now: Number(NOW / 1000n),
    nodes: { pql: "nodes{}" },
  };
  return issues.list({ ...range, filter: {}, order: "still", limit: 100 });
};

/** Numbers in [0, 1) that depend on the seed alone. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

function shuffled<T>(items: readonly T[], next: () => number): T[] {
  return items
    .map((item) => ({ item, place: next() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item);
}

const archive = (path: string, cached: boolean) => ({ kind: "archive", path, clock: undefined, cached }) as const;

/** An empty cache. */
function emptyCache(): void {
  vi.stubEnv("XDG_CACHE_HOME", mkdtempSync(join(folder, "cache-")));
}

const archives = [
  ["an export", () => SAMPLE],
  ["an export with a history", () => withHistory],
] as const;

describe.each(archives)("%s that is read in parts", (_name, path) => {
  let whole: LocalSource;
  const expected = new Map<Json, unknown>();
  beforeAll(async () => {
    whole = await openLocal(archive(path(), false), documentKinds);
    for (const query of queries) expected.set(query, await rowsOf(whole, query));
  });
  afterAll(async () => whole.close());

  it.each([
    ["in the cache", true],
    ["in memory", false],
  ])(
    "answers every query as the whole one does, in any order, %s",
    async (_where, cached) => {
      for (let seed = 1; seed <= byLength({ short: 1, long: 12 }); seed++) {
        const next = random(seed);
        emptyCache();
        let source = await openLocal(archive(path(), cached));
        for (const query of shuffled(queries, next)) {
          expect(await rowsOf(source, query), `${JSON.stringify(query)}, seed ${seed}`).toStrictEqual(
            expected.get(query),
          );
          if (next() > (cached ? 0.2 : 0.02)) continue;
          // Another command, which finds what the cache has.
          await source.close();
          source = await openLocal(archive(path(), cached));
        }
        expect(await issuesOf(source)).toStrictEqual(await issuesOf(whole));
        expect((await (await source.whole()).fingerprint()).tables).toStrictEqual(
          (await (await whole.whole()).fingerprint()).tables,
        );
        await source.close();
      }
    },
    120_000,
  );

  it("has the same content whichever kind is added after which", async () => {
    const { tables } = await (await whole.whole()).fingerprint();
    for (let seed = 1; seed <= byLength({ short: 2, long: 8 }); seed++) {
      emptyCache();
      const kinds: DocumentKind[] = [];
      for (const kind of shuffled(documentKinds, random(seed))) {
        kinds.push(kind);
        const source = await openLocal(archive(path(), true), kinds);
        await source.query("nodes[count()] {}");
        await source.close();
      }
      const source = await openLocal(archive(path(), true));
      const added = await (await source.whole()).fingerprint();
      expect({ kinds, tables: added.tables }).toStrictEqual({ kinds, tables });
      await source.close();
    }
  });
});

describe("what a query reads", () => {
  it("is known for every table", async () => {
    const database = await openDatabase({});
    const store = await Store.over(database, {});
    const tables = await database.rows<{ name: string }>(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'main'",
    );
    expect(tables.map(({ name }) => name).filter((name) => !isKnownTable(name))).toStrictEqual([]);
    await store.close();
  });

  it("includes each column of nodes that documents without content do not have", async () => {
    const series = await seriesOf([SAMPLE]);
    const cells = async (part?: { adds: ReadonlySet<DocumentKind> }) => {
      const options = { ...seriesOptions(series), clock: series.clock ?? { now: () => NOW } };
      const database = await openDatabase(options);
      const store = await Store.over(database, options);
      await importSeries(store, series, { part });
      const rows = await database.rows<Record<string, unknown>>("SELECT * FROM nodes ORDER BY certname");
      await store.close();
      return rows;
    };
    const [all, heads] = [await cells(), await cells({ adds: new Set() })];
    expect(heads.map(({ certname, id }) => [certname, id])).toStrictEqual(
      all.map(({ certname, id }) => [certname, id]),
    );
    const lacking = columnNames.filter((column) =>
      all.some((row, at) => String(row[column]) !== String(heads[at]?.[column])),
    );
    expect(lacking.filter((column) => kindsRead(new Map([["nodes", new Set([column])]])).size === 0)).toStrictEqual([]);
    expect(lacking).toContain("report_hash");
  });

  it.each<[string, readonly DocumentKind[]]>([
    [nodesForm({ status: "failed" }).query(NOW), []],
    [factsForm({ name: "kernel" }).query(NOW), ["facts"]],
    [reportsForm({}).query(NOW), ["reports"]],
    [eventsForm({}).query(NOW), ["reports"]],
    [classesForm({}).query(NOW), ["catalogs"]],
    [packagesForm({}).query(NOW), ["facts"]],
  ])("%s", async (query, kinds) => {
    const { kindsOfQuery } = await import("#storage/query/kinds-of-query.ts");
    const { astOrPql } = await import("#cli/sources/query-text.ts");
    expect([...kindsOfQuery({ of: "root", ...astOrPql(query) })]).toStrictEqual(kinds);
  });
});
