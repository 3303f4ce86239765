import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "#storage/json.ts";
import type { Store } from "#storage/store.ts";
import { queryRows, certnames, everyRow, populatedStore } from "#test/fixture-store.ts";

let store: Store;
beforeAll(async () => {
  store = await populatedStore();
});
afterAll(() => store.close());

const nodes = async (filter: Json): Promise<string[]> => {
  const rows = await queryRows(store, { of: everyRow("inventory"), query: ["extract", ["certname"], filter] });
  return rows.map((row) => (row as { certname: string }).certname).sort();
};

const family = (value: Json): Json => ["=", "facts.os.family", value];

describe("parts of facts in one condition", () => {
  // alpha and delta have Debian, beta RedHat, gamma an os that has no parts (reference/query.md §5)
  it.each<[what: string, filter: Json, letters: string]>([
    ["one", family("Debian"), "ad"],
    ["two of one fact", ["and", family("Debian"), ["=", "facts.os.release.major", "12"]], "a"],
    ["of two facts", ["and", family("Debian"), ["=", "facts.kernel", "Linux"]], "ad"],
    ["of either of two facts", ["or", family("RedHat"), ["=", "facts.uptime", 4.5]], "bc"],
    ["one twice", ["or", family("Debian"), family("RedHat")], "abd"],
    ["and a whole fact", ["or", ["=", "facts.os", "plain"], family("RedHat")], "bc"],
    ["and a part of another document", ["and", family("Debian"), ["=", "trusted.extensions.role", "web"]], "a"],
    ["denied: who lacks it has not got it", ["not", family("Debian")], "bc"],
    ["denied, ordered: of who lacks it nothing is known", ["not", [">", "facts.os.release.minor", 5]], ""],
    ["of one node", ["and", family("Debian"), ["=", "certname", "delta"]], "d"],
    ["of one node among others", ["or", ["=", "certname", "beta"], family("Debian")], "abd"],
    ["of two nodes at once", ["and", ["=", "certname", "beta"], ["=", "certname", "alpha"], family("RedHat")], ""],
    ["of a subquery's nodes", ["subquery", "facts", ["and", ["=", "name", "mixed"], ["=", "value", true]]], "c"],
    ["a text that looks like a name", ["=", "facts.os.family", "' OR true --"], ""],
  ])("%s", async (_what, filter, letters) => {
    expect(await nodes(filter)).toEqual(certnames(letters));
  });
});

it("parts are columns and conditions at once, for one node too", async () => {
  const columns = ["certname", "facts.os.family", "facts.os.release.minor", "facts.none", "trusted.certname"];
  const ofOne = ["and", family("Debian"), ["=", "certname", "alpha"]];
  expect(await queryRows(store, { of: everyRow("inventory"), query: ["extract", columns, ofOne] })).toEqual([
    {
      certname: "alpha",
      "facts.os.family": "Debian",
      "facts.os.release.minor": 7,
      "facts.none": null,
      "trusted.certname": "alpha",
    },
  ]);
});
