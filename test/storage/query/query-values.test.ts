import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exactNumber, parseJson, type Json } from "#storage/json.ts";
import type { Store } from "#storage/store.ts";
import { everyRow, fieldOf, populatedStore, refusalOf, certnames } from "#test/fixture-store.ts";

let store: Store;
beforeAll(async () => {
  store = await populatedStore();
});
afterAll(() => store.close());

describe("a fact's value (reference/query.md §4.5)", () => {
  it.each<[fact: string, test: Json[], holders: string]>([
    ["count", ["=", "value", 5], "a"],
    ["count", ["=", "value", exactNumber("5.0")], "a"],
    ["count", ["=", "value", "5"], "b"],
    ["float", ["=", "value", 5], "ab"],
    ["float", ["=", "value", exactNumber("5e0")], "ab"],
    ["half", ["=", "value", 2.5], "ab"],
    ["large", ["=", "value", exactNumber("9007199254740993")], "a"],
    ["large", ["=", "value", 9007199254740992], "b"],
    ["huge", ["=", "value", exactNumber("123456789012345678901234567890")], "a"],
    ["huge", ["=", "value", exactNumber("123456789012345678901234567891")], ""],
    ["huge", [">", "value", exactNumber("123456789012345678901234567889")], "a"],
    ["yes", ["=", "value", true], "a"],
    ["yes", ["=", "value", "true"], ""],
    ["nothing", ["=", "value", null], "a"],
    ["nothing", ["null?", "value", true], "a"],
    ["nothing", ["null?", "value", false], "b"],
    ["list", ["=", "value", ["y", "x"]], "b"],
    ["list", ["=", "value", ["x", "y"]], ""],
    ["os", ["=", "value", parseJson('{"release":{"minor":7.0,"major":"12"},"family":"Debian"}')], "a"],
    ["os", ["=", "value", { family: "Debian" }], ""],
    ["empty_list", ["=", "value", []], "a"],
    ["empty_map", ["=", "value", []], ""],
    ["empty_map", ["=", "value", {}], "a"],
    ["uptime", [">", "value", 4.5], "a"],
    ["uptime", [">=", "value", 4.5], "ac"],
    ["uptime", ["<", "value", 4.5], "d"],
    ["uptime", ["<=", "value", exactNumber("4.50")], "cd"],
    ["half", ["<", "value", 0], "c"],
    ["mixed", [">", "value", 0], "a"],
    ["mixed", ["<", "value", 1e300], "a"],
    ["float", ["~", "value", "^5\\.0$"], "a"],
    ["float", ["~", "value", "^5$"], "b"],
    ["half", ["~", "value", "2\\.50"], "b"],
    ["mixed", ["~", "value", "^(tru|7)"], "abc"],
    ["nothing", ["~", "value", ""], "b"],
    ["list", ["~", "value", '^\\["y", "x"\\]$'], "b"],
    ["os", ["~", "value", '"family": "Deb'], "ad"],
    ["mixed", ["in", "value", ["array", [7, "7", true]]], "abc"],
    ["mixed", ["in", "value", ["array", [exactNumber("7.0")]]], "a"],
    ["mixed", ["in", "value", ["array", []]], ""],
    ["nothing", ["in", "value", ["array", [null]]], "a"],
    ["os", ["~", "value", "PLAIN|plain"], "c"],
    ["mixed", ["not", ["~", "value", "tru"]], "ab"],
    ["nothing", ["~", "value", "something"], "b"],
    ["nothing", ["~", "value", "null"], ""],
    // values are never SQL NULL, so nothing falls between the two
    ["mixed", ["not", ["=", "value", 7]], "bc"],
    ["nothing", ["not", ["=", "value", "something"]], "a"],
    ["uptime", ["not", [">", "value", 4]], "bd"],
    ["mixed", ["=", ["function", "jsonb_typeof", "value"], "boolean"], "c"],
    ["empty_list", ["=", ["function", "jsonb_typeof", "value"], "array"], "a"],
  ])("%s %j: %s", async (fact, test, holders) => {
    expect(await fieldOf(store, "facts", "certname", ["and", ["=", "name", fact], test])).toEqual(certnames(holders));
  });
});

it("the kind of a value is not matched with ~ (reference/query.md §4)", async () => {
  const query = ["~", ["function", "jsonb_typeof", "value"], "^str"];
  expect(await refusalOf(store, { of: everyRow("facts"), query })).toBe("Invalid ~ clause");
});

