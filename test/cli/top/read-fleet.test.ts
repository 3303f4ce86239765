import { SILENT_AFTER_MS } from "#storage/states/node-state.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { type ReadRows, rowReader } from "#cli/sources/read-rows.ts";
import type { Fleet } from "#cli/top/fleet.ts";
import { FleetReader } from "#cli/top/read-fleet.ts";
import { compareBytewise } from "#storage/bytewise.ts";
import { fixedClock, parseTimestamp } from "#storage/time.ts";
import { archiveDocuments, type ArchiveDocuments, type ArchivedReport, latestReports } from "../archive-documents.ts";
import { SAMPLE } from "../census.ts";
import { sampleSources } from "../sample-sources.ts";

const NOW = "2026-11-20T12:00:00Z";
const HOUR = 3_600_000;
const clock = fixedClock(parseTimestamp(NOW) ?? 0n);

const sources = sampleSources();
let documents: ArchiveDocuments;
const fleets: Fleet[] = [];
beforeAll(async () => {
  documents = await archiveDocuments(SAMPLE);
  for (const source of sources) fleets.push(await new FleetReader(source).read(rowReader(source)));
});

function archiveFleet(): Fleet {
  const [fleet] = fleets;
  if (fleet === undefined) throw new Error("there is no fleet");
  return fleet;
}

type Report = ArchivedReport & { readonly cached_catalog_status?: string | null };

const isBad = ({ status, cached_catalog_status: cached }: Report): boolean =>
  status === "failed" || cached === "on_failure";

const failedEvents = ({ resources }: ArchivedReport) =>
  resources.flatMap(({ events, ...resource }) =>
    events.filter(({ status }) => status === "failure").map((event) => ({ ...resource, ...event })),
  );

const utc = (time: string): string => new Date(time).toISOString();

function firstOf(times: readonly string[]): string | undefined {
  return times.toSorted(compareBytewise)[0];
}

/** The reports of a node since its last good run, the latest first. */
function badRuns(certname: string): Report[] {
  const own = documents.reports
    .filter((report) => report.certname === certname)
    .sort((a, b) => (a.end_time < b.end_time ? 1 : -1)) as Report[];
  const good = own.findIndex((report) => !isBad(report));
  return good < 0 ? own : own.slice(0, good);
}

/** The nodes of the archive that are active. */
function activeNames(): Set<string> {
  return new Set(archiveFleet().nodes.map(({ certname }) => certname));
}

/** A data directory has corrective changes only with a setting. */
function withoutCorrective(fleet: Fleet | undefined): object {
  const nodes = fleet?.nodes.map((node) => ({ ...node, state: node.state === "corrective" ? "changed" : node.state }));
  return { ...fleet, nodes };
}

describe("the fleet", () => {
  it("has the nodes with the states that their latest reports say", () => {
    const latest = new Map(latestReports(documents).map((report) => [report.certname, report as Report]));
    const { nodes } = archiveFleet();
    for (const { certname, state, report: time } of nodes) {
      const report = latest.get(certname);
      const age = report === undefined ? 0 : Date.parse(NOW) - Date.parse(report.end_time);
      const expected =
        report === undefined
          ? ["never"]
          : age > 2 * HOUR
            ? ["silent"]
            : report.status === "failed"
              ? ["failed"]
              : isBad(report)
                ? ["hidden"]
                : ["corrective", "changed", "pending", "unchanged"];
      expect({ certname, expected }).toEqual({ certname, expected: expect.arrayContaining([state]) as unknown });
      expect(time === null).toBe(report === undefined);
    }
    expect(new Set(nodes.map(({ state }) => state)).size).toBe(8);
  });

  it("has an issue for each failure of each latest report", () => {
    const { issues } = archiveFleet();
    const active = activeNames();
    for (const report of latestReports(documents) as Report[]) {
      const own = issues.filter(({ nodes }) => nodes.some(({ certname }) => certname === report.certname));
      const events = failedEvents(report);
      const isExpected = active.has(report.certname) && (isBad(report) || events.length > 0);
      expect({ certname: report.certname, has: own.length > 0 }).toEqual({
        certname: report.certname,
        has: isExpected,
      });
      if (!isExpected) continue;
      const resources = new Set(events.map((event) => `${event.resource_type}[${event.resource_title}]`));
      expect(own.map(({ what }) => what).filter((what) => what.includes("["))).toEqual([...resources]);
    }
    expect(issues.length).toBeGreaterThan(3);
  });

  it("knows since when each failure has been there without a good run", () => {
    let resources = 0;
    for (const { what, nodes, since } of archiveFleet().issues) {
      const expected = nodes.map(({ certname }) => {
        const runs = badRuns(certname);
        const times = runs
          .flatMap(failedEvents)
          .filter((event) => `${event.resource_type}[${event.resource_title}]` === what)
          .map(({ timestamp }) => utc(timestamp));
        resources += times.length > 1 ? 1 : 0;
        return {
          certname,
          time: [...times, ...(times.length > 0 ? [] : runs.map((run) => utc(run.end_time)))].sort()[0],
        };
      });
      expect(nodes.map(({ certname, since: own }) => ({ certname, time: own?.time }))).toEqual(expected);
      expect(since?.time).toBe(firstOf(expected.map(({ time }) => time ?? "")));
    }
    // There is a resource that failed in several runs.
    expect(resources).toBeGreaterThan(0);
  });

  it("is the same from an archive, a data directory and a server", () => {
    const [first, ...others] = fleets;
    expect(others).toHaveLength(2);
    for (const other of others) expect(withoutCorrective(other)).toEqual(withoutCorrective(first));
  });
});

it("reads failures again only after a node has sent a report", async () => {
  const queries: string[] = [];
  const hashes = ["one", "one", "two"];
  const readRows: ReadRows = async (query) => {
    queries.push(query.slice(0, query.indexOf("[")));
    return Promise.resolve(
      query.startsWith("nodes")
        ? [{ certname: "a", latest_report_hash: hashes.shift() ?? "", report_timestamp: NOW }]
        : [],
    );
  };
  const reader = new FleetReader({
    now: () => Promise.resolve(clock.now()),
    silentAfter: () => Promise.resolve(SILENT_AFTER_MS),
  });
  for (let time = 0; time < 3; time++) await reader.read(readRows);
  expect(queries).toEqual(["nodes", "reports", "events", "nodes", "nodes", "reports", "events"]);
});

it("has no more nodes in a query than the server plans fast", async () => {
  const reports = Array.from({ length: 250 }, (_, index) => ({ certname: `n-${index}`, status: "failed", logs: [] }));
  const longest: number[] = [];
  const readRows: ReadRows = async (query) => {
    longest.push(query.length);
    return Promise.resolve(query.startsWith("reports[certname, status") ? reports : []);
  };
  await new FleetReader({
    now: () => Promise.resolve(clock.now()),
    silentAfter: () => Promise.resolve(SILENT_AFTER_MS),
  }).read(readRows);
  expect(longest).toHaveLength(3 + 3 * 3);
  expect(Math.max(...longest)).toBeLessThan(5000);
});
