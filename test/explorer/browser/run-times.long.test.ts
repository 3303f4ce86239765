import { expect, it } from "vitest";
import type { JsonObject } from "#storage/json.ts";
import { serve, type Served } from "#test/app/fixture-service.ts";
import { a, emptyStore } from "#test/fixture-store.ts";
import { browse, describeInBrowser } from "./browser.ts";

interface Run {
  readonly certname: string;
  /** The day of November, and the hour at which the run ended. */
  readonly day: number;
  readonly hour?: number;
  readonly seconds: number;
  readonly status?: string;
  /** Seconds by type of resource. */
  readonly types?: Readonly<Record<string, number>>;
}

function report({ certname, day, hour = 12, seconds, status = "unchanged", types = {} }: Run): JsonObject {
  const end = Date.UTC(2026, 10, day, hour);
  const times = { total: seconds, ...types };
  return {
    certname,
    status,
    start_time: new Date(end - 1000 * seconds).toISOString(),
    end_time: new Date(end).toISOString(),
    producer_timestamp: new Date(end).toISOString(),
    transaction_uuid: crypto.randomUUID(),
    metrics: Object.entries(times).map(([name, value]) => ({ category: "time", name, value })),
    resources: [],
    logs: [],
  };
}

const days = [11, 12, 13, 14, 15, 16, 17, 18, 19, 20];

/** One node takes three times as long since the 16th, the other as long as ever. */
const runs: readonly Run[] = [
  ...days.map((day) => ({ certname: "steady", day, seconds: 30, types: { exec: 10, file: 6 } })),
  ...days.map((day) => ({
    certname: "slower",
    day,
    seconds: day < 16 ? 20 : 60,
    status: "changed",
    types: { exec: 40, file: 5 },
  })),
  { certname: "slower", day: 20, hour: 6, seconds: 60, status: "failed" },
];

async function served(): Promise<Served> {
  const store = await emptyStore();
  for (const run of runs) await store.submit(a.report(run.certname, report(run)));
  return serve(store, { source: { kind: "data", name: "data" } });
}

describeInBrowser("run times", () => {
  it("are shown by day, by type of resource, and for the nodes that need longer", async () => {
    const server = await served();
    try {
      await using visit = await browse(`${server.url}/explorer/reports?zone=utc`);
      const { page } = visit;
      await page.getByRole("link", { name: "Run times" }).click();
      await visit.settled();
      const overTime = page.getByRole("region", { name: "Run time", exact: true });
      await overTime.getByRole("button", { name: "as table" }).click();
      const cells = await overTime.locator("tbody tr").allInnerTexts();
      const shown = cells.map((row) => row.split(/\s*\t\s*/));
      expect(shown).toHaveLength(days.length);
      // Of 20 s and 30 s; since the 16th of 30 s and 60 s; on the last day 60 s twice.
      expect(shown[0]).toEqual(["11 Nov 2026, 00:00", "25 s", "29.5 s"]);
      expect(shown[5]).toEqual(["16 Nov 2026, 00:00", "45 s", "58.5 s"]);
      expect(shown[9]).toEqual(["20 Nov 2026, 00:00", "60 s", "60 s"]);

      const types = page.getByRole("region", { name: "Slowest types of resources" });
      expect((await types.locator("tbody tr").allInnerTexts()).map((row) => row.split(/\s*\t\s*/))).toEqual([
        ["Exec", "50 s", "2", "25 s", "40 s"],
        ["File", "11 s", "2", "5.5 s", "6.0 s"],
      ]);

      const nodes = page.getByRole("region", { name: "Nodes whose runs got longer" });
      expect((await nodes.locator("tbody tr").allInnerTexts()).map((row) => row.split(/\s*\t\s*/))).toEqual([
        ["slower", "20 s", "1 min 0 s", "× 3.0"],
      ]);
      await nodes.getByRole("link", { name: "slower" }).click();
      await visit.settled();
      expect(new URL(page.url()).pathname).toBe("/explorer/nodes/slower/reports");
    } finally {
      await server.close();
    }
  });

  it("are beside the states of the days on the overview, each node once a day", async () => {
    const server = await served();
    try {
      await using visit = await browse(`${server.url}/explorer/?zone=utc`);
      const panel = visit.page.getByRole("region", { name: "Nodes by last run", exact: true });
      const legend = panel.locator(".chart-legend");
      // The run at six failed, the one at twelve did not.
      expect(await legend.innerText()).toMatch(/\b0 failed\s+1 changed\s+1 unchanged\s+of 2 nodes, 20 Nov 2026/);
    } finally {
      await server.close();
    }
  });
});
