import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "#storage/json.ts";
import type { Store } from "#storage/store.ts";
import { queryRows, emptyStore, everyRow, refusalOf } from "#test/fixture-store.ts";

let store: Store;
beforeAll(async () => {
  store = await emptyStore();
});
afterAll(() => store.close());

const known = "Known queryable objects are";

/** PuppetDB's texts (reference/query.md §9.1). */
describe("error messages", () => {
  it.each<[entity: string, query: Json[], text: string]>([
    ["environments", ["=", "bogus", "a"], `'bogus' is not a queryable object for environments. ${known} 'name'`],
    [
      "fact_contents",
      ["=", "bogus", "a"],
      `'bogus' is not a queryable object for fact_nodes. ${known} 'certname', 'environment', 'name', 'path', and 'value'`,
    ],
    [
      "edges",
      ["=", "bogus", "a"],
      `'bogus' is not a queryable object for edges. ${known} 'certname', 'relationship', 'source_title', 'source_type', 'target_title', and 'target_type'`,
    ],
    [
      "environments",
      ["=", "__proto__", "a"],
      `'__proto__' is not a queryable object for environments. ${known} 'name'`,
    ],
    [
      "environments",
      ["=", "constructor", "a"],
      `'constructor' is not a queryable object for environments. ${known} 'name'`,
    ],
    ["environments", ["=", "name"], "= requires exactly two arguments"],
    ["environments", ["=", "name", "a", "b"], "= requires exactly two arguments"],
    ["environments", [">", "name"], "> requires exactly two arguments"],
    ["environments", ["~", "name"], "~ requires exactly two arguments"],
    ["environments", [">", "name", "a"], "Query operators >,>=,<,<= are not allowed on field name"],
    ...["=", ">", "<", ">=", "<=", "~", "~>"].flatMap((op): [string, Json[], string][] => [
      ["facts", [op, "test"], `${op} requires exactly two arguments`],
      ["facts", [op, "test", 50, 100], `${op} requires exactly two arguments`],
      ["facts", [op, 5], `${op} requires exactly two arguments`],
      ["facts", [op], `${op} requires exactly two arguments`],
    ]),
    ["events", ["extract", "certname", ["=", "line"]], "= requires exactly two arguments"],
    // In the order in which PuppetDB 7.12 lists them.
    [
      "fact_contents",
      ["extract", "bogus"],
      "Can't extract unknown 'fact_nodes' field 'bogus'. Acceptable fields are 'certname', 'environment', 'path', 'name', and 'value'",
    ],
    [
      "factsets",
      ["extract", "bogus"],
      "Can't extract unknown 'factsets' field 'bogus'. Acceptable fields are 'timestamp', 'facts', 'certname', 'hash', 'producer_timestamp', 'producer', and 'environment'",
    ],
    [
      "edges",
      ["extract", "bogus"],
      "Can't extract unknown 'edges' field 'bogus'. Acceptable fields are 'certname', 'relationship', 'source_title', 'source_type', 'target_title', and 'target_type'",
    ],
    [
      "catalog_input_contents",
      ["extract", "bogus"],
      "Can't extract unknown 'catalog_input_contents' field 'bogus'. Acceptable fields are 'certname', 'producer_timestamp', 'catalog_uuid', 'name', and 'type'",
    ],
    ["factsets", [">", "facts", 1], "Query operators >,>=,<,<= are not allowed on field facts"],
    ["factsets", ["~>", "facts", ["a"]], "Query operator ~> is not allowed on field facts"],
    ["environments", ["=", 5, 5], `'5' is not a queryable object for environments. ${known} 'name'`],
    ["environments", [">", true, 5], `'true' is not a queryable object for environments. ${known} 'name'`],
    ["environments", ["~", null, "a"], `'null' is not a queryable object for environments. ${known} 'name'`],
    ["facts", ["~>", "bogus", ["a"]], "Query operator ~> is not allowed on field bogus"],
    ["facts", ["~>", 5, ["a"]], "Query operator ~> is not allowed on field 5"],
    ["reports", ["=", "start_time", true], "'true' is not a valid timestamp value"],
    ["reports", ["=", "start_time", "1795370000"], "'1795370000' is not a valid timestamp value"],
    ["reports", ["=", "start_time", "2026-11-20T24:00:00"], "'2026-11-20T24:00:00' is not a valid timestamp value"],
    ["facts", ["~>", "name", ["a"]], "Query operator ~> is not allowed on field name"],
    ["resources", ["=", "line", "x"], 'Argument "x" is incompatible with numeric field "line".'],
    ["facts", [">", "value", "a"], 'Argument "a" and operator ">" have incompatible types.'],
    ["reports", ["=", "start_time", "junk"], "'junk' is not a valid timestamp value"],
    ["environments", ["and", []], "[] is not well-formed: queries must contain at least one operator"],
    ["environments", ["or", []], "[] is not well-formed: queries must contain at least one operator"],
    ["environments", ["not", []], "[] is not well-formed: queries must contain at least one operator"],
    ["environments", ["and"], "'and' takes at least one argument, but none were supplied"],
    ["environments", ["or"], "'or' takes at least one argument, but none were supplied"],
    ["environments", ["not"], "'not' takes exactly one argument, but 0 were supplied"],
    [
      "environments",
      ["not", ["=", "name", "a"], ["=", "name", "b"]],
      "'not' takes exactly one argument, but 2 were supplied",
    ],
    ["environments", ["~", "name", "("], "ERROR: invalid regular expression: parentheses () not balanced"],
    ["environments", ["~", "name", "[a"], "ERROR: invalid regular expression: brackets [] not balanced"],
    ["environments", ["~", "name", "*a"], "ERROR: invalid regular expression: quantifier operand invalid"],
    ["fact_paths", ["=", "path", "os"], "Path array element wasnt string or integer in {0}"],
  ])("of %s %j: %s", async (entity, query, text) => {
    expect(await refusalOf(store, { of: everyRow(entity), query })).toBe(text);
  });

  it.each<Json[][]>([
    [["bogus", "name", "a"]],
    [["!=", "name", "a"]],
    [["AND", ["=", "name", "a"]]],
    [["foo"]],
    [[[]]],
    [[null, "name", "a"]],
    [["null?", "name"]],
    [["null?", "name", true, true]],
    [["subquery", "facts"]],
    [["and", "name"]],
    [["group_by", "name"]],
    [["in", "name"]],
    [["in", "name", ["array"]]],
    [["in", "name", "x"]],
    [["extract"]],
    [["extract", 5]],
    [["extract", "name", "x"]],
    [["extract", "name", ["in", "name"]]],
    [[["=", "name", "a"]]],
  ])("of %j name no class of PuppetDB's runtime (reference/query.md §9.3)", async (query) => {
    const refusal = await refusalOf(store, { of: everyRow("environments"), query });
    expect(refusal).not.toBe("no refusal");
    expect(refusal).not.toMatch(/No implementation of method|java\.|clojure|puppetlabs/);
  });

  it("report an unknown field before a wrong number of operands", async () => {
    const query = ["and", ["=", "bogus"], ["=", "other", 5]];
    expect(await refusalOf(store, { of: everyRow("environments"), query })).toBe(
      `'other' is not a queryable object for environments. ${known} 'name'`,
    );
  });

  it("list all unknown fields of the query before any other error", async () => {
    const query = ["and", ["=", "line", "x"], ["=", "b", 1], ["or", ["=", "c", 1], ["not", ["~", "d", "("]]]];
    const lines = (await refusalOf(store, { of: everyRow("resources"), query })).split("\n");
    expect(lines.map((line) => line.split(" for ")[0])).toEqual(
      ["b", "c", "d"].map((name) => `'${name}' is not a queryable object`),
    );
  });
});

