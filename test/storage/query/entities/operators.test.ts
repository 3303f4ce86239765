import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "#storage/json.ts";
import type { QuerySpec } from "#storage/query/query.ts";
import type { Store } from "#storage/store.ts";
import { queryRows, everyRow, populatedStore, refusalOf, rowsOf } from "#test/fixture-store.ts";

let store: Store;
beforeAll(async () => {
  store = await populatedStore();
});
afterAll(() => store.close());

/** A number of rows, or the text of the refusal. */
type Expected = number | string;
/** Any refusal: of what PuppetDB leaves to its database (reference/query.md §9.4). */
const REFUSED = expect.any(String) as string;

const ordering = (field: string): string => `Query operators >,>=,<,<= are not allowed on field ${field}`;
const pathMatch = (field: string): string => `Query operator ~> is not allowed on field ${field}`;
const numeric = (value: string, field: string): string =>
  `Argument "${value}" is incompatible with numeric field "${field}".`;
const incompatible = (value: string, op: string): string =>
  `Argument "${value}" and operator "${op}" have incompatible types.`;
const time = (value: string): string => `'${value}' is not a valid timestamp value`;

/** Each kind of field by one that is of it (reference/entities.md §1). */
const table: readonly [kind: string, entity: string, field: string, [op: string, operand: Json, Expected][]][] = [
  [
    "string",
    "nodes",
    "certname",
    [
      ["=", "alpha", 1],
      ["=", "Alpha", 0],
      ["=", null, 0],
      ["=", 5, REFUSED],
      ["=", true, REFUSED],
      ["=", ["alpha"], REFUSED],
      [">", "a", ordering("certname")],
      ["<=", 5, ordering("certname")],
      ["~", "^.e", 3],
      ["~", 5, REFUSED],
      ["~>", ["alpha"], pathMatch("certname")],
      ["in", ["alpha", "beta", "nosuch"], 2],
      ["in", [5], 0],
      ["in", [], 0],
      ["in", [null], 0],
      ["~", null, 0],
      ["null?", true, 0],
      ["null?", false, 6],
    ],
  ],
  [
    "string → boolean",
    "resources",
    "exported",
    [
      ["=", true, 1],
      ["=", false, 6],
      ["=", null, 0],
      ["=", "true", REFUSED],
      [">", true, ordering("exported")],
      ["~", "t", REFUSED],
      ["~>", ["t"], pathMatch("exported")],
      ["in", [true], REFUSED],
      ["null?", false, 7],
    ],
  ],
  [
    "string → timestamp",
    "nodes",
    "deactivated",
    [
      ["=", null, 4],
      ["=", "2026-11-19T20:00:00Z", REFUSED],
      [">", "2026-11-19", ordering("deactivated")],
      ["~", "2026", REFUSED],
      ["~>", ["2026"], pathMatch("deactivated")],
      ["in", ["2026-11-19T20:00:00Z"], REFUSED],
      ["null?", true, 4],
      ["null?", false, 2],
    ],
  ],
  [
    "boolean",
    "nodes",
    "latest_report_noop",
    [
      ["=", true, 1],
      ["=", false, 3],
      ["=", null, 2],
      ["=", "true", REFUSED],
      ["=", 1, REFUSED],
      [">", false, ordering("latest_report_noop")],
      ["~", "t", REFUSED],
      ["~>", ["t"], pathMatch("latest_report_noop")],
      ["in", [true], REFUSED],
      ["null?", true, 2],
    ],
  ],
  [
    "numeric",
    "resources",
    "line",
    [
      ["=", 10, 3],
      ["=", 10.0, 3],
      ["=", 10.5, 0],
      ["=", null, 3],
      ["=", "10", numeric("10", "line")],
      [">", 9, 4],
      [">=", 20, 1],
      ["<", 10.5, 3],
      ["<=", 9, 0],
      [">", "9", incompatible("9", ">")],
      ["~", "1", REFUSED],
      ["~>", ["1"], pathMatch("line")],
      ["in", [10], REFUSED],
      ["null?", false, 4],
    ],
  ],
  [
    "timestamp",
    "reports",
    "start_time",
    [
      ["=", "2026-11-20T11:00:20Z", 1],
      ["=", "2026-11-20T12:00:20+01:00", 1],
      ["=", 1795172420000, 1],
      ["=", null, 0],
      ["=", "junk", time("junk")],
      ["=", true, REFUSED],
      [">", "2026-11-20", 4],
      [">=", "2026-11-20T12:00:20.000Z", 1],
      ["<", "20261120", 1],
      ["<=", 1795172420000, 4],
      ["<", "yesterday", time("yesterday")],
      ["~", "2026", REFUSED],
      ["~>", ["2026"], pathMatch("start_time")],
      ["in", ["2026-11-20T11:00:20Z", "junk"], 1],
      ["in", ["junk"], 0],
      ["null?", false, 5],
    ],
  ],
  [
    "array",
    "resources",
    "tags",
    [
      ["=", "ntp", 4],
      ["=", "NTP", 0],
      ["=", 5, 0],
      ["=", true, 0],
      [">", "a", ordering("tags")],
      ["~", "^n", 5],
      ["~>", ["ntp"], pathMatch("tags")],
      ["in", ["ntp"], "Operator in...array is not supported on array types"],
      ["null?", false, 7],
      ["null?", true, 0],
    ],
  ],
  [
    "array of pairs",
    "catalog_inputs",
    "inputs",
    [
      ["=", "hiera", 1],
      ["=", "lookup", 1],
      ["=", "hier", 0],
      ["~", "^ntp::", 1],
      ["~", "^,", 0],
      ["in", ["hiera"], "Operator in...array is not supported on array types"],
      ["null?", false, 1],
    ],
  ],
  [
    "encoded path",
    "fact_paths",
    "path",
    [
      ["=", ["os", "family"], 1],
      ["=", ["nics", 1, "mtu"], 1],
      ["=", "os", "Path array element wasnt string or integer in {0}"],
      ["=", ["os", true], "Path array element wasnt string or integer in {0}"],
      [">", ["os"], ordering("path")],
      ["~", "^os#~", 4],
      ["~>", ["os", ".*"], 1],
      ["in", [["os", "family"], ["kernel"]], 2],
      ["in", ["os"], "Path array element wasnt string or integer in {0}"],
    ],
  ],
  [
    "path",
    "fact_contents",
    "path",
    [
      ["=", ["os", "family"], 3],
      ["=", ["os", 1.5], "Path array element wasnt string or integer in {0}"],
      ["=", [["os"]], "Path array element wasnt string or integer in {0}"],
      [">", ["os"], ordering("path")],
      ["~", "os", REFUSED],
      ["~>", ["os", "fam"], 3],
      ["in", [["os", "family"], ["kernel"]], 7],
    ],
  ],
  [
    "JSON value",
    "facts",
    "value",
    [
      ["=", "Linux", 3],
      ["=", 5, 3],
      ["=", { family: "Debian", release: { major: "11" } }, 1],
      [">", 9, 4],
      [">", "9", incompatible("9", ">")],
      ["<", true, incompatible("true", "<")],
      [">=", null, REFUSED],
      ["~", "^Linux$", 3],
      ["~>", ["Linux"], pathMatch("value")],
      ["in", ["Linux", 5, true, null, {}], 10],
      ["null?", true, 1],
    ],
  ],
  [
    "document",
    "inventory",
    "facts",
    [
      ["=", { kernel: "Linux" }, 3],
      ["=", "x", 0],
      [">", 1, ordering("facts")],
      ["~", "x", REFUSED],
      ["~>", ["x"], pathMatch("facts")],
      ["null?", false, 4],
    ],
  ],
  [
    "document that may be absent",
    "inventory",
    "trusted",
    [
      ["null?", true, 0],
      ["null?", false, 2],
      ["=", { certname: "alpha" }, 1],
    ],
  ],
];

