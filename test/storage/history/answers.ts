import { isObject, type Json, parseJson, stringifyJson } from "#storage/json.ts";
import type { Queries } from "#storage/query/queries.ts";
import type { QuerySpec } from "#storage/query/query.ts";
import type { Sql } from "#storage/sql/sql.ts";
import { views } from "#storage/sql/views.ts";

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
  factsets_with_packages: ["timestamp", "hash"],
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
  ...["facts", "fact_contents", "resources", "edges", "package_inventory"].flatMap((entity): [string, string][] => [
    [entity, `${entity}[count()] {}`],
    [entity, `${entity}[count()] { node_state = "any" }`],
    [entity, `${entity}[count()] { node_state = "inactive" }`],
  ]),
  ["facts", `facts { name = "kernel" and value = "6.1" }`],
  ["facts", `facts[value, count()] { name = "list" group by value }`],
  ["fact_contents", `fact_contents { path = ["os", "release", "full"] }`],
  ["fact_contents", `fact_contents { path ~> ["disks", ".*", "size"] and value = 1 }`],
  ["inventory", `inventory[certname] { facts.os.release.full = "12.1" }`],
  ["inventory", `inventory[certname, facts.disks] {}`],
  ["resources", `resources[type, count()] { group by type }`],
  ["resources", `resources[type, count()] { type = "File" or type in ["User"] or !(type ~ "^P") group by type }`],
  ["resources", `resources[count()] { type = "File" }`],
  ["resources", `resources[count()] { type = "Nothing" }`],
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

function withoutFields(row: Json, omitted: readonly string[]): Json {
  if (!isObject(row)) return row;
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

/**
 * The answers to many queries, without what is not recorded.
 * @param omitted further fields that are not compared, by the entity
 */
export async function answers(
  from: Queries,
  omitted: Readonly<Record<string, readonly string[]>> = {},
): Promise<Record<string, Json>> {
  const found: Record<string, Json> = {};
  for (const [entity, pql] of queries) {
    const query = pql.startsWith("[") ? { query: parseJson(pql) } : { pql };
    const rows = await rowsOf(from, { of: "root", ...query });
    found[pql] = sorted(
      rows.map((row) => withoutFields(row, [...(unrecorded[entity] ?? []), ...(omitted[entity] ?? [])])),
    );
  }
  return found;
}

/** The rows of all views of SQL, without what is not recorded. */
export async function viewRows(sql: Sql): Promise<Record<string, Json>> {
  const found: Record<string, Json> = {};
  for (const { name } of views) {
    const rows: Json[] = [];
    for await (const texts of await sql.run(`SELECT * FROM ${name}`)) rows.push(...texts.map(parseJson));
    found[name] = sorted(rows.map((row) => withoutFields(row, unrecorded[name] ?? [])));
  }
  return found;
}
