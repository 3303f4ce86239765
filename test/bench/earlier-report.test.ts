import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "#test/fixture-folder.ts";
import type { Measured } from "./comparison.ts";
import { compareWith, comparisonText, earlierReport } from "./earlier-report.ts";
import type { Run } from "./report.ts";

const fleet = { nodes: 20, runs: 6 };
const hour = { nodes: 500, minutes: 2 };

function figure(scenario: string, samples: number[]): Measured {
  return { scenario, metric: "answer", unit: "milliseconds", samples };
}

function report(nodes: number, figures: readonly Measured[], started = "2026-11-21T08:00:00.000Z"): string {
  return JSON.stringify({ started, seconds: 5, nodes, fleet, hour, machine: { node: "v24" }, figures });
}

describe("the report of an earlier run", () => {
  it('is the newest one of the same number of nodes, for "last"', async () => {
    await using folder = await temporaryFolder();
    const write = (name: string, text: string): Promise<void> => writeFile(join(folder.path, name), text);
    await write("2026-11-19T08-00-00.000Z.json", report(1000, [figure("query/a", [1])], "oldest"));
    await write("2026-11-20T08-00-00.000Z.json", report(1000, [figure("query/b", [1])], "older"));
    await write("2026-11-21T08-00-00.000Z.json", report(100, [figure("query/a", [1])], "newest"));
    await write("2026-11-23T08-00-00.000Z.json", '{"of another shape":true}');
    const at = { folder: folder.path, scenarios: new Set(["query/a", "query/b"]) };
    expect(earlierReport("last", { ...at, nodes: 1000 })?.started).toBe("older");
    expect(earlierReport("last", { ...at, nodes: 100 })?.started).toBe("newest");
    expect(earlierReport("last", { ...at, nodes: 7 })).toBeUndefined();
    await write("2026-11-22T08-00-00.000Z.json", report(1000, [figure("import", [1])], "of something else"));
    const named = join(folder.path, "2026-11-19T08-00-00.000Z.json");
    expect(earlierReport(named, { ...at, nodes: 1000 })?.started).toBe("oldest");
  });

  it.each([
    ["of another number of nodes", report(100, []), /measured with 100 nodes, this run is of 1000; --nodes 100/],
    ["that is no report", '{"started":5}', /not the report of a run/],
    ["that is no JSON", "{", /not the report of a run/],
    ["with a figure without samples", report(1000, [figure("query/nodes", [])]), /not the report of a run/],
    ["that is not there", undefined, /there is no such file/],
  ])("%s is refused", async (_what, text, message) => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "run.json");
    if (text !== undefined) await writeFile(path, text);
    expect(() => earlierReport(path, { nodes: 1000, scenarios: new Set(), folder: folder.path })).toThrow(message);
  });

  it("is compared in words, worse figures first", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "run.json");
    const before = [
      figure("query/a", [10]),
      figure("query/b", [10]),
      figure("query/c", [10]),
      figure("fleet-day", [10]),
      figure("fleet-hour", [10]),
    ];
    await writeFile(path, report(1000, before));
    const earlier = earlierReport(path, { nodes: 1000, scenarios: new Set(), folder: folder.path });
    if (earlier === undefined) throw new Error("the report was not found");
    const now = [figure("query/a", [5]), figure("query/b", [20]), figure("query/c", [11])];
    const fleets = [figure("fleet-day", [50]), figure("fleet-hour", [50])];
    const lines = (other: Pick<Run, "fleet" | "hour">): string[] =>
      comparisonText(compareWith(earlier, [...now, ...fleets], other), earlier).split("\n");
    const [heading, ...changes] = lines({ fleet: { nodes: 21, runs: 6 }, hour: { nodes: 500, minutes: 60 } });
    expect(heading).toMatch(/^3 figures compared with .*run\.json of 2026-11-21T08:00: 1 worse, 1 better \(medians/);
    expect(changes).toEqual([
      "worse   query/b, answer: 10 ms → 20 ms (+100%), noise 2.50 ms",
      "better  query/a, answer: 10 ms → 5.00 ms (-50%), noise 2.50 ms",
    ]);
    expect(lines({ fleet, hour })).toHaveLength(5);
    expect(lines({ fleet: { nodes: 21, runs: 6 }, hour }).join()).toMatch(/^4 figures .*worse +fleet-hour, answer/);
    expect(comparisonText(compareWith(earlier, before, { fleet, hour }), earlier)).toMatch(
      /^5 figures .*: none changed/,
    );
  });
});
