import { describe, expect, it } from "vitest";
import { router } from "#test/app/openapi/operations.ts";

describe("a response is counted (reference/metrics.md §5.4)", () => {
  it.each([
    ["/pdb/cmd/v1", ["/pdb", "/pdb/cmd", "/pdb/cmd/v1"]],
    ["/pdb/query/v4", ["/pdb", "/pdb/query", "/pdb/query/v4"]],
    ["/pdb/query/v4/nodes", ["/pdb", "/pdb/query", "/pdb/query/v4", "/pdb/query/v4/nodes"]],
    ["/pdb/query/v4/nodes/web/facts", ["/pdb", "/pdb/query", "/pdb/query/v4", "/pdb/query/v4/nodes"]],
    ["/pdb/query/v4/nope", ["/pdb", "/pdb/query", "/pdb/query/v4"]],
    ["/metrics/v2/read/java.lang:type=Memory", ["/metrics", "/metrics/v2"]],
    ["/explorer/nodes/web", ["/explorer"]],
    ["/explorer/assets/main-1A2B3C4D.js", ["/explorer", "/explorer/assets"]],
    ["/explorer/api/v1/about", ["/explorer", "/explorer/api", "/explorer/api/v1", "/explorer/api/v1/about"]],
    ["/explorer/api/v1/nope", ["/explorer", "/explorer/api"]],
    ["/pdb/meta/v1/version", []],
    ["/favicon.ico", []],
  ])("of %s under %j", (path, paths) => {
    expect((router.find(path) ?? router.fallback(path)).metered).toEqual(paths);
  });
});
