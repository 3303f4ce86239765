import { describe, expect, it } from "vitest";
import type { Json } from "#storage/json.ts";
import { legacyFilter } from "#storage/query/ast/legacy-events.ts";

const unknown = (name: string): string =>
  `'${name}' is not a queryable object for version 4 of the resource events API`;

/** The language of `distinct_resources` (reference/query.md §8), as PuppetDB 7.12 answers. */

describe("conditions with distinct_resources", () => {
  it.each<[given: Json, read: Json]>([
    [
      ["=", "status", "failure"],
      ["=", "status", "failure"],
    ],
    [
      ["=", "resource-title", "a"],
      ["=", "resource_title", "a"],
    ],
    [
      ["~", "containing-class", "a"],
      ["~", "containing_class", "a"],
    ],
    [
      [">", "timestamp", "2026-11-19"],
      [">", "timestamp", "2026-11-19"],
    ],
    [
      ["<=", "report_receive_time", 5],
      ["<=", "report_receive_time", 5],
    ],
    [
      ["OR", ["NOT", ["=", "line", 5]]],
      ["or", ["not", ["=", "line", 5]]],
    ],
  ])("are translated to the current language: %j", (given, read) => {
    expect(legacyFilter(given)).toEqual(read);
  });

  it.each<[given: Json, message: string]>([
    [["=", "timestamp", "2026-11-20"], unknown("timestamp")],
    [["=", "name", "a"], unknown("name")],
    [["=", "configuration_version", "a"], unknown("configuration_version")],
    [["=", "bogus", 5], unknown("bogus")],
    [["~", "timestamp", "a"], unknown("timestamp")],
    [["~", "old_value", "a"], unknown("old_value")],
    [[">", "line", 3], "> operator does not support object 'line' for resource events"],
    [[">", "run-start-time", "2026"], "> operator does not support object 'run-start-time' for resource events"],
    [[">", "timestamp"], "> requires exactly two arguments, but 1 were supplied"],
    [["=", "status", "a", "b"], "= requires exactly two arguments, but 3 were supplied"],
    [["and"], "and requires at least one term"],
    [["BOGUS", "a"], `["BOGUS" "a"] is not well-formed: query operator 'BOGUS' is unknown`],
    [["~>", "status", "a"], `["~>" "status" "a"] is not well-formed: query operator '~>' is unknown`],
    [[], "[] is not well-formed: queries must contain at least one operator"],
    ["x", `"x" is not well-formed: query operator 'x' is unknown`],
  ])("are rejected: %j: %s", (given, message) => {
    expect(() => legacyFilter(given)).toThrow(message);
  });
});
