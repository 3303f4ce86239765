import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Store } from "#storage/store.ts";
import { queryRows, everyRow, populatedStore, refusalOf, rowsOf } from "#test/fixture-store.ts";
import type { JsonObject } from "#storage/json.ts";

let store: Store;
beforeAll(async () => {
  store = await populatedStore();
});
afterAll(() => store.close());

/** Fields of each entity (reference/entities.md §3): `!` cannot be projected, `-` cannot be queried. */
const table: Readonly<Record<string, string>> = {
  nodes:
    "certname deactivated expired facts_environment catalog_environment report_environment facts_timestamp catalog_timestamp report_timestamp latest_report_hash latest_report_status latest_report_job_id cached_catalog_status latest_report_noop latest_report_noop_pending latest_report_corrective_change",
  facts: "certname environment name value",
  fact_contents: "certname environment name path value",
  fact_paths: "path name type depth!",
  factsets: "certname environment producer hash timestamp producer_timestamp facts",
  inventory: "certname environment timestamp facts trusted",
  catalogs:
    "certname version hash transaction_uuid catalog_uuid code_id job_id environment producer producer_timestamp resources- edges-",
  resources: "certname environment resource type title file tag! tags exported line parameters",
  edges: "certname relationship source_type source_title target_type target_title",
  reports:
    "hash certname puppet_version configuration_version transaction_uuid catalog_uuid code_id job_id cached_catalog_status producer environment status type report_format start_time end_time producer_timestamp receive_time noop noop_pending corrective_change latest_report?! metrics- logs- resource_events-",
  events:
    "certname configuration_version report status resource_type resource_title property message file containing_class name environment new_value old_value corrective_change timestamp run_start_time run_end_time report_receive_time line containment_path latest_report?!",
  environments: "name",
  producers: "name",
  packages: "package_name version provider",
  package_inventory: "certname package_name version provider",
  catalog_inputs: "certname producer_timestamp catalog_uuid inputs",
  catalog_input_contents: "certname catalog_uuid name type producer_timestamp",
};

const aliases: Readonly<Record<string, string>> = { fact_contents: "fact_nodes" };

describe.each(Object.entries(table))("%s", (entity, text) => {
  const fields = text.split(" ").map((word) => ({
    name: word.replace(/[!-]$/, ""),
    projectable: !word.endsWith("!"),
    queryable: !word.endsWith("-"),
  }));

  it("returns its projectable fields, null ones included", async () => {
    const [row = {}] = await rowsOf(store, entity);
    expect(Object.keys(row).sort()).toEqual(
      fields
        .filter(({ projectable }) => projectable)
        .map(({ name }) => name)
        .sort(),
    );
  });

  it("lists its queryable fields in the error for an unknown one", async () => {
    const known = fields
      .filter(({ queryable }) => queryable)
      .map(({ name }) => name)
      .sort()
      .map((name) => `'${name}'`);
    const list = known.length === 1 ? known[0] : `${known.slice(0, -1).join(", ")}, and ${known.at(-1)}`;
    expect(await refusalOf(store, { of: everyRow(entity), query: ["=", "bogus", "x"] })).toBe(
      `'bogus' is not a queryable object for ${aliases[entity] ?? entity}. Known queryable objects are ${list}`,
    );
  });

  it.each(fields)("$name can be projected: $projectable", async ({ name, projectable }) => {
    const refusal = await refusalOf(store, { of: everyRow(entity), query: ["extract", [name]] });
    expect(refusal).toContain(
      projectable ? "no refusal" : `Can't extract unknown '${entity}' field '${name}'. Acceptable fields are `,
    );
  });

  it.each(fields)("$name can be ordered by: $queryable", async ({ name, queryable }) => {
    const orderBy = [{ field: name, descending: false }];
    const refusal = await refusalOf(store, { of: everyRow(entity), orderBy });
    expect(refusal).toContain(
      queryable ? "no refusal" : `Unrecognized column '${name}' specified in :order_by; Supported columns are `,
    );
  });

  // Whole records too, which have no other operator: so PuppetDB 7.12.
  it.each(fields)("$name can be compared with null", async ({ name }) => {
    expect(await refusalOf(store, { of: everyRow(entity), query: ["null?", name, true] })).toContain("no refusal");
  });

  it("an unknown field cannot be compared with null", async () => {
    const refusal = await refusalOf(store, { of: everyRow(entity), query: ["null?", "bogus", true] });
    expect(refusal).toContain("'bogus' is not a queryable object for ");
  });
});