/** The number of rows of a query, or its error. */
async function outcomeOf(spec: QuerySpec): Promise<number | string> {
  const refusal = await refusalOf(store, spec);
  return refusal === "no refusal" ? (await queryRows(store, spec)).length : refusal;
}

describe.each(table)("%s: %s.%s", (_kind, entity, field, rows) => {
  it.each(rows)("%s %j", async (op, operand, expected) => {
    const query = op === "in" ? ["in", field, ["array", operand]] : [op, field, operand];
    expect(await outcomeOf({ of: everyRow(entity), query })).toEqual(expected);
  });
});

describe("latest_report? (reference/query.md §4.1)", () => {
  it.each<[entity: string, operand: Json, rows: number]>([
    ["reports", true, 4],
    ["reports", false, 1],
    // everything but false counts as true
    ["reports", "x", 4],
    ["events", true, 5],
    ["events", false, 1],
  ])("%s %j", async (entity, operand, rows) => {
    expect(await rowsOf(store, entity, ["=", "latest_report?", operand])).toHaveLength(rows);
  });

  it("is unknown on other entities", async () => {
    const text = await refusalOf(store, { of: everyRow("nodes"), query: ["=", "latest_report?", true] });
    expect(text).toMatch(/^'latest_report\?' is not a queryable object for nodes\. Known queryable objects are /);
  });
});
