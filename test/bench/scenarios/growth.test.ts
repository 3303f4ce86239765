import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { readOptions } from "../options.ts";
import { growthOf, growthScenarios } from "./growth.ts";

describe("growth", () => {
  it.each([
    ["of one run is that of the medians", [[1, 2, 9], [4, 8, 40], 1], [4]],
    ["of several is one of each", [[1, 1, 2, 2], [3, 3, 8, 8], 2], [3, 4]],
    ["of commands, a sample a run", [[2, 4], [2, 2], 2], [1, 0.5]],
    ["is none of what could not be measured", [[], [], 3], []],
  ] as const)("%s", (_what, [before, after, runs], growth) => {
    expect(growthOf(before, after, runs)).toEqual(growth);
  });

  it("is measured at every size, with the limit of its kind", async () => {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, "bench-queries.ndjson"), '{"id":"all","path":"/pdb/query/v4/nodes"}\n');
    const options = readOptions(["--sizes", "10,50,1000", "--oracle", folder.path], {});
    const scenarios = new Map(growthScenarios(options).map(({ name, metrics }) => [name, metrics]));
    const unit = "milliseconds";
    const sizes = { "10 nodes": { unit }, "50 nodes": { unit }, "1000 nodes": { unit } };
    expect(scenarios.get("growth/queries/all")).toEqual({
      ...sizes,
      growth: { unit: "ratio", target: { atMost: 22 } },
    });
    expect(scenarios.get("growth/look-ups/node")).toEqual({
      ...sizes,
      growth: { unit: "ratio", target: { atMost: 2 } },
    });
    expect(scenarios.get("growth/commands/facts, unchanged")?.["growth"]?.target).toEqual({ atMost: 1.1 });
    for (const name of ["memory of an export", "memory of an export, last third"]) {
      const archive = scenarios.get(`growth/archives/${name}`) ?? {};
      expect(Object.keys(archive)).toEqual(["10 nodes", "50 nodes", "1000 nodes", "2000 nodes", "growth"]);
      expect(archive["growth"]?.target).toEqual({ atMost: 1.1 });
    }
  });

  it("is not measured if the population cannot be generated", async () => {
    await using folder = await temporaryFolder();
    expect(growthScenarios(readOptions(["--oracle", folder.path], {}))).toEqual([]);
  });
});
