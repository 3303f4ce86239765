import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Json, stringifyJson } from "#storage/json.ts";
import type { Store } from "#storage/store.ts";
import { queryWithTotal, everyRow, populatedStore, refusalOf, rowsOf } from "#test/fixture-store.ts";
import { refused } from "./refused.ts";

let store: Store;
beforeAll(async () => {
  store = await populatedStore();
});
afterAll(() => store.close());

const fn = (...words: Json[]): Json => ["function", ...words];

/** Rows in an order of their own texts, for answers that have none. */
function sorted(rows: readonly Json[]): Json[] {
  return [...rows].sort((a, b) => (stringifyJson(a) < stringifyJson(b) ? -1 : 1));
}

const alpha: Json = ["=", "certname", "alpha"];

describe("extract (reference/query.md §6)", () => {
  it.each<[entity: string, query: Json[], rows: Json[]]>([
    ["nodes", ["extract", "certname", alpha], [{ certname: "alpha" }]],
    ["nodes", ["extract", ["certname", "certname"], alpha], [{ certname: "alpha", certname_2: "alpha" }]],
    ["nodes", ["extract", [fn("count")]], [{ count: 6 }]],
    ["nodes", ["extract", [fn("count"), fn("count", "latest_report_status")]], [{ count: 6, count_2: 4 }]],
    ["nodes", ["extract", [fn("count")], ["=", "certname", "nosuch"]], [{ count: 0 }]],
    [
      "resources",
      ["extract", [fn("sum", "line"), fn("min", "line"), fn("max", "line")]],
      [{ sum: 50, min: 10, max: 20 }],
    ],
    ["resources", ["extract", [fn("sum", "line")], ["=", "title", "nosuch"]], [{ sum: null }]],
    ["reports", ["extract", [fn("max", "end_time")]], [{ max: "2026-11-20T12:00:40.000Z" }]],
    ["reports", ["extract", [fn("min", "status")]], [{ min: "changed" }]],
    // On facts only numbers are looked at, by every function of the projection, as in OpenVoxDB 9 …
    ["facts", ["extract", [fn("sum", "value"), fn("count")], ["=", "name", "uptime"]], [{ sum: 15.5, count: 3 }]],
    ["facts", ["extract", [fn("sum", "value")], ["=", "name", "kernel"]], [{ sum: null }]],
    // … and elsewhere texts of numbers too: 10, "10", 4.5, 1.
    [
      "facts",
      ["extract", ["name", fn("sum", "value"), fn("count")], ["=", "name", "uptime"], ["group_by", "name"]],
      [{ name: "uptime", sum: 25.5, count: 4 }],
    ],
    [
      "facts",
      ["extract", ["name", fn("min", "value"), fn("max", "value")], ["=", "name", "uptime"], ["group_by", "name"]],
      [{ name: "uptime", min: 1, max: 10 }],
    ],
    [
      "fact_contents",
      ["extract", [fn("sum", "value"), fn("max", "value")], ["=", "name", "uptime"]],
      [{ sum: 25.5, max: 10 }],
    ],
    [
      "facts",
      [
        "extract",
        ["certname", fn("to_string", "value", "FM099")],
        ["and", ["=", "name", "uptime"], ["=", "value", "10"]],
      ],
      [{ certname: "beta", to_string: "010" }],
    ],
    // Null is not counted among them.
    [
      "fact_contents",
      ["extract", [fn("sum", "value"), fn("count")], ["and", alpha, ["=", "name", "nothing"]]],
      [{ sum: null, count: 1 }],
    ],
    ["facts", ["extract", [fn("min", "value"), fn("max", "value")], ["=", "name", "half"]], [{ min: -2.5, max: 2.5 }]],
    ["facts", ["extract", [fn("count", "value")], ["=", "name", "mixed"]], [{ count: 3 }]],
    [
      "reports",
      ["extract", [fn("to_string", "start_time", "YYYY-MM-DD FMDay")], ["=", "certname", "beta"]],
      [{ to_string: "2026-11-20 Friday" }],
    ],
    [
      "reports",
      ["extract", [fn("to_string", "start_time", "Day|")], ["=", "certname", "beta"]],
      [{ to_string: "Friday   |" }],
    ],
    ...[
      ["count", "FM9999", "5"],
      ["float", "9999", "    5"],
      ["half", "FM0.00", "2.50"],
      ["huge", "FM99999999999999999999999999999999", "123456789012345678901234567890"],
      ["large", "FM999", "###"],
      ["count", "YYYY", "YYYY"],
      ["nothing", "FM9999", null],
    ].map(([name = null, mask = null, text = null]): [string, Json[], Json[]] => [
      "facts",
      ["extract", [fn("to_string", "value", mask)], ["and", alpha, ["=", "name", name]]],
      [{ to_string: text }],
    ]),
    [
      "fact_contents",
      ["extract", [fn("to_string", "value", "FM9999")], ["and", alpha, ["=", "name", "count"]]],
      [{ to_string: "5" }],
    ],
    ["resources", ["extract", [fn("to_string", "line", "S0000")], ["=", "line", 20]], [{ to_string: "+0020" }]],
    [
      "inventory",
      ["extract", ["certname", "facts.os.family", "trusted.extensions.role"], alpha],
      [{ certname: "alpha", "facts.os.family": "Debian", "trusted.extensions.role": "web" }],
    ],
    [
      "inventory",
      ["extract", ['facts."dotted.key"', "facts.nosuch"], alpha],
      [{ 'facts."dotted.key"': "literal", "facts.nosuch": null }],
    ],
    // digits are keys here
    [
      "inventory",
      ["extract", ["facts.nics.0", "facts.slots.12"], alpha],
      [{ "facts.nics.0": null, "facts.slots.12": "dozen" }],
    ],
    ["resources", ["extract", ["parameters.mode"], ["=", "title", "/etc/ntp.conf"]], [{ "parameters.mode": "0644" }]],
    [
      "resources",
      ["extract", ["parameters.mode"], ["=", "type", "Class"]],
      [{ "parameters.mode": null }, { "parameters.mode": null }],
    ],
  ])("%s %j", async (entity, query, rows) => {
    expect(sorted(await rowsOf(store, entity, query))).toEqual(rows);
  });

  it("returns numbers with the digits with which they were sent", async () => {
    const text = async (name: string): Promise<string> =>
      stringifyJson(await rowsOf(store, "facts", ["extract", "value", ["and", alpha, ["=", "name", name]]]));
    expect(await text("float")).toBe('[{"value":5.0}]');
    expect(await text("large")).toBe('[{"value":9007199254740993}]');
    expect(await text("huge")).toBe('[{"value":123456789012345678901234567890}]');
    const [row] = await rowsOf(store, "inventory", ["extract", ["facts.huge", "facts.float"], alpha]);
    expect(stringifyJson(row ?? null)).toBe('{"facts.huge":123456789012345678901234567890,"facts.float":5.0}');
    const [parameters] = await rowsOf(store, "resources", ["extract", ["parameters"], ["=", "title", "/etc/ntp.conf"]]);
    expect(stringifyJson(parameters ?? null)).toContain('"ratio":1.0');
  });

  it("of no columns returns all columns", async () => {
    expect(await rowsOf(store, "environments", ["extract", []])).toHaveLength(2);
    expect(Object.keys((await rowsOf(store, "facts", ["extract", [], alpha]))[0] ?? {}).sort()).toEqual([
      "certname",
      "environment",
      "name",
      "value",
    ]);
  });
});

