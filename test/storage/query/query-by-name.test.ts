import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canonicalText } from "#storage/hash/canonical.ts";
import type { Json } from "#storage/json.ts";
import { listedNode } from "#storage/origins/origin-node.ts";
import { entities } from "#storage/query/entities/index.ts";
import { Store } from "#storage/store.ts";
import { fixedClock } from "#storage/time.ts";
import { a, everyRow, NOW, population, rowsOf } from "#test/fixture-store.ts";
import * as payloads from "#test/storage/wire/payloads.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";

/*
 * A store that has taken commands in has its nodes in memory and looks for rows by their ids; one that is only read looks
 * for the names. Both answer the same.
 */

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let written: Store;
let read: Store;

/** Later documents of two nodes, so that there are changes. */
const later = ["alpha", "gamma"].flatMap((certname) => {
  const producer_timestamp = "2026-11-20T20:00:00Z";
  const package_inventory = [["ntp", "4.3", "apt"]];
  return [
    a.facts(certname, { producer_timestamp, package_inventory }),
    a.catalog(certname, { producer_timestamp }),
    a.catalog(certname, { producer_timestamp, edges: [], resources: [payloads.classResource({ tags: [] })] }),
  ];
});

/** Commands, and what is noted of the nodes of a server that is followed. */
async function fill(store: Store): Promise<void> {
  for (const submission of [...population, ...later]) await store.submit(submission);
  await store.origins.begin([{ name: "eu", url: "https://pdb-eu:8081" }]);
  const listed = ["alpha", "gamma"].map((certname) => listedNode({ certname, deactivated: null }, new Map()));
  await store.origins.settle("eu", listed);
}

beforeAll(async () => {
  folder = await temporaryFolder();
  const options = { directory: folder.path, clock: fixedClock(NOW) };
  const store = await Store.open(options);
  await fill(store);
  await store.close();
  read = await Store.open({ ...options, readOnly: true });
  written = await Store.open({ clock: fixedClock(NOW) });
  await fill(written);
});
afterAll(async () => {
  await read.close();
  await written.close();
  await folder[Symbol.asyncDispose]();
});

const named = Object.values(entities).filter(({ fields }) => fields["certname"]?.node !== undefined);

const byName: Json = ["=", "certname", "alpha"];

const conditions: readonly Json[] = [
  byName,
  ["=", "certname", "delta"],
  ["=", "certname", "nobody"],
  ["=", "certname", "ALPHA"],
  ["=", "certname", ""],
  ["not", byName],
  ["or", byName, ["=", "certname", "gamma"]],
  ["and", byName, ["=", "certname", "gamma"]],
  ["in", "certname", ["extract", "certname", ["select_nodes", byName]]],
];

async function answer(store: Store, entity: string, condition: Json): Promise<string[]> {
  return (await rowsOf(store, entity, condition)).map((row) => canonicalText(row, "strings")).sort();
}

describe("rows of a node that a query names", () => {
  it.each(named.map(({ name }) => name))("are the same by its id and by its name: %s", async (entity) => {
    const counts: number[] = [];
    for (const condition of conditions) {
      const expected = await answer(read, entity, condition);
      expect({ condition, rows: await answer(written, entity, condition) }).toEqual({ condition, rows: expected });
      counts.push(expected.length);
    }
    expect(Math.max(...counts)).toBeGreaterThan(0);
  });

  it("are the new ones, once the node was deleted and has sent data again", async () => {
    const store = await Store.open({ clock: fixedClock(NOW) });
    await store.submit(a.facts("again", { values: { value: "first" } }));
    await store.lifecycle.deleteNode("again");
    expect(await rowsOf(store, "facts", ["=", "certname", "again"])).toEqual([]);
    expect(await store.queries.exists("node", "again")).toBe(false);
    await store.submit(a.facts("again", { values: { value: "second" } }));
    expect(await rowsOf(store, "facts", ["=", "certname", "again"])).toMatchObject([{ value: "second" }]);
    expect(await store.queries.exists("factset", "again")).toBe(true);
    expect(await store.queries.exists("catalog", "again")).toBe(false);
    await store.close();
  });
});

describe("the plan of a query that names a node", () => {
  it("selects the node by its id if that is known", () => {
    const spec = { of: everyRow("facts"), query: byName };
    expect(written.queries.plan(spec).rows.sql).not.toContain("certname =");
    expect(read.queries.plan(spec).rows.sql).toContain("certname =");
  });
});