describe("the root (reference/query.md §7)", () => {
  it.each<[query: Json, text: string]>([
    [["from", "bogus"], "Invalid entity 'bogus' in query"],
    [["from", "bogus-er"], "Invalid entity 'bogus_er' in query"],
    [["from", "report_logs", ["=", "hash", "a"]], "Invalid entity 'report_logs' in query"],
    [["from", "report_metrics"], "Invalid entity 'report_metrics' in query"],
    [["from", "toString"], "Invalid entity 'toString' in query"],
    [["=", "certname", "a"], 'This query must be of the form ["from", <entity>, (<optional-query>)].'],
    [["from"], 'This query must be of the form ["from", <entity>, (<optional-query>)].'],
    [["from", 5], 'This query must be of the form ["from", <entity>, (<optional-query>)].'],
    [[], 'This query must be of the form ["from", <entity>, (<optional-query>)].'],
  ])("%j: %s", async (query, text) => {
    expect(await refusalOf(store, { of: "root", query })).toBe(text);
  });

  it("rejects a missing query", async () => {
    expect(await refusalOf(store, { of: "root" })).not.toBe("no refusal");
  });
});

const nested = (depth: number): Json => {
  let query: Json = ["=", "name", "a"];
  for (let n = 0; n < depth; n++) query = n % 2 === 0 ? ["not", query] : ["and", query, ["=", "name", "b"]];
  return query;
};

describe("deep and wide queries", () => {
  it("return rows", async () => {
    expect(await queryRows(store, { of: everyRow("environments"), query: nested(300) })).toEqual([]);
    const wide = ["or", ...Array.from({ length: 3000 }, (_, n) => ["=", "name", `name ${n}`])];
    expect(await queryRows(store, { of: everyRow("environments"), query: wide })).toEqual([]);
  });

  it("are rejected with a message when they are nested too deep", async () => {
    expect(await refusalOf(store, { of: everyRow("environments"), query: nested(900) })).toMatch(/nested/);
  });
});