const total = async (query: Json): Promise<bigint | null> =>
  (await queryWithTotal(store, { of: everyRow("resources"), query, limit: 1n }, { withTotal: true })).total;

describe("group_by (reference/query.md §6)", () => {
  it.each<[entity: string, query: Json[], rows: Json[]]>([
    [
      "facts",
      ["extract", [fn("count"), "value"], ["=", "name", "kernel"], ["group_by", "value"]],
      [
        { count: 1, value: "Darwin" },
        { count: 3, value: "Linux" },
      ],
    ],
    [
      "facts",
      ["extract", [fn("count"), "value"], ["=", "name", "float"], ["group_by", "value"]],
      [{ count: 2, value: expect.anything() as unknown as Json }],
    ],
    [
      "resources",
      ["extract", [fn("count"), "type"], ["group_by", "type"]],
      [
        { count: 1, type: "File" },
        { count: 1, type: "Notify" },
        { count: 2, type: "Class" },
        { count: 3, type: "Package" },
      ],
    ],
    [
      "nodes",
      ["extract", [fn("count"), "latest_report_status"], ["group_by", "latest_report_status"]],
      [
        { count: 1, latest_report_status: "failed" },
        { count: 1, latest_report_status: "unchanged" },
        { count: 2, latest_report_status: "changed" },
        { count: 2, latest_report_status: null },
      ],
    ],
    // grouping columns need not be projected
    [
      "resources",
      ["extract", [fn("count")], ["group_by", "type"]],
      [{ count: 1 }, { count: 1 }, { count: 2 }, { count: 3 }],
    ],
    [
      "resources",
      ["extract", ["type"], ["group_by", "type"]],
      [{ type: "Class" }, { type: "File" }, { type: "Notify" }, { type: "Package" }],
    ],
    [
      "inventory",
      ["extract", [fn("count"), "facts.os.family"], ["group_by", "facts.os.family"]],
      [
        { count: 1, "facts.os.family": "RedHat" },
        { count: 1, "facts.os.family": null },
        { count: 2, "facts.os.family": "Debian" },
      ],
    ],
    [
      "resources",
      [
        "extract",
        [fn("count"), "certname", "parameters.ensure"],
        ["=", "type", "Package"],
        ["group_by", "certname", "parameters.ensure"],
      ],
      ["alpha", "beta", "delta"].map((certname) => ({ count: 1, certname, "parameters.ensure": "latest" })),
    ],
    [
      "reports",
      [
        "extract",
        [fn("to_string", "start_time", "HH24"), fn("count")],
        ["=", "certname", "alpha"],
        ["group_by", fn("to_string", "start_time", "HH24")],
      ],
      [
        { to_string: "08", count: 1 },
        { to_string: "10", count: 1 },
      ],
    ],
    // What is computed of a grouped field needs no group of its own.
    [
      "resources",
      ["extract", ["line", fn("to_string", "line", "FM000"), fn("count")], ["=", "line", 20], ["group_by", "line"]],
      [{ line: 20, to_string: "020", count: 1 }],
    ],
    [
      "facts",
      [
        "extract",
        ["certname", fn("avg", "value")],
        ["and", ["=", "name", "half"], ["=", "certname", "gamma"]],
        ["group_by", "certname"],
      ],
      [{ certname: "gamma", avg: expect.anything() as unknown as Json }],
    ],
  ])("%s %j", async (entity, query, rows) => {
    expect(sorted(await rowsOf(store, entity, query))).toEqual(rows);
  });

  it("counts groups in the total; an aggregate without group_by is one row", async () => {
    expect(await total(["extract", [fn("count"), "type"], ["group_by", "type"]])).toBe(4n);
    expect(await total(["extract", [fn("count")]])).toBe(1n);
  });
});

