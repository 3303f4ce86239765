import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { limitMemory } from "#storage/memory/budget.ts";
import type { QueryResult } from "#storage/query/query.ts";
import { Store } from "#storage/store.ts";
import { fixedClock } from "#storage/time.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { a, queryRows, NOW, rowsOf } from "#test/fixture-store.ts";

/** Facts of all nodes together are more than the engine may have; those of some nodes are not. */
const NODES = 72;
const names = Array.from({ length: NODES }, (_, index) => `node-${String(index).padStart(3, "0")}`);
const values = Object.fromEntries(
  Array.from({ length: 400 }, (_, index) => [`fact-${index}`, `value ${index} `.repeat(200)]),
);

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let store: Store;

beforeAll(async () => {
  folder = await temporaryFolder();
  limitMemory(400_000_000);
  store = await Store.open({ clock: fixedClock(NOW), directory: folder.path });
  for (const name of names) await store.submit(a.facts(name, { values: { ...values, name } }));
});

afterAll(async () => {
  await store.close();
  limitMemory(undefined);
  await folder[Symbol.asyncDispose]();
});

describe("a result that is too large for one query of the engine", () => {
  it("has every row, in its order", async () => {
    const rows = await queryRows(store, {
      of: { entity: "factsets", activeOnly: true },
      orderBy: [{ field: "certname", descending: true }],
    });
    expect(rows.map((row) => (row as { certname: string }).certname)).toEqual(names.toReversed());
  });

  it("has the page that limit and offset select", async () => {
    const rows = await queryRows(store, {
      of: { entity: "inventory", activeOnly: true },
      orderBy: [{ field: "certname", descending: false }],
      limit: 60n,
      offset: 10n,
    });
    const facts = rows as { certname: string; facts: { name: string } }[];
    expect(facts.map((row) => row.facts.name)).toEqual(names.slice(10, 70));
  });

  it("has the rows that the query selects", async () => {
    const query = ["or", ["~", "certname", "node-0"], ["~", "certname", "node-1"]];
    expect(await rowsOf(store, "factsets", query)).toHaveLength(NODES);
  });
});

describe("a document of several megabytes", () => {
  const long = Object.fromEntries(["a", "b", "c"].map((name) => [name, `${name} `.repeat(2_500_000)]));
  beforeAll(async () => {
    await store.submit(a.facts("large", { values: long }));
  });

  it("is announced before it is read, so that the query can be cancelled", async () => {
    const refusal = new Error("there is no place");
    await expect(
      bytesOf("large", () => {
        throw refusal;
      }),
    ).rejects.toBe(refusal);
    expect(await bytesOf("large", () => undefined)).toBeGreaterThan(10_000_000);
  });

  it("is not announced when another document is read", async () => {
    let calls = 0;
    expect(await bytesOf("node-003", () => void calls++)).toBeGreaterThan(1000);
    expect(calls).toBe(0);
  });

  it("waits for another one that is being read, while short ones do not", async () => {
    const first = (await factset("large")).rows[Symbol.asyncIterator]();
    await first.next();
    const events: string[] = [];
    const second = bytesOf("large", () => undefined).then((bytes) => {
      events.push("second read");
      return bytes;
    });
    await bytesOf("node-003", () => undefined);
    // Long enough for a document that does not wait.
    await delay(500);
    events.push("first ended");
    await first.return?.();
    expect(await second).toBeGreaterThan(10_000_000);
    expect(events).toEqual(["first ended", "second read"]);
  });
});

async function factset(certname: string, beforeLong: () => void = () => undefined): Promise<QueryResult> {
  const query = ["=", "certname", certname];
  const plan = store.queries.plan({ of: { entity: "factsets", activeOnly: true }, query });
  return store.queries.run(plan, { beforeLong });
}

/** Bytes of the factset of a node. */
async function bytesOf(certname: string, beforeLong: () => void): Promise<number> {
  let bytes = 0;
  for await (const rows of (await factset(certname, beforeLong)).rows) bytes += rows.length(0);
  return bytes;
}
