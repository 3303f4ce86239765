import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exactNumber, type Json } from "#storage/json.ts";
import type { Store } from "#storage/store.ts";
import { a, certnames, emptyStore, fieldOf, populatedStore } from "#test/fixture-store.ts";

let store: Store;
beforeAll(async () => {
  store = await populatedStore();
});
afterAll(() => store.close());

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
    // an empty array is less than values of every other kind as well
    [["<", "facts.empty_list", "a"], "a"],
    [[">", "facts.empty_list", 4], ""],
    // lists by their number of elements
    [[">", "facts.list", ["x"]], "ab"],
    [["<", "facts.list", ["x"]], ""],
    // digits are an index for = alone
    [["~", "facts.nics.0.name", "eth"], ""],
    [[">", "facts.nics.0.mtu", 1], ""],
    [["=", "facts.nics[0].name.0", "e"], ""],
    [["~", "facts.slots.12", "doz"], "a"],
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
  ])("are selected by %j: %s", async (test, holders) => {
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
    // a part that is missing is neither null nor not
    [["null?", "facts.nosuch", false], ""],
    [["null?", "facts.os.release.minor", true], "a"],
    [["null?", "facts.nothing", false], "a"],
  ])("are not selected by %j: %s", async (test, holders) => {
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
    // and so is the name
    [["~", ["parameter", "^(owners|mode)$"], "0.*"], ["/etc/ntp.conf"]],
    [
      ["~", ["parameter", "ensure|^mess"], ".*"],
      ["/etc/ntp.conf", 'It\'s "here"', "ntp"],
    ],
    [["~", ["parameter", "SURE"], ".*"], []],
    [["~", ["parameter", "^(?!ens|mess)"], "0644"], ["/etc/ntp.conf"]],
    [["and", ["~", ["parameter", ""], 80], ["not", ["~", ["parameter", "e"], "latest"]]], ["/etc/ntp.conf"]],
    [["=", ["parameter", "^size$"], 80], []],
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

describe("match() beside long facts", () => {
  let own: Store;
  beforeAll(async () => {
    own = await emptyStore();
    // Empty rows follow it in the table of scalars, which are no JSON.
    await own.submit(a.facts("web", { values: { kernel: "Linux", long: "x".repeat(100_000) } }));
  });
  afterAll(() => own.close());

  it.each([
    ["~", 'facts.match("kern.*")', "^Lin", ["web"]],
    ["~", 'facts.match("nosuch.*")', "x", []],
    ["=", 'facts.match("kern.*")', "Linux", ["web"]],
    [">", 'facts.match("nosuch.*")', 1, []],
    ["~", 'facts.match("lon.*")', "x$", ["web"]],
  ])("%s %s %j: %j", async (op, field, operand, found) => {
    expect(await fieldOf(own, "inventory", "certname", [op, field, operand])).toEqual(found);
  });
});

describe("whole records", () => {
  it.each([
    ["catalogs", "edges"],
    ["catalogs", "resources"],
    ["reports", "logs"],
    ["reports", "metrics"],
    ["reports", "resource_events"],
  ])("of %s are never null: %s", async (entity, field) => {
    const all = await fieldOf(store, entity, "certname");
    expect(all).not.toEqual([]);
    expect(await fieldOf(store, entity, "certname", ["null?", field, false])).toEqual(all);
    expect(await fieldOf(store, entity, "certname", ["null?", field, true])).toEqual([]);
  });
});