describe("fields on request", () => {
  it("include_facts_expiration shows what keeps nodes from expiring", async () => {
    const rows = await queryRows(store, {
      of: everyRow("nodes"),
      query: ["extract", ["certname", "expires_facts", "expires_facts_updated"], ["~", "certname", "^(alpha|beta)$"]],
      options: { includeFactsExpiration: true },
      orderBy: [{ field: "certname", descending: false }],
    });
    expect(rows).toEqual([
      { certname: "alpha", expires_facts: true, expires_facts_updated: null },
      { certname: "beta", expires_facts: false, expires_facts_updated: "2026-11-20T11:00:00.000Z" },
    ]);
  });

  it("include_package_inventory shows the packages, none as an empty list", async () => {
    const rows = (await queryRows(store, {
      of: everyRow("factsets"),
      options: { includePackageInventory: true },
      orderBy: [{ field: "certname", descending: false }],
    })) as JsonObject[];
    expect(
      rows.map((row) => [
        row["certname"],
        (row["package_inventory"] as string[][]).map((tuple) => tuple.join(" ")).sort(),
      ]),
    ).toEqual([
      ["alpha", ["ntp 4.2 apt", "vim 9.0 apt"]],
      ["beta", ["ntp 4.3 apt"]],
      ["delta", []],
      ["gamma", []],
    ]);
  });
});

const one = async (entity: string, filter: unknown, field: string): Promise<unknown> => {
  const [row] = await rowsOf(store, entity, filter as never);
  return JSON.parse(JSON.stringify(row?.[field] ?? null));
};

const named = (name: string): unknown => ["and", ["=", "certname", "alpha"], ["=", "name", name]];

describe("values in answers (reference/query.md §10)", () => {
  it.each([
    [
      "reports",
      ["and", ["=", "certname", "alpha"], ["=", "status", "changed"]],
      "end_time",
      "2026-11-20T10:00:50.987Z",
    ],
    ["factsets", ["=", "certname", "alpha"], "producer_timestamp", "2026-11-20T10:00:00.123Z"],
    [
      "reports",
      ["=", "certname", "gamma"],
      "logs",
      { data: null, href: expect.stringMatching(/^\/pdb\/query\/v4\/reports\/[0-9a-f]{40}\/logs$/) },
    ],
    [
      "reports",
      ["and", ["=", "certname", "alpha"], ["=", "status", "unchanged"]],
      "logs",
      { data: [], href: expect.any(String) },
    ],
    [
      "reports",
      ["=", "certname", "gamma"],
      "resource_events",
      { data: null, href: expect.stringMatching(/\/events$/) },
    ],
    ["catalogs", ["=", "certname", "delta"], "edges", { data: null, href: "/pdb/query/v4/catalogs/delta/edges" }],
    ["resources", ["=", "type", "Notify"], "parameters", { message: "50% off; DROP TABLE nodes; --" }],
    ["resources", ["=", "title", "Main"], "parameters", {}],
    ["resources", ["=", "type", "Notify"], "file", null],
    [
      "catalog_inputs",
      ["=", "certname", "alpha"],
      "inputs",
      [
        ["function", "lookup"],
        ["hiera", "ntp::servers"],
      ],
    ],
    ["fact_contents", ["=", "path", ["nics", 1, "mtu"]], "path", ["nics", 1, "mtu"]],
    ["inventory", ["=", "certname", "gamma"], "trusted", null],
    ["facts", named("empty_map"), "value", {}],
    ["facts", named('quote"d'), "value", "q"],
  ])("%s %j %s", async (entity, filter, field, expected) => {
    expect(await one(entity, filter, field)).toEqual(expected);
  });

  it("times inside a report's events have the database's own spelling", async () => {
    const [row] = await rowsOf(store, "reports", ["and", ["=", "certname", "alpha"], ["=", "status", "changed"]]);
    const events = (row?.["resource_events"] as { data: { timestamp: string }[] } | undefined)?.data;
    expect(events?.map(({ timestamp }) => timestamp)).toEqual([
      "2026-11-20T10:00:30.5+00:00",
      "2026-11-20T10:00:31+00:00",
      "2026-11-20T10:00:32+00:00",
    ]);
  });
});
