import { describe, expect, it } from "vitest";
import { splitPath } from "#app/metrics/jolokia/path.ts";
import { meteredPaths } from "#app/metrics/metered-paths.ts";

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
  ])("%j is cut to %j", (path, parts) => expect(splitPath(path)).toEqual(parts));
});

describe("an answer is counted", () => {
  it.each([
    ["/pdb/cmd/v1", ["/pdb", "/pdb/cmd", "/pdb/cmd/v1"]],
    ["/pdb/query/v4", ["/pdb", "/pdb/query", "/pdb/query/v4"]],
    ["/pdb/query/v4/nodes", ["/pdb", "/pdb/query", "/pdb/query/v4", "/pdb/query/v4/nodes"]],
    ["/pdb/query/v4/nodes/web/facts", ["/pdb", "/pdb/query", "/pdb/query/v4", "/pdb/query/v4/nodes"]],
    ["/pdb/query/v4/nope", ["/pdb", "/pdb/query", "/pdb/query/v4"]],
    ["/metrics/v2/read/java.lang:type=Memory", ["/metrics", "/metrics/v2"]],
    ["/pdb/meta/v1/version", []],
    ["/favicon.ico", []],
  ])("of %s under %j", (path, paths) => expect(meteredPaths(path)).toEqual(paths));
});
