import { describe, expect, it } from "vitest";
import { splitPath } from "#app/metrics/jolokia/path.ts";

describe("a path of a metrics request", () => {
  // reference/metrics.md §1.1
  it.each([
    ["", []],
    ["read", ["read"]],
    ["read/", ["read"]],
    ["read/a/b", ["read", "a", "b"]],
    ["a!/b/c", ["a/b", "c"]],
    ["a!!/b", ["a!", "b"]],
    ['a!"/b', ['a"', "b"]],
    ["a!x", ["ax"]],
    ["a//b", ["a", "", "b"]],
  ])("%j is split into %j", (path, parts) => expect(splitPath(path)).toEqual(parts));
});
