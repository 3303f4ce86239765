import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json, JsonObject } from "#storage/json.ts";
import type { QuerySpec } from "#storage/query/query.ts";
import type { Store } from "#storage/store.ts";
import { queryRows, queryWithTotal, everyRow, populatedStore } from "#test/fixture-store.ts";

let store: Store;
beforeAll(async () => {
  store = await populatedStore();
});
afterAll(() => store.close());

/** Certname and title of each row, which has all the columns that rows of resources have. */
const resources = async (spec: Omit<QuerySpec, "of">): Promise<string[]> => {
  const rows = (await queryRows(store, { of: everyRow("resources"), ...spec })) as JsonObject[];
  for (const row of rows) {
    expect(Object.keys(row).sort()).toEqual(
      "certname environment exported file line parameters resource tags title type".split(" "),
    );
  }
  return rows.map(({ certname, title }) => `${certname as string} ${title as string}`);
};

const order = [
  { field: "title", descending: false },
  { field: "certname", descending: true },
];

describe("resources, whose rows are found first and fetched afterwards", () => {
  it.each<[what: string, filter: Json, expected: string[]]>([
    ["a parameter", ["=", ["parameter", "ensure"], "latest"], ["delta ntp", "beta ntp", "alpha ntp"]],
    [
      "a parameter and a node",
      ["and", ["=", ["parameter", "ensure"], "latest"], ["~", "certname", "^(al|be)"]],
      ["beta ntp", "alpha ntp"],
    ],
    ["no text of their own", ["=", "exported", true], [`alpha It's "here"`]],
    ["a subquery", ["subquery", "nodes", ["=", "latest_report_status", "failed"]], ["beta Main", "beta ntp"]],
    ["nothing that is there", ["=", ["parameter", "ensure"], "nonsense"], []],
  ])("are selected by %s", async (_what, query, expected) => {
    expect(await resources({ query, orderBy: order })).toEqual(expected);
  });

  it("are paged in order, with the total of all", async () => {
    const all = await resources({ orderBy: order });
    expect(all).toEqual([
      "alpha /etc/ntp.conf",
      `alpha It's "here"`,
      "beta Main",
      "alpha Main",
      "delta ntp",
      "beta ntp",
      "alpha ntp",
    ]);
    expect(await resources({ orderBy: order, limit: 3n, offset: 2n })).toEqual(all.slice(2, 5));
    const { total } = await queryWithTotal(
      store,
      { of: everyRow("resources"), orderBy: order, limit: 3n },
      { withTotal: true },
    );
    expect(total).toBe(7n);
  });

  it("include parts of parameters unchanged", async () => {
    const spec = {
      of: everyRow("resources"),
      query: ["extract", ["parameters.acl.b"], ["~", "certname", "alpha"]],
    };
    const rows = await queryRows(store, { ...spec, limit: 10n });
    expect(rows.map((row) => JSON.stringify(row)).sort()).toEqual([
      '{"parameters.acl.b":2}',
      ...Array<string>(3).fill('{"parameters.acl.b":null}'),
    ]);
  });
});

describe("values of groups, which are read after the groups are found", () => {
  it("are those that the group has", async () => {
    const query: Json = ["extract", ["value", ["function", "count"]], ["=", "name", "kernel"], ["group_by", "value"]];
    const rows = await queryRows(store, { of: everyRow("facts"), query });
    expect(rows).toHaveLength(2);
    expect(rows).toEqual(
      expect.arrayContaining([
        { value: "Linux", count: 3 },
        { value: "Darwin", count: 1 },
      ]),
    );
  });

  it("are the same when the groups are ordered", async () => {
    const query: Json = ["extract", ["value", ["function", "count"]], ["=", "name", "kernel"], ["group_by", "value"]];
    const orderBy = [{ field: "value", descending: false }];
    expect(await queryRows(store, { of: everyRow("facts"), query, orderBy })).toEqual([
      { value: "Darwin", count: 1 },
      { value: "Linux", count: 3 },
    ]);
  });
});
