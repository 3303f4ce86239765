import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exactNumber, type Json, parseJson } from "#storage/json.ts";
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
    // values are never SQL NULL, so nothing falls between the two
    ["mixed", ["not", ["=", "value", 7]], "bc"],
    ["nothing", ["not", ["=", "value", "something"]], "a"],
    ["uptime", ["not", [">", "value", 4]], "bd"],
    ["mixed", ["=", ["function", "jsonb_typeof", "value"], "boolean"], "c"],
    ["mixed", ["~", ["function", "jsonb_typeof", "value"], "^(str|num)"], "ab"],
    ["empty_list", ["=", ["function", "jsonb_typeof", "value"], "array"], "a"],
  ])("%s %j: %s", async (fact, test, holders) => {
    expect(await fieldOf(store, "facts", "certname", ["and", ["=", "name", fact], test])).toEqual(certnames(holders));
  });
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

  it("name a type per row", async () => {
    expect(await fieldOf(store, "fact_paths", "type", ["in", "name", ["array", ["mixed", "nothing", "half"]]])).toEqual(
      ["boolean", "float", "integer", "null", "string", "string"],
    );
  });
});

describe("parts of documents (reference/query.md §5)", () => {
  it.each<[test: Json[], holders: string]>([
    // containment
    [["=", "facts.os.family", "Debian"], "ad"],
    [["=", "facts.os", { family: "Debian" }], "ad"],
    [["=", "facts.os", { release: { major: "12" } }], "a"],
    [["=", "facts.os", "plain"], "c"],
    [["=", "facts.list", ["y"]], "ab"],
    [["=", "facts.list", ["x", "y"]], "ab"],
    [["=", "facts.list", [{ k: 1 }]], "a"],
    [["=", "facts.list", "y"], ""],
    [["=", "facts.float", 5], "ab"],
    [["=", "facts.large", exactNumber("9007199254740993")], "a"],
    [["=", "facts.count", "5"], "b"],
    [["=", "facts.yes", false], "b"],
    [["=", "facts.os.release.major", exactNumber("9.0")], "b"],
    [["=", "facts.nothing", null], "a"],
    [["=", 'facts."dotted.key"', "literal"], "a"],
    [["=", "facts.dotted.key", "literal"], ""],
    [["=", 'facts.quote"d', "q"], "a"],
    // digits and indexes are exact
    [["=", "facts.nics.0.name", "eth0"], "ab"],
    [["=", "facts.nics.0.mtu", 9000], "b"],
    [["=", "facts.slots.12", "dozen"], "a"],
    [["=", "facts.nics[1].mtu", 9000], "a"],
    [["=", "facts.nics[0]", { mtu: 1500, name: "eth0" }], "a"],
    [["=", "facts.nics[0]", { mtu: 1500 }], ""],
    [["=", "facts.nics[7].mtu", 9000], ""],
    // the total order of JSON: strings < numbers < booleans
    [["<", "facts.uptime", 7], "bcd"],
    [[">", "facts.uptime", 7], "a"],
    [[">=", "facts.uptime", exactNumber("10.0")], "a"],
    [[">", "facts.mixed", 6], "ac"],
    [["<", "facts.mixed", 8], "ab"],
    [[">", "facts.kernel", "L"], "acd"],
    [["<", "facts.kernel", "E"], "b"],
    [[">", "facts.kernel", "A"], "abcd"],
    [[">", "facts.os", "plan"], "abd"],
    [[">", "facts.large", 9007199254740992], "a"],
    [["<", "facts.nosuch", 7], ""],
    // and an empty array before everything else
    [["<", "facts.os.family", []], ""],
    [["<", "facts.nics[0].name", []], ""],
    [["<=", "facts.empty_list", []], "a"],
    [[">", "facts.empty_list", []], ""],
    [[">", "facts.os.family", []], "abd"],
    [[">=", "facts.empty_list", []], "a"],
    [[">=", "facts.kernel", []], "abcd"],
    [["~", "facts.os.family", "Hat$"], "b"],
    [["~", "facts.uptime", "^4"], "c"],
    [["~", "facts.os", '"family": "RedHat"'], "b"],
    [["~", "facts.yes", "^true$"], "a"],
    [["null?", "facts.nothing", true], "a"],
    [["null?", "facts.nothing", false], "b"],
    [["null?", "facts.os.release.minor", false], "a"],
    [["null?", "facts.nosuch", true], ""],
    [["=", 'facts.os.match("fam")', "Debian"], "ad"],
    [["=", 'facts.match("o.#~fam")', "Debian"], "ad"],
    [["=", 'facts.match("nosuch")', "Debian"], ""],
    [["=", "trusted.extensions.role", "web"], "a"],
    [["~", "trusted.certname", "."], "ab"],
    [["=", "facts", { kernel: "Linux", os: { family: "Debian" } }], "ad"],
    [["=", "facts", "x"], ""],
  ])("%j: %s", async (test, holders) => {
    expect(await fieldOf(store, "inventory", "certname", test)).toEqual(certnames(holders));
  });

  it.each<[test: Json[], holders: string]>([
    // equality includes nodes that lack the path
    [["=", "facts.os.family", "Debian"], "bc"],
    [["=", "facts.list", ["y"]], "cd"],
    [["=", "facts.nics.0.mtu", 1500], "bcd"],
    [["=", "facts.nosuch.deep", 1], "abcd"],
    // the others include nodes that lack the first component, but not those that lack the rest
    [[">", "facts.half", 0], "cd"],
    [[">", "facts.os.release.minor", 5], ""],
    [["~", "facts.os.family", "Deb"], "b"],
    [["~", "facts.list", "k"], "bcd"],
    [["=", "facts.nics[1].mtu", 9000], "cd"],
    [["<", "facts.nosuch.deep", 1], "abcd"],
    [["<", "facts.os.family", []], "abd"],
  ])("not %j: %s", async (test, holders) => {
    expect(await fieldOf(store, "inventory", "certname", ["not", test])).toEqual(certnames(holders));
  });

  it.each<[test: Json[], titles: string[]]>([
    [["=", "parameters.ensure", "latest"], ["ntp"]],
    [["=", "parameters.acl.a.deep", true], ["/etc/ntp.conf"]],
    [["=", "parameters.acl", { a: {} }], ["/etc/ntp.conf"]],
    [["=", "parameters.owners", ["ntp"]], ["/etc/ntp.conf"]],
    [["=", "parameters.owners[0]", "root"], ["/etc/ntp.conf"]],
    [["=", "parameters.ratio", 1], ["/etc/ntp.conf"]],
    [["=", "parameters.notify", null], ["/etc/ntp.conf"]],
    [[">", "parameters.size", 79], ["/etc/ntp.conf"]],
    [["<", "parameters.size", []], []],
    [[">=", "parameters.size", []], ["/etc/ntp.conf"]],
    [["~", "parameters.message", "DROP TABLE"], ['It\'s "here"']],
    [
      ["not", ["=", "parameters.ensure", "latest"]],
      ["/etc/ntp.conf", 'It\'s "here"', "Main"],
    ],
    [["=", "parameters", { ensure: "file", size: exactNumber("80.0") }], ["/etc/ntp.conf"]],
  ])("%j of resources", async (test, titles) => {
    const filter = ["and", ["=", "certname", "alpha"], test];
    expect(await fieldOf(store, "resources", "title", filter)).toEqual(titles);
  });
});

