import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exactNumber, type Json, stringifyJson } from "#storage/json.ts";
import type { Store } from "#storage/store.ts";
import { queryRows, queryWithTotal, everyRow, populatedStore, refusalOf } from "#test/fixture-store.ts";
import { refused } from "./refused.ts";

let store: Store;
beforeAll(async () => {
  store = await populatedStore();
});
afterAll(() => store.close());

const asc = (field: string): { field: string; descending: boolean } => ({ field, descending: false });
const desc = (field: string): { field: string; descending: boolean } => ({ field, descending: true });

const alpha: Json = ["=", "certname", "alpha"];

const statuses = async (descending: boolean): Promise<unknown[]> =>
  (
    await queryRows(store, {
      of: everyRow("nodes"),
      query: ["extract", ["latest_report_status"]],
      orderBy: [{ field: "latest_report_status", descending }],
    })
  ).map((row) => (row as { latest_report_status: unknown }).latest_report_status);

describe("order, limit and offset (reference/query.md §7.2)", () => {
  it("NULL comes last ascending and first descending", async () => {
    expect(await statuses(false)).toEqual(["changed", "changed", "failed", "unchanged", null, null]);
    expect(await statuses(true)).toEqual([null, null, "unchanged", "failed", "changed", "changed"]);
  });

  it("values are in jsonb's order", async () => {
    const rows = await queryRows(store, {
      of: everyRow("facts"),
      query: [
        "extract",
        "value",
        [
          "and",
          ["in", "name", ["array", ["mixed", "nothing", "empty_list", "empty_map", "half"]]],
          ["not", ["=", "certname", "delta"]],
        ],
      ],
      orderBy: [asc("value")],
    });
    expect(rows.map((row) => stringifyJson((row as { value: Json }).value))).toEqual([
      "[]",
      "null",
      '"7"',
      '"something"',
      "-2.5",
      expect.stringMatching(/^2\.50?$/),
      expect.stringMatching(/^2\.50?$/),
      "7",
      "true",
      "{}",
    ]);
  });

  it("several columns are compared one after another", async () => {
    const rows = await queryRows(store, {
      of: everyRow("resources"),
      query: ["extract", ["type", "certname"], ["in", "type", ["array", ["Class", "Package"]]]],
      orderBy: [desc("type"), asc("certname")],
    });
    expect(rows.map((row) => Object.values(row as object).join(" "))).toEqual([
      "Package alpha",
      "Package beta",
      "Package delta",
      "Class alpha",
      "Class beta",
    ]);
  });

  it("texts are in the order of their code points", async () => {
    const rows = await queryRows(store, {
      of: everyRow("resources"),
      query: ["extract", ["title"], alpha],
      orderBy: [asc("title")],
    });
    expect(rows).toEqual(["/etc/ntp.conf", 'It\'s "here"', "Main", "ntp"].map((title) => ({ title })));
  });

  it.each<[limit: bigint | undefined, offset: bigint | undefined, certnames: string[]]>([
    [2n, undefined, ["alpha", "beta"]],
    [2n, 1n, ["beta", "delta"]],
    [undefined, 4n, ["gamma", "zeta"]],
    [1n, 100n, []],
    [1000n, 0n, ["alpha", "beta", "delta", "epsilon", "gamma", "zeta"]],
  ])("limit %s, offset %s", async (limit, offset, certnames) => {
    const { rows, total } = await queryWithTotal(
      store,
      {
        of: everyRow("nodes"),
        query: ["extract", "certname"],
        orderBy: [asc("certname")],
        ...(limit === undefined ? {} : { limit }),
        ...(offset === undefined ? {} : { offset }),
      },
      { withTotal: true },
    );
    expect(rows).toEqual(certnames.map((certname) => ({ certname })));
    expect(total).toBe(6n);
  });

  it("a field that is neither projected nor filtered can be ordered by", async () => {
    const rows = await queryRows(store, {
      of: everyRow("resources"),
      query: ["extract", ["type"], ["=", "certname", "beta"]],
      orderBy: [asc("title")],
    });
    expect(rows).toEqual([{ type: "Class" }, { type: "Package" }]);
  });

  it("the largest possible limit is accepted", async () => {
    expect(await queryRows(store, { of: everyRow("nodes"), limit: 2n ** 63n - 1n, offset: 0n })).toHaveLength(6);
    expect(await queryRows(store, { of: everyRow("nodes"), offset: 2n ** 63n - 1n })).toEqual([]);
  });
});

const root = (query: Json): Promise<Json[]> => queryRows(store, { of: "root", query });

describe("paging clauses of the root (reference/query.md §7)", () => {
  it("apply to the query", async () => {
    const query = [
      "from",
      "nodes",
      ["extract", "certname"],
      ["order_by", [["certname", "desc"]]],
      ["limit", 2],
      ["offset", 1],
    ];
    expect(await root(query)).toEqual([{ certname: "epsilon" }, { certname: "beta" }]);
    expect(await root(["from", "nodes", ["limit", 1]])).toHaveLength(1);
  });

  it("are overridden by those of the request", async () => {
    const query = ["from", "nodes", ["extract", "certname"], ["order_by", ["certname"]], ["limit", 2]];
    expect(await queryRows(store, { of: "root", query, limit: 3n })).toHaveLength(3);
    const [first] = await queryRows(store, { of: "root", query, orderBy: [desc("certname")] });
    expect(first).toEqual({ certname: "gamma" });
  });

  it("are not read where those of the request override them", async () => {
    const ordered = ["from", "nodes", ["extract", "certname"], ["order_by", [["bogus"]]], ["limit", 0], ["offset", -1]];
    const spec = { of: "root", query: ordered, limit: 3n, offset: 0n } as const;
    expect(await queryRows(store, { ...spec, orderBy: [desc("certname")] })).toHaveLength(3);
    expect(await refusalOf(store, spec)).toMatch(/bogus/);
  });

  it.each<[clauses: Json[], text: string | RegExp]>([
    [[["limit"]], "Received 'limit' clause without an argument"],
    [[["limit", null]], "Received 'limit' clause without an argument"],
    [[["offset", null]], "Received 'offset' clause without an argument"],
    [[["order_by", null]], "Received 'order_by' clause without an argument"],
    [
      [
        ["limit", 1],
        ["limit", 1],
      ],
      "Multiple 'limit' clauses are not permitted",
    ],
    [
      [
        ["offset", 1],
        ["limit", 1],
        ["offset", 1],
      ],
      "Multiple 'offset' clauses are not permitted",
    ],
    [
      [
        ["=", "certname", "a"],
        ["=", "certname", "a"],
      ],
      'This query must be of the form ["from", <entity>, (<optional-query>)].',
    ],
    [[["limit", 0]], /limit/],
    [[["limit", "1"]], /limit/],
    [[["limit", 1.5]], /limit/],
    [[["limit", exactNumber("99999999999999999999")]], /limit/],
    [[["offset", -1]], /offset/],
    [[["order_by", "certname"]], /order_by/],
    [[["order_by", [["certname", "up"]]]], /order_by/],
    [[["order_by", ["bogus"]]], /^Unrecognized column 'bogus' specified in :order_by; Supported columns are '/],
  ])("are rejected: %j", async (clauses, text) => {
    const refusal = await refusalOf(store, { of: "root", query: ["from", "nodes", ...clauses] });
    expect(refusal).toEqual(refused(text));
  });
});