describe("paths of leaves (reference/query.md §4.4)", () => {
  it.each<[test: Json[], paths: string[]]>([
    [
      ["=", "path", ["nics", 0, "name"]],
      ['["nics",0,"name"]', '["nics",0,"name"]'],
    ],
    [["=", "path", ["nics", "0", "name"]], []],
    [["=", "path", ["slots", "12"]], ['["slots","12"]']],
    [["=", "path", ["slots", 12]], []],
    [["=", "path", ["dotted.key"]], ['["dotted.key"]']],
    [
      [
        "in",
        "path",
        [
          "array",
          [
            ["nics", 1, "mtu"],
            ["slots", "0"],
            ["slots", 0],
          ],
        ],
      ],
      ['["nics",1,"mtu"]', '["slots","0"]'],
    ],
    [
      ["~>", "path", ["ni", ".*", "t"]],
      ['["nics",0,"mtu"]', '["nics",0,"mtu"]', '["nics",1,"mtu"]'],
    ],
    [["~>", "path", ["nics", 1, "mtu"]], ['["nics",1,"mtu"]']],
    [["~>", "path", ["slots", "0"]], ['["slots","0"]']],
    [["~>", "path", ["nics", "0", "mtu"]], []],
    [
      ["~>", "path", ["slots", "\\d+"]],
      ['["slots","0"]', '["slots","12"]'],
    ],
    [["~>", "path", ["os"]], ['["os"]']],
  ])("%j", async (test, paths) => {
    expect(await fieldOf(store, "fact_contents", "path", test)).toEqual(paths);
  });

  it.each<[test: Json[], paths: string[]]>([
    [["=", "path", ["os", "family"]], ['["os","family"]']],
    [["=", "path", ["slots", "12"]], ['["slots","12"]']],
    [["=", "path", ["slots", 12]], []],
    // anchored per element, unlike those of leaves
    [["~>", "path", ["os", "f"]], []],
    [["~>", "path", ["os", "f.*"]], ['["os","family"]']],
    // as PuppetDB joins the patterns: all of them are one
    [["~>", "path", ["virtual|os", "fam.*"]], ['["os","family"]']],
    [["~>", "path", ["os#~family"]], ['["os","family"]']],
    [["~>", "path", ["o.", "f.+", ".*"]], []],
    [["~>", "path", ["o.*y"]], []],
    [["~>", "path", ["slots", "12"]], ['["slots","12"]']],
    [["~>", "path", ["slots", 12]], []],
    [
      ["~>", "path", ["nics", "\\d+", "mtu"]],
      ['["nics",0,"mtu"]', '["nics",1,"mtu"]'],
    ],
    [
      ["~>", "path", ["nics", 1, ".*"]],
      ['["nics",1,"mtu"]', '["nics",1,"name"]'],
    ],
    [
      ["~", "path", "^nics.*mtu$"],
      ['["nics",0,"mtu"]', '["nics",1,"mtu"]'],
    ],
    [
      ["=", "depth", 2],
      [
        '["list",2,"k"]',
        '["nics",0,"mtu"]',
        '["nics",0,"name"]',
        '["nics",1,"mtu"]',
        '["nics",1,"name"]',
        '["os","release","major"]',
        '["os","release","major"]',
        '["os","release","minor"]',
        '["trusted","extensions","role"]',
      ],
    ],
    // one row per type
    [
      ["=", "name", "mixed"],
      ['["mixed"]', '["mixed"]', '["mixed"]'],
    ],
    [["=", "name", "empty_map"], []],
  ])("fact_paths %j", async (test, paths) => {
    expect(await fieldOf(store, "fact_paths", "path", test)).toEqual(paths);
  });

  it("have a type per row", async () => {
    expect(await fieldOf(store, "fact_paths", "type", ["in", "name", ["array", ["mixed", "nothing", "half"]]])).toEqual(
      ["boolean", "float", "integer", "null", "string", "string"],
    );
  });
});

