import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Random } from "#fixtures/random.ts";
import { isObject, type Json, parseJson, stringifyJson } from "#storage/json.ts";
import type { Queries } from "#storage/query/queries.ts";
import type { QuerySpec } from "#storage/query/query.ts";
import { time } from "#test/fixture-store.ts";
import { FIRST, inOrderOfArrival, randomCommands } from "./random-commands.ts";
import { TimedStore } from "./timed-store.ts";

const COUNT = 120;
const MOMENTS = 6;

async function rowsOf(queries: Queries, spec: QuerySpec): Promise<Json[]> {
  const found: Json[] = [];
  for await (const rows of (await queries.run(queries.plan(spec))).rows) found.push(...rows.texts().map(parseJson));
  return found;
}

/** What is not recorded of documents that were replaced since: docs/history.md. */
const unrecorded: Readonly<Record<string, readonly string[]>> = {
  nodes: ["facts_timestamp", "catalog_timestamp"],
  inventory: ["timestamp"],
  factsets: ["timestamp", "hash"],
  catalogs: ["transaction_uuid", "catalog_uuid", "version", "job_id"],
};

/** PQL of what is compared, by the entity of its rows. */
const queries: readonly (readonly [entity: string, pql: string])[] = [
  ...[
    "nodes",
    "facts",
    "fact_contents",
    "factsets",
    "inventory",
    "resources",
    "catalogs",
    "edges",
    "package_inventory",
  ].flatMap((entity): [string, string][] => [
    [entity, `${entity} {}`],
    [entity, `${entity} { node_state = "any" }`],
    [entity, `${entity} { certname = "alpha" }`],
  ]),
  ...["fact_names", "fact_paths", "packages", "environments", "producers", "reports", "events"].map(
    (entity): [string, string] => [entity, `["from", "${entity}"]`],
  ),
  ...["fact_changes", "resource_changes", "package_changes", "catalog_changes"].map((entity): [string, string] => [
    entity,
    `${entity}[certname, what, before, after, from, until] { node_state = "any" }`,
  ]),
  ["facts", `facts { name = "kernel" and value = "6.1" }`],
  ["facts", `facts[value, count()] { name = "list" group by value }`],
  ["fact_contents", `fact_contents { path = ["os", "release", "full"] }`],
  ["fact_contents", `fact_contents { path ~> ["disks", ".*", "size"] and value = 1 }`],
  ["inventory", `inventory[certname] { facts.os.release.full = "12.1" }`],
  ["inventory", `inventory[certname, facts.disks] {}`],
  ["resources", `resources[type, count()] { group by type }`],
  ["resources", `resources { type = "File" and parameters.mode = "0600" order by certname, title limit 3 offset 1 }`],
  ["nodes", `nodes[certname] { resources { type = "File" and title = "a" } }`],
  [
    "nodes",
    `nodes[certname] { facts { name = "a" } and certname in package_inventory[certname] { package_name = "linux" } }`,
  ],
  ["nodes", `nodes[certname] { certname in fact_contents[certname] { path = ["mixed", "key"] } }`],
  ["nodes", `nodes[latest_report_status, count()] { group by latest_report_status }`],
  ["reports", `reports[certname, hash] { latest_report? = true }`],
  ["events", `events[count()] { latest_report? = true }`],
  ["packages", `packages { package_name ~ "[ab]" order by package_name }`],
];

function withoutUnrecorded(entity: string, row: Json): Json {
  if (!isObject(row)) return row;
  const omitted = unrecorded[entity] ?? [];
  const kept = Object.entries(row).filter(([name]) => !omitted.includes(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, name === "deactivated" ? value !== null : value]));
}

/** Rows and lists in them in an order that does not depend on the store. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted).sort((x, y) => (stringifyJson(x) < stringifyJson(y) ? -1 : 1));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).sort(([x], [y]) => (x < y ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, key === "value" ? inner : sorted(inner)]));
}

async function answers(from: Queries): Promise<Record<string, Json>> {
  const found: Record<string, Json> = {};
  for (const [entity, pql] of queries) {
    const query = pql.startsWith("[") ? { query: parseJson(pql) } : { pql };
    const rows = await rowsOf(from, { of: "root", ...query });
    found[pql] = sorted(rows.map((row) => withoutUnrecorded(entity, row)));
  }
  return found;
}

describe.each([1, 2])("the answers as of random moments (seed %i)", (seed) => {
  const commands = randomCommands(seed, COUNT);
  const random = new Random(seed, "moments");
  const moments = Array.from({ length: MOMENTS }, () => time(commands[random.integer(FIRST, COUNT - 1)]?.at ?? ""));
  let present: TimedStore;
  let then: TimedStore;

  beforeAll(async () => {
    [present, then] = [await TimedStore.open(), await TimedStore.open()];
    await present.goOn(inOrderOfArrival(seed, commands), time("2026-11-20T12:00:00Z"));
  });

  afterAll(async () => {
    await Promise.all([present.store.close(), then.store.close()]);
  });

  it.each(moments.sort((a, b) => Number(a - b)))(
    "are those of a store that was fed until then (%s)",
    async (moment) => {
      await then.goOn(commands, moment);
      await then.store.lifecycle.clean({ operations: new Set(["other"]), purgeLimit: null });
      const past = await answers(await present.store.queriesAt(moment));
      const expected = await answers(then.store.queries);
      for (const [pql, rows] of Object.entries(expected))
        expect.soft({ pql, rows: past[pql] }).toStrictEqual({ pql, rows });
    },
  );
});