describe("averages", () => {
  it.each<[entity: string, query: Json[], text: string]>([
    ["resources", ["extract", [fn("avg", "line")]], '{"avg":12.5000000000000000}'],
    ["resources", ["extract", [fn("avg", "line")], ["=", "title", "nosuch"]], '{"avg":null}'],
    ["fact_contents", ["extract", [fn("avg", "value")], ["=", "name", "uptime"]], '{"avg":6.3750000000000000}'],
  ])("%s %j", async (entity, query, text) => {
    const [row] = await rowsOf(store, entity, query);
    expect(Number(/-?[\d.]+/.exec(stringifyJson(row ?? null))?.[0] ?? Number.NaN)).toBe(
      Number(/-?[\d.]+/.exec(text)?.[0] ?? Number.NaN),
    );
  });
});

describe("invalid projections", () => {
  const onlyNumbers = /jsonb_typeof/;
  it.each<[entity: string, query: Json[], text: string | RegExp]>([
    ["nodes", ["extract", ["bogus"]], /^Can't extract unknown 'nodes' field 'bogus'\. Acceptable fields are '/],
    ["nodes", ["extract", ["bogus", "nope"]], /^Can't extract unknown 'nodes' fields 'bogus' and 'nope'\. Acceptable/],
    ["nodes", ["extract", ["certname"], ["limit", 1]], '["limit" 1] is not a valid expression for "extract"'],
    ["nodes", ["extract", [fn("sum", "line")]], 'field "line" is not a valid queryable field'],
    ["nodes", ["extract", [fn("sum", "certname")]], 'field "certname" must be a numeric type'],
    ["resources", ["extract", [fn("sum")]], "wrong number of arguments (0) provided for function sum"],
    ["resources", ["extract", [fn("sum", "line", "line")]], "wrong number of arguments (2) provided for function sum"],
    [
      "nodes",
      ["extract", [fn("to_string", "certname", "FM9")]],
      /^to_string formats times and numbers; field "certname"/,
    ],
    ["nodes", ["extract", [fn("to_string", "latest_report_noop", "FM9")]], /^to_string formats times and numbers/],
    ["resources", ["extract", [fn("to_string", "line", "9.9.9")]], "to_string: multiple decimal points"],
    ["resources", ["extract", [fn("to_string", "line", "TH")]], 'to_string: "." is not a number'],
    ["facts", ["extract", [fn("to_string", "value", "FM9")], ["=", "name", "kernel"]], onlyNumbers],
    ["nodes", ["extract", [fn("nosuch", "certname")]], '"nosuch" is not a valid function'],
    [
      "nodes",
      ["extract", ["certname", fn("count")], ["group_by", "bogus"]],
      '"bogus" is niether a valid column name nor function name',
    ],
    ["nodes", ["extract", ["certname", fn("count")]], /"certname"/],
    ["nodes", ["extract", ["certname", fn("count")], ["group_by", "report_timestamp"]], /"certname"/],
    ["nodes", ["extract", [fn("count")], ["group_by"]], /group_by/],
    ["inventory", ["extract", ['facts.match("os")']], /names no single part/],
    ["facts", ["extract", ["name", fn("sum", "value")], ["group_by", "name"]], onlyNumbers],
    ["fact_contents", ["extract", [fn("max", "value")], ["=", "name", "kernel"]], onlyNumbers],
    ["fact_contents", ["extract", [fn("sum", "value")]], onlyNumbers],
  ])("%s %j", async (entity, query, text) => {
    const refusal = await refusalOf(store, { of: everyRow(entity), query });
    expect(refusal).toEqual(refused(text));
  });
});
