import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { populationCommands } from "#fixtures/population.ts";
import { Random } from "#fixtures/random.ts";
import { entities } from "#storage/query/entities/index.ts";
import { Store } from "#storage/store.ts";
import { fixedClock } from "#storage/time.ts";
import type { Json } from "#storage/json.ts";
import { command, NOW, queryRows, type TextSubmission } from "#test/fixture-store.ts";
import { MemoryReplicatedLog } from "#test/storage/queue/replicated/memory-log.ts";

const options = { nodes: 24, seed: 5, reportsPerNode: 3, factLeaves: 60, resources: 25 };

/** Each node's commands in their order, the nodes in a random one. */
function commandsInOrder(seed: number): TextSubmission[] {
  const random = new Random("page order", seed);
  const byNode = new Map<string, TextSubmission[]>();
  for (const { command: name, payload } of populationCommands({ ...options, baseTime: "2026-11-20T12:00:00.000Z" })) {
    const submission = command(name, payload);
    byNode.set(submission.certname, [...(byNode.get(submission.certname) ?? []), submission]);
  }
  const keyed = [...byNode.values()].map((commands) => ({ commands, place: random.integer(0, 1_000_000) }));
  return keyed.sort((a, b) => a.place - b.place).flatMap(({ commands }) => commands);
}

async function storeOf(seed: number, isShared: boolean): Promise<Store> {
  const log = new MemoryReplicatedLog();
  const store = await Store.open({
    clock: fixedClock(NOW),
    ...(isShared ? { commandLog: log.opener({ size: () => 100, ms: () => 1 }) } : {}),
  });
  await Promise.all(commandsInOrder(seed).map(async (submission) => (await store.accept(submission, true)).processed));
  return store;
}

const page: Json[] = [
  ["limit", 5],
  ["offset", 7],
];

/** Columns that are the same in both stores: without times of receipt. */
const columns: Readonly<Record<string, readonly string[]>> = {
  reports: ["hash", "certname", "status"],
  catalogs: ["certname", "hash"],
  factsets: ["certname", "hash"],
  factsets_with_packages: ["certname", "hash"],
  nodes: ["certname", "latest_report_hash"],
  nodes_with_fact_expiration: ["certname", "latest_report_hash"],
  events: ["certname", "report", "resource_type", "resource_title", "property", "message"],
  inventory: ["certname", "environment"],
};

/** A page of each entity, of groups, of rows that are equal in their order, and inside a subquery. */
const queries: readonly (readonly [what: string, query: Json])[] = [
  ...Object.keys(entities)
    // The population has no history.
    .filter((name) => !name.endsWith("_changes"))
    .map((name): readonly [string, Json] => {
      const some = columns[name];
      const query: Json[] = some === undefined ? [] : [["extract", [...some]]];
      return [name, ["from", name, ...query, ...page]];
    }),
  [
    "nodes by their status",
    ["from", "nodes", ["extract", ["certname"]], ["order_by", ["latest_report_status"]], ["limit", 6]],
  ],
  [
    "resources by type",
    ["from", "resources", ["extract", ["type", "title"]], ["order_by", [["type", "desc"]]], ...page],
  ],
  ["groups of facts", ["from", "facts", ["extract", ["name", ["function", "count"]], ["group_by", "name"]], ...page]],
  [
    "groups of resources by type",
    [
      "from",
      "resources",
      ["extract", ["type", "title", ["function", "count"]], ["group_by", "type", "title"]],
      ["order_by", ["type"]],
      ["limit", 20],
    ],
  ],
  [
    "facts of a page of nodes",
    [
      "from",
      "facts",
      [
        "and",
        ["=", "name", "kernel"],
        ["in", "certname", ["from", "nodes", ["extract", "certname"], ["limit", 3], ["offset", 5]]],
      ],
      ["order_by", ["certname"]],
    ],
  ],
  [
    "nodes without a page of resources",
    [
      "from",
      "nodes",
      [
        "extract",
        ["certname"],
        [
          "not",
          ["in", "certname", ["from", "resources", ["extract", "certname", ["=", "type", "File"]], ["limit", 10]]],
        ],
      ],
      ["order_by", ["certname"]],
    ],
  ],
];

async function rowsOf(store: Store, query: Json): Promise<Json[]> {
  return queryRows(store, { of: "root", query });
}

async function allTexts(rows: AsyncIterable<{ texts(): string[] }>): Promise<string[]> {
  const texts: string[] = [];
  for await (const batch of rows) texts.push(...batch.texts());
  return texts;
}

describe("stores with the same content that was stored in different orders", () => {
  let shared: Store[];
  let alone: Store[];
  beforeAll(async () => {
    shared = [await storeOf(1, true), await storeOf(2, true)];
    alone = [await storeOf(1, false), await storeOf(2, false)];
  });
  afterAll(async () => {
    for (const store of [...shared, ...alone]) await store.close();
  });

  it.each(queries)("return the same page where they follow a log: %s", async (_what, query) => {
    const [one = [], two = []] = await Promise.all(shared.map((store) => rowsOf(store, query)));
    expect(two).toEqual(one);
  });

  it.each(["certname", "resource"])("return the same page of counts by %s", async (summarizeBy) => {
    const plan = (store: Store) =>
      store.queries.planCounts({ summarizeBy, orderBy: [{ field: "skips", descending: true }], limit: 6n, offset: 1n });
    const [one = [], two = []] = await Promise.all(
      shared.map(async (store) => allTexts((await store.queries.run(plan(store), {})).rows)),
    );
    expect(two).toEqual(one);
  });

  it("return other pages where they do not, which shows that the orders differ", async () => {
    const differing: string[] = [];
    for (const [what, query] of queries) {
      const [one, two] = await Promise.all(alone.map((store) => rowsOf(store, query)));
      if (JSON.stringify(one) !== JSON.stringify(two)) differing.push(what);
    }
    expect(differing.length).toBeGreaterThan(10);
  });
});