describe("serialized values (reference/query.md §4.3)", () => {
  it.each<[test: Json[], titles: string[]]>([
    [["=", ["parameter", "ensure"], "latest"], ["ntp"]],
    [["=", ["parameter", "size"], 80], ["/etc/ntp.conf"]],
    [["=", ["parameter", "size"], "80"], []],
    [["=", ["parameter", "ratio"], 1], []],
    [["=", ["parameter", "ratio"], exactNumber("1.0")], ["/etc/ntp.conf"]],
    [["=", ["parameter", "acl"], { a: { deep: true }, b: 2 }], ["/etc/ntp.conf"]],
    [["=", ["parameter", "acl"], { b: 2 }], []],
    [["=", ["parameter", "big"], exactNumber("9007199254740993")], ["/etc/ntp.conf"]],
    [["=", ["parameter", "backup"], false], ["/etc/ntp.conf"]],
    [["=", ["parameter", "nosuch"], 1], []],
    // the pattern is serialized too, quotes included
    [["~", ["parameter", "ensure"], "lat"], []],
    [["~", ["parameter", "ensure"], "lat.*"], ["ntp"]],
    [["~", ["parameter", "ensure"], "^latest$"], []],
    [["~", ["parameter", "size"], 8], ["/etc/ntp.conf"]],
    [
      ["=", "tag", "NTP"],
      ["/etc/ntp.conf", "ntp"],
    ],
    [["~", "tag", "^TI"], ["ntp"]],
    [["=", "tags", "NTP"], []],
    [
      ["=", "tags", "ntp"],
      ["/etc/ntp.conf", "ntp"],
    ],
    [["=", "type", "package"], []],
  ])("%j", async (test, titles) => {
    const filter = ["and", ["=", "certname", "alpha"], test];
    expect(await fieldOf(store, "resources", "title", filter)).toEqual(titles);
  });

  it.each<[test: Json[], properties: string[]]>([
    [["=", "old_value", 80], ["mode"]],
    [["=", "old_value", "80"], []],
    [["=", "old_value", "absent"], ["ensure"]],
    [["=", "new_value", { a: [true, null], b: 1 }], ["mode"]],
    [["=", "new_value", null], ["null"]],
    [["~", "new_value", "fi"], []],
    [["~", "new_value", "f.*"], ["ensure"]],
    [
      ["in", "old_value", ["array", [80, "absent"]]],
      ["ensure", "mode"],
    ],
  ])("%j of events", async (test, properties) => {
    const filter = ["and", ["=", "certname", "alpha"], test];
    expect(await fieldOf(store, "events", "property", filter)).toEqual(properties);
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
    ["nodes", ["not", ["in", "certname", ["extract", "property", ["select_events"]]]], ""],
    ["events", ["not", ["~", "property", "mode"]], "aabde"],
    ["events", ["not", ["=", "property", "mode"]], "abd"],
  ])("%s %j: %s", async (entity, test, holders) => {
    expect(await fieldOf(store, entity, "certname", test)).toEqual(certnames(holders));
  });
});
