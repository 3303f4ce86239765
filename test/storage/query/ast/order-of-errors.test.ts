import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "#storage/json.ts";
import type { Store } from "#storage/store.ts";
import { emptyStore, everyRow, refusalOf } from "#test/fixture-store.ts";

let store: Store;
beforeAll(async () => {
  store = await emptyStore();
});
afterAll(() => store.close());

const ordering = (field: string): string => `Query operators >,>=,<,<= are not allowed on field ${field}`;

/** Which of several errors is reported, as by PuppetDB 7.12 (reference/query.md §1, steps 11 to 13). */
describe("of several errors the first is reported", () => {
  it.each<[what: string, entity: string, query: Json[], text: string]>([
    [
      "an operator that a field does not take comes before a time that is none",
      "reports",
      ["and", ["=", "start_time", "junk"], [">", "hash", "a"]],
      ordering("hash"),
    ],
    [
      "a time that is none comes before what the database would find",
      "reports",
      ["or", ["~", "start_time", "a"], ["=", "hash", 5], ["=", "end_time", "junk"]],
      "'junk' is not a valid timestamp value",
    ],
    [
      "an unknown field of another condition comes before one of null?",
      "producers",
      ["or", ["null?", "line", true], ["=", "file", "x"], ["null?", "file", true]],
      "'file' is not a queryable object for producers. Known queryable objects are 'name'",
    ],
    [
      "an unknown field of null? is reported where nothing else is",
      "producers",
      ["not", ["null?", "line", true]],
      "'line' is not a queryable object for producers. Known queryable objects are 'name'",
    ],
    [
      "a condition comes before a column",
      "facts",
      ["extract", [["function", "avg", "certname"]], ["<", "name", "a"]],
      ordering("name"),
    ],
    [
      "the kinds in a list come before the fact that the entity has none of",
      "fact_paths",
      ["in", ["fact", "kernel"], ["array", ["a", 5]]],
      "All values in array must be the same type.",
    ],
    [
      "a relationship that does not exist comes before what an inner value is",
      "events",
      ["subquery", "packages", ["=", "package_name", true]],
      "No implicit relationship for entity 'packages'",
    ],
    [
      "an inner error of form comes first",
      "events",
      ["subquery", "packages", ["<", "package_name", "a"]],
      ordering("package_name"),
    ],
    [
      "fields of a subquery come before those around it, and alone",
      "packages",
      ["or", ["=", "bogus", 1], ["in", ["certname"], ["from", "environments", ["extract", ["certname"]]]]],
      "Can't extract unknown 'environments' field 'certname'. Acceptable fields are 'name'",
    ],
    [
      "the innermost subquery comes first",
      "facts",
      [
        "in",
        "certname",
        ["extract", "certname", ["select_packages", ["subquery", "environments", ["=", "certname", "a"]]]],
      ],
      "'certname' is not a queryable object for environments. Known queryable objects are 'name'",
    ],
  ])("%s", async (_what, entity, query, text) => {
    expect(await refusalOf(store, { of: everyRow(entity), query })).toBe(text);
  });
});

describe("operands of other kinds", () => {
  it.each<[entity: string, query: Json[], text: string]>([
    ["nodes", ["~", "certname", { a: 1 }], "Invalid ~ clause"],
    ["inventory", ["~", "facts.kernel", { a: 1 }], "Invalid ~ clause"],
    ["inventory", [">", "facts.kernel", { a: 1 }], "Invalid > clause"],
    ["resources", [">", "tag", "a"], ordering("tags")],
    ["resources", ["~>", "tag", "a"], "Query operator ~> is not allowed on field tags"],
  ])("are rejected: %s %j: %s", async (entity, query, text) => {
    expect(await refusalOf(store, { of: everyRow(entity), query })).toBe(text);
  });

  it.each<[entity: string, query: Json[]]>([
    ["resources", ["=", "tag", ["a"]]],
    ["resources", ["~", "tag", 5]],
    ["inventory", ["~", "facts.kernel", 5]],
    ["inventory", ["~", "trusted", "a"]],
    ["inventory", [">", "trusted", 5]],
    ["inventory", [">", "facts.kernel", []]],
    ["nodes", ["~", "certname", null]],
    ["nodes", ["not", ["~", "certname", null]]],
    ["fact_contents", ["~>", "path", null]],
  ])("are accepted: %s %j", async (entity, query) => {
    expect(await refusalOf(store, { of: everyRow(entity), query })).toBe("no refusal");
  });
});
