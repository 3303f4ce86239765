import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { importArchive } from "#cli/import-archive.ts";
import { keepEverything } from "#storage/lifecycle/retention.ts";
import { type Json, isObject, parseJson, stringifyJson } from "#storage/json.ts";
import { entities } from "#storage/query/entities/index.ts";
import { Store } from "#storage/store.ts";
import { fixedClock, parseTimestamp } from "#storage/time.ts";
import { generatedSite, type Site } from "./site.ts";

let site: Site;
let original: Store;

beforeAll(async () => {
  site = await generatedSite(12);
  original = await storeOf(site.path);
});

afterAll(async () => {
  await original.close();
  site.remove();
});

async function storeOf(path: string): Promise<Store> {
  const clock = fixedClock(parseTimestamp("2026-11-20T12:00:00Z") ?? 0n);
  const store = await Store.open({ clock, retention: keepEverything });
  await importArchive(store, path);
  return store;
}

async function rowsOf(store: Store, query: string): Promise<Json[]> {
  const text = query.startsWith("[") ? { query: parseJson(query) } : { pql: query };
  const { rows } = await store.queries.run(store.queries.plan({ of: "root", ...text }));
  const all: Json[] = [];
  for await (const batch of rows) all.push(...batch.texts().map(parseJson));
  return all;
}

/** How many there are of each thing, and what goes with what; columns named here are nodes. */
const NODES = ["certname", "producer"];
const QUERIES: readonly string[] = [
  ...Object.keys(entities).map((entity) => `["from", "${entity}", ["extract", [["function", "count"]]]]`),
  'reports[certname, type, status, count()] { type = "any" group by certname, type, status }',
  "nodes[certname, latest_report_status, cached_catalog_status, latest_report_noop] {}",
  "catalogs[producer, count()] { group by producer }",
  "facts[certname, count()] { certname in nodes[certname] {} group by certname }",
  "fact_contents[certname, count()] { [certname, name] in facts[certname, name] {} group by certname }",
  "fact_paths[type, count()] { group by type }",
  "resources[certname, exported, count()] { group by certname, exported }",
  "edges[certname, relationship, count()] { [certname, source_type, source_title] in resources[certname, type, title] {} group by certname, relationship }",
  "edges[certname, relationship, count()] { [certname, target_type, target_title] in resources[certname, type, title] {} group by certname, relationship }",
  "events[certname, status, count()] { [certname, resource_type, resource_title] in resources[certname, type, title] {} group by certname, status }",
  "events[certname, count()] { [certname, containing_class] in resources[certname, title] {} group by certname }",
  "events[certname, count()] { report in reports[hash] {} group by certname }",
  "catalogs[certname] { [certname, transaction_uuid] in reports[certname, transaction_uuid] {} }",
  "catalogs[certname] { [certname, catalog_uuid] in reports[certname, catalog_uuid] {} }",
  '["from", "catalog_inputs", ["extract", ["certname"], ["in", ["certname", "catalog_uuid"], ["from", "catalogs", ["extract", ["certname", "catalog_uuid"]]]]]]',
  "catalogs[certname] { environment in environments[name] {} }",
];

function sorted(rows: readonly Json[]): string[] {
  return rows.map(stringifyJson).sort();
}

describe.each(["full", "moderate", "low"] as const)("an archive anonymized with %s", (profile) => {
  it("has the same number of rows of each kind, with the same relations between them", async () => {
    const { path, anonymizer } = await site.anonymized(profile);
    const store = await storeOf(path);
    try {
      for (const query of QUERIES) {
        const renamed = (await rowsOf(original, query)).map((row) => {
          if (!isObject(row)) return row;
          const entries = Object.entries(row).map(([key, value]): [string, Json] => [
            key,
            NODES.includes(key) && typeof value === "string" ? anonymizer.certname(value) : value,
          ]);
          return Object.fromEntries(entries);
        });
        expect([query, sorted(await rowsOf(store, query))]).toEqual([query, sorted(renamed)]);
        expect([query, renamed.length]).not.toEqual([query, 0]);
      }
    } finally {
      await store.close();
    }
  });
});
