import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { peerQueries } from "./queries.ts";

describe("the queries for both systems", () => {
  it("are requests whose parameters are texts, or else JSON", async () => {
    await using folder = await temporaryFolder();
    const lines = [
      { id: "all", path: "/pdb/query/v4/nodes" },
      {
        id: "page",
        path: "/pdb/query/v4/nodes",
        params: { query: ["=", "certname", "a&b"], limit: 5, include_total: "true" },
      },
    ];
    await writeFile(
      join(folder.path, "bench-queries.ndjson"),
      lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
    );
    const [all, page] = peerQueries(folder.path);
    expect(all).toEqual({ id: "all", target: "/pdb/query/v4/nodes" });
    expect(Object.fromEntries(new URL(page?.target ?? "", "http://census").searchParams)).toEqual({
      query: '["=","certname","a&b"]',
      limit: "5",
      include_total: "true",
    });
  });

  it("are an empty list without PuppetDB's tools", async () => {
    await using folder = await temporaryFolder();
    expect(peerQueries(folder.path)).toEqual([]);
  });
});