describe('["fact", name] (reference/query.md §4.1)', () => {
  it.each<[test: Json[], holders: string]>([
    [["=", ["fact", "kernel"], "Linux"], "acd"],
    [["=", ["fact", "count"], 5], "a"],
    [["=", ["fact", "yes"], true], "a"],
    [["~", ["fact", "kernel"], "^D"], "b"],
    [[">", ["fact", "uptime"], 7], "a"],
    // a path into the inventory, with its order of types
    [["=", ["fact", "os.family"], "Debian"], "ad"],
    [["=", ["fact", "dotted.key"], "literal"], ""],
    [["<", ["fact", "uptime"], 7], "bcd"],
    [["=", ["fact", "list"], "y"], ""],
    [["not", ["=", ["fact", "kernel"], "Linux"]], "bez"],
    // here the name is literal and the values are strict
    [["in", ["fact", "dotted.key"], ["array", ["literal"]]], "a"],
    [["in", ["fact", "os.family"], ["array", ["Debian"]]], ""],
    [["in", ["fact", "count"], ["array", [5, 6]]], "a"],
    // the written-out shape means the same as the short one, any other shape does not
    [
      [
        "in",
        "certname",
        ["extract", "certname", ["select_facts", ["and", ["=", "name", "uptime"], ["<", "value", 7]]]],
      ],
      "bcd",
    ],
    [
      [
        "in",
        "certname",
        ["extract", ["certname"], ["select_facts", ["and", ["=", "name", "uptime"], ["<", "value", 7]]]],
      ],
      "cd",
    ],
    [
      [
        "in",
        "certname",
        ["extract", "certname", ["select_facts", ["and", ["<", "value", 7], ["=", "name", "uptime"]]]],
      ],
      "cd",
    ],
    [["subquery", "facts", ["and", ["=", "name", "uptime"], ["<", "value", 7]]], "cd"],
  ])("%j: %s", async (test, holders) => {
    expect(await fieldOf(store, "nodes", "certname", test)).toEqual(certnames(holders));
  });

  it.each<[test: Json[], text: string]>([
    [[">", ["fact", "uptime"], "7"], "Operator '>' not allowed on value '7'"],
    [["~", ["fact", "uptime"], 7], "Operator '~' not allowed on value '7'"],
    [["=", ["fact", "uptime"], {}], "Operator '=' not allowed on value '{}'"],
    [["in", ["fact", "uptime"], ["array", [1, "1"]]], "All values in array must be the same type."],
    [["in", ["fact", "uptime"], ["array", [1, 1.5]]], "All values in array must be the same type."],
    [["in", ["fact", "uptime"], ["array", []]], "All values in array must be the same type."],
  ])("%j is refused: %s", async (query, text) => {
    expect(await refusalOf(store, { of: everyRow("nodes"), query })).toBe(text);
  });
});

describe("NULL (reference/query.md §7.1)", () => {
  it.each<[entity: string, test: Json[], holders: string]>([
    ["nodes", ["=", "latest_report_status", "failed"], "b"],
    // epsilon and zeta have no report: neither failed nor not failed
    ["nodes", ["not", ["=", "latest_report_status", "failed"]], "acd"],
    [
      "nodes",
      ["or", ["=", "latest_report_status", "failed"], ["not", ["=", "latest_report_status", "failed"]]],
      "abcd",
    ],
    ["nodes", ["not", ["in", "latest_report_status", ["array", ["failed"]]]], "acd"],
    ["nodes", ["not", [">", "report_timestamp", "2030-01-01"]], "abcd"],
    // a pattern that does not apply is false
    ["nodes", ["not", ["~", "latest_report_status", "failed"]], "acdez"],
    ["nodes", ["null?", "latest_report_status", true], "ez"],
    ["nodes", ["null?", "latest_report_status", 1], "ez"],
    ["nodes", ["null?", "latest_report_status", null], "abcd"],
    ["nodes", ["=", "latest_report_status", null], "ez"],
    ["nodes", ["not", ["=", "latest_report_status", null]], "abcd"],
    ["nodes", ["not", ["=", "latest_report_noop", true]], "abd"],
    [
      "nodes",
      ["not", ["in", "latest_report_status", ["extract", "status", ["select_reports", ["=", "status", "failed"]]]]],
      "acd",
    ],
    // a NULL among the answers of a subquery makes `not in` reject everything
    [
      "nodes",
      ["not", ["in", "certname", ["extract", "property", ["select_events", ["null?", "certname", false]]]]],
      "",
    ],
    ["events", ["not", ["~", "property", "mode"]], "aabde"],
    ["events", ["not", ["=", "property", "mode"]], "abd"],
  ])("%s %j: %s", async (entity, test, holders) => {
    expect(await fieldOf(store, entity, "certname", test)).toEqual(certnames(holders));
  });
});
