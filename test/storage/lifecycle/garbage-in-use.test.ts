import { expect, it } from "vitest";
import { Database } from "#storage/engine/database.ts";
import { importAll } from "#storage/ingest/import.ts";
import { Ingester } from "#storage/ingest/ingester.ts";
import type { Submission } from "#storage/ingest/submission.ts";
import { collectCatalogs, collectFactPaths, collectPackages } from "#storage/lifecycle/garbage.ts";
import { removeNode } from "#storage/lifecycle/purge-nodes.ts";
import { cleanEverything } from "#storage/lifecycle/request.ts";
import { defaultRetention } from "#storage/lifecycle/retention.ts";
import type { Work } from "#storage/lifecycle/work.ts";
import { NodeIndex } from "#storage/nodes/node-index.ts";
import { migrate } from "#storage/schema/migrate.ts";
import { fixedClock } from "#storage/time.ts";
import { a, NOW } from "#test/fixture-store.ts";
import { classResource, edge, fileResource } from "#test/storage/wire/payloads.ts";

async function* each(commands: readonly Submission[]): AsyncGenerator<Submission> {
  yield* commands;
}

/** What one node sends: a file, an edge to it, a package, a scalar fact and a structured one. */
function sent(minute: number): Submission[] {
  const at = `2026-11-20T10:${minute}:00Z`;
  const file = fileResource({ title: "/etc/motd", parameters: { content: "hello" } });
  const values = { plain: 1, structured: { name: "x" } };
  return [
    a.facts("web", { producer_timestamp: at, values, package_inventory: [["vim", "9", "apt"]] }),
    a.catalog("web", {
      producer_timestamp: at,
      resources: [classResource(), file],
      edges: [edge({ target: { type: "File", title: "/etc/motd" } })],
    }),
  ];
}

const garbage = `SELECT (SELECT count(*) FROM resources WHERE title = '/etc/motd')::INTEGER AS resources,
  (SELECT count(*) FROM resource_parameters WHERE name = 'content')::INTEGER AS parameters,
  (SELECT count(*) FROM edges)::INTEGER AS edges, (SELECT count(*) FROM packages)::INTEGER AS packages,
  (SELECT count(*) FROM fact_paths)::INTEGER AS paths`;

const all = { resources: 1, parameters: 1, edges: 1, packages: 1, paths: 3 };

it.each([
  ["packages", collectPackages, { ...all, packages: 0 }],
  ["resources and edges", collectCatalogs, { ...all, resources: 0, parameters: 0, edges: 0 }],
  ["fact paths", collectFactPaths, { ...all, paths: 0 }],
])("unused %s are deleted, but not those that a command uses before they are", async (_, collect, without) => {
  for (const isUsedAgain of [false, true]) {
    const database = await Database.open();
    await migrate(database);
    const nodes = new NodeIndex();
    const clock = fixedClock(NOW);
    const retention = { ...defaultRetention, historyTtl: 0n };
    const ingester = new Ingester(database, { nodes, clock, retention });
    await importAll(ingester, each(sent(10)));
    await ingester.transactions.run((tx) => removeNode(tx, nodes, "web"));
    const work: Work = {
      now: NOW,
      retention,
      request: cleanEverything,
      isOrdered: false,
      signal: new AbortController().signal,
      report: () => undefined,
      rows: async <T>(sql: string) => {
        const found = await database.rows<T>(sql);
        if (isUsedAgain) await importAll(ingester, each(sent(11)));
        return found;
      },
      inTransaction: (change) => ingester.transactions.run(change),
    };
    await collect(work);
    expect(await database.rows(garbage)).toEqual([isUsedAgain ? all : without]);
    await ingester.close();
    await database.close();
  }
});
