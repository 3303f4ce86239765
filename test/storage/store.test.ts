import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Database } from "#storage/engine/database.ts";
import { CensusError } from "#storage/errors.ts";
import { Store } from "#storage/store.ts";
import { databaseFile } from "#storage/store-database.ts";
import { fixedClock } from "#storage/time.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import {
  a,
  queryRows,
  queryWithTotal,
  emptyStore,
  everyRow,
  fieldOf,
  NOW,
  populatedStore,
  rowsOf,
} from "#test/fixture-store.ts";

let store: Store;
beforeAll(async () => {
  store = await populatedStore();
});
afterAll(() => store.close());

describe("a store in a directory", () => {
  it("is created if it does not exist, and contains its data when it is opened again", async () => {
    await using folder = await temporaryFolder();
    const directory = join(folder.path, "data");
    const first = await Store.open({ directory, clock: fixedClock(NOW) });
    await first.submit(a.facts("web"));
    await first.submit(a.catalog("web"));
    await first.submit(a.report("web"));
    await first.close();

    const second = await Store.open({ directory, clock: fixedClock(NOW) });
    expect(await fieldOf(second, "facts", "name")).toEqual(["kernel"]);
    // Its dictionaries and ids in memory must equal those of the file.
    const outcomes = [await second.submit(a.facts("web")), await second.submit(a.report("web"))];
    expect(outcomes).toEqual(["unchanged", "duplicate"]);
    await second.submit(a.catalog("db", { producer_timestamp: "2026-11-20T00:00:00Z" }));
    await second.submit(a.facts("db", { values: { kernel: "Linux", fresh: 1 } }));
    expect(await fieldOf(second, "resources", "certname", ["=", "type", "File"])).toEqual(["db", "web"]);
    expect(await fieldOf(second, "fact_contents", "path", ["=", "certname", "db"])).toEqual([
      '["fresh"]',
      '["kernel"]',
    ]);
    expect(await fieldOf(second, "nodes", "certname")).toEqual(["db", "web"]);
    await second.close();
  });

  it("of a newer program is refused in one line", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, databaseFile);
    const newer = await Database.open({ path, threads: 1 });
    await newer.execute("CREATE TABLE schema_migrations (version INTEGER, name VARCHAR, applied TIMESTAMP)");
    await newer.execute("INSERT INTO schema_migrations VALUES (1000, 'far ahead', now()::TIMESTAMP)");
    await newer.close();
    await expect(Store.open({ directory: folder.path })).rejects.toMatchObject({
      code: "bad-file",
      message: expect.stringMatching(/^.*census\.duckdb: the store has schema version 1000, [^\n]*newer census$/),
    });
  });
});

describe("existence", () => {
  it.each<[kind: Parameters<Store["queries"]["exists"]>[0], id: string, known: boolean]>([
    ["node", "alpha", true],
    ["node", "delta", true],
    ["node", "zeta", true],
    ["node", "nosuch", false],
    ["node", "' OR 1=1 --", false],
    ["factset", "alpha", true],
    ["factset", "epsilon", false],
    ["catalog", "delta", true],
    ["catalog", "gamma", false],
    ["report", "alpha", false],
    ["environment", "staging", true],
    ["environment", "nosuch", false],
    ["producer", "puppet2", true],
    ["producer", "", false],
  ])("of %s %s is %s", async (kind, id, known) => {
    expect(await store.queries.exists(kind, id)).toBe(known);
  });
});

describe("a report's documents", () => {
  it.each([
    ["beta", '[{"category":"resources","name":"total","value":2}]'],
    ["gamma", null],
  ])("metrics of %s are %s", async (certname, expected) => {
    const [hash = ""] = await fieldOf(store, "reports", "hash", ["=", "certname", certname]);
    expect(await store.queries.exists("report", hash)).toBe(true);
    expect(await store.queries.reportDocument(hash, "metrics")).toBe(expected);
  });

  it("of a plan do not exist (reference/query.md §3)", async () => {
    const [hash = ""] = await fieldOf(store, "reports", "hash", ["=", "type", "plan"]);
    expect(await store.queries.exists("report", hash)).toBe(true);
    expect(await store.queries.reportDocument(hash, "logs")).toBeNull();
  });
});

describe("a query", () => {
  it("has a total of the rows before limit and offset", async () => {
    const spec = { of: everyRow("nodes"), limit: 2n, offset: 1n } as const;
    const { rows, total } = await queryWithTotal(store, spec, { withTotal: true });
    expect(rows).toHaveLength(2);
    expect(total).toBe(6n);
    expect((await queryWithTotal(store, spec)).total).toBeNull();
  });

  it("is explained step by step", async () => {
    const explanation = await store.queries.explain(store.queries.plan({ of: everyRow("nodes") }));
    expect(JSON.stringify(explanation)).toContain('"Relation Name":"nodes"');
  });

  it("whose signal is aborted already does not run", async () => {
    const reason = new CensusError("timeout", "too late");
    const plan = store.queries.plan({ of: everyRow("nodes") });
    await expect(store.queries.run(plan, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  it("uses the clock of the store", async () => {
    // Two weeks after its deactivation delta waits to be purged.
    const later = await emptyStore({ clock: fixedClock(NOW + 13n * 86_400_000_000n) });
    await later.submit(a.deactivation("delta", "2026-11-19T20:00:00Z"));
    expect(await rowsOf(later, "nodes", ["=", "node_state", "inactive"])).toEqual([]);
    expect(await fieldOf(later, "nodes", "certname", ["=", "node_state", "any"])).toEqual(["delta"]);
    await later.close();
  });
});

describe("closing", () => {
  it("waits for submitted commands", async () => {
    const closing = await emptyStore();
    const outcomes = Promise.all([closing.submit(a.facts("one")), closing.submit(a.facts("two"))]);
    await closing.close();
    expect(await outcomes).toEqual(["stored", "stored"]);
  });
});

describe("an event of a command", () => {
  it("is passed to the listener", async () => {
    const events: string[] = [];
    const listening = await emptyStore({
      onCommand: (event) => events.push(`${event.kind}${"entry" in event ? ` ${event.entry.certname}` : ""}`),
    });
    await listening.submit(a.facts("web"));
    await expect(listening.submit({ ...a.facts("bad"), payload: "{" })).rejects.toThrow("the payload is not JSON");
    await listening.close();
    expect(events).toEqual(["received web", "processed web", "received bad", "discarded bad"]);
  });
});

describe("two stores", () => {
  it("in memory share no data", async () => {
    const other = await emptyStore();
    expect(await queryRows(other, { of: everyRow("nodes") })).toEqual([]);
    await other.close();
  });
});
