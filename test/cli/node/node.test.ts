import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { nodePage } from "#cli/node/page.ts";
import { namedNode, type NodeSummary } from "#cli/node/summary.ts";
import { displayWidth } from "#cli/output/fit.ts";
import type { OpenSource } from "#cli/sources/open-source.ts";
import { rowReader } from "#cli/sources/read-rows.ts";
import {
  archiveDocuments,
  type ArchiveDocuments,
  type ArchivedReport,
  isHiddenFailure,
  latestReports,
} from "../archive-documents.ts";
import { census, SAMPLE, workFolder } from "../census.ts";
import { sampleSources } from "../sample-sources.ts";

const folder = workFolder();
const NOW = "2026-11-20T12:00:00Z";
const sources = sampleSources();
let documents: ArchiveDocuments;
beforeAll(async () => {
  documents = await archiveDocuments(SAMPLE);
});

async function summaryOf(name: string, source: OpenSource | undefined = sources[0]): Promise<NodeSummary> {
  if (source === undefined) throw new Error("there is no source");
  return namedNode(name, rowReader(source), source);
}

/** The certnames of the nodes whose latest report meets a condition; of nodes with facts and a catalog. */
function nodesWhere(test: (report: ArchivedReport) => boolean): string[] {
  const known = new Set(documents.catalogs.map(({ certname }) => certname));
  return latestReports(documents)
    .filter((report) => known.has(report.certname) && test(report))
    .map(({ certname }) => certname);
}

const failedEvents = ({ resources }: ArchivedReport) =>
  resources.flatMap((resource) =>
    resource.events.filter(({ status }) => status === "failure").map((event) => ({ ...resource, ...event })),
  );

describe("census node", () => {
  it("shows the data of each node of an archive", async () => {
    for (const { certname, resources } of documents.catalogs) {
      const summary = await summaryOf(certname);
      const own = documents.reports
        .filter((report) => report.certname === certname)
        .sort((a, b) => (a.end_time < b.end_time ? 1 : -1));
      const facts = documents.facts.find((factset) => factset.certname === certname);
      expect(summary.runs.map(({ end_time: end, status }) => [end, status])).toStrictEqual(
        own.slice(0, 8).map(({ end_time: end, status }) => [end, status]),
      );
      expect(summary.classes).toStrictEqual(
        resources
          .filter(({ type }) => type === "Class")
          .map(({ title }) => title)
          .sort(),
      );
      expect(summary.resources).toBe(resources.length);
      expect(summary.packages).toBe(facts?.package_inventory?.length ?? 0);
      const { timezone, processors } = (facts?.values ?? {}) as { timezone?: string; processors?: { count?: number } };
      expect(summary.facts["time zone"]).toBe(timezone);
      expect(summary.facts["processors"]).toBe(processors?.count);
      expect(summary.failures.filter(({ resource }) => resource !== null)).toHaveLength(
        own[0]?.status === "failed" ? failedEvents(own[0]).length : 0,
      );
    }
    expect(documents.catalogs.length).toBeGreaterThan(30);
  });

  it("explains a failure by its event", async () => {
    const [certname = ""] = nodesWhere((report) => failedEvents(report).length > 0);
    const summary = await summaryOf(certname);
    const report = latestReports(documents).find((one) => one.certname === certname);
    const [event] = report === undefined ? [] : failedEvents(report);
    expect(summary.state).toBe("failed");
    expect(summary.failures[0]).toMatchObject({
      resource: `${event?.resource_type}[${event?.resource_title}]`,
      message: event?.message,
    });
    expect(summary.reason).toContain(`${event?.resource_type}[${event?.resource_title}]: `);
  });

  it("explains a run that failed without an event by the errors of its log", async () => {
    const failedOtherwise = latestReports(documents).filter(
      (report) => report.status === "failed" && failedEvents(report).length === 0,
    );
    for (const { certname, logs } of failedOtherwise) {
      const summary = await summaryOf(certname);
      expect(summary.failures.map(({ message }) => message)).toStrictEqual(
        logs.filter(({ level }) => level === "err").map(({ message }) => message),
      );
      // Messages of servers name the node, which the page does as well.
      expect(summary.reason).not.toContain(certname);
    }
    expect(failedOtherwise).not.toHaveLength(0);
  });

  it("prints the same for an archive, a data directory and a server", async () => {
    const names = [
      ...nodesWhere(({ status }) => status === "failed"),
      ...nodesWhere(({ status }) => status === "unchanged").slice(0, 4),
    ];
    for (const name of names) {
      const [first, ...others] = await Promise.all(
        sources.map(async (source) => withoutTimes(await summaryOf(name, source))),
      );
      for (const other of others) expect(other).toStrictEqual(first);
    }
  });

  it.each([
    ["a node without a report", "panel-0009", /never|silent|failed|unchanged|changed/],
    ["its beginning up to a dot", "berth-0024", /unchanged/],
  ])("accepts %s", async (_what, name, state) => {
    const summary = await summaryOf(name);
    expect(summary.certname.startsWith(`${name}.`)).toBe(true);
    expect(summary.state).toMatch(state);
  });

  it("writes the page of a node as HTML", async () => {
    const words = ["node", "berth-0024", "--archive", SAMPLE];
    const [page, html] = await Promise.all([
      census([...words, "--output", "table"]),
      census([...words, "--output", "html"]),
    ]);
    expect(html).toMatchObject({ code: 0, stderr: "" });
    expect(html.stdout).toContain("<h1>berth-0024.tollhouse.saltmarsh.example</h1>");
    const [, shown = ""] = /<\/dl>\n<pre>([^]*)<\/pre>\n<\/body>/.exec(html.stdout) ?? [];
    expect(shown.replaceAll("&#39;", "'").replaceAll("&quot;", '"')).toBe(page.stdout);
  });

  it("rejects an unknown name, and names similar ones", async () => {
    const { code, stdout, stderr } = await census(["node", "brth-0024", "--archive", SAMPLE]);
    expect({ code, stdout }).toStrictEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("berth-0024");
    const wrong = await census(["node", "berth-0024", "--archive", SAMPLE, "--out", join(folder, "node.csv")]);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain("a node is written as a table, JSON or HTML");
  });
});

/** The time at which a source received something is its own. */
function withoutTimes(summary: NodeSummary): object {
  return { ...summary, facts_timestamp: null, catalog_timestamp: null };
}

describe("the page of a node", () => {
  it.each([40, 80, 100, 120])("stays within %i columns", async (width) => {
    for (const certname of nodesWhere(({ status }) => status === "failed")) {
      const page = nodePage(await summaryOf(certname), { width, isColoured: false, now: new Date(NOW) });
      for (const line of page.split("\n").filter((one) => !/^ {2}\d{4}-/.test(one))) {
        expect(displayWidth(line)).toBeLessThanOrEqual(Math.max(width, certname.length + 12));
      }
      expect(page).toContain("✖ failed");
    }
  });

  it("begins with the state and the reason, then failures, runs, facts and classes", async () => {
    const [certname = ""] = nodesWhere((report) => failedEvents(report).length > 0);
    const page = nodePage(await summaryOf(certname), { width: 100, isColoured: false, now: new Date(NOW) });
    const titles = page.split("\n").filter((line) => /^\S/.test(line));
    expect(titles).toStrictEqual([
      `${certname}  ✖ failed`,
      "failed",
      "runs",
      "facts",
      expect.stringMatching(/^classes \(\d+\)$/),
    ]);
    expect(page).toMatch(/^ {2}2026-11-20 11:\d\d:\d\d · \d+ min ago +✖ failed +/m);
  });

  it("lists runs by what they left the node in, which a status hides", async () => {
    const [hidden = ""] = nodesWhere(isHiddenFailure);
    const { runs } = await summaryOf(hidden);
    expect(runs[0]).toMatchObject({ state: "hidden failure", status: expect.not.stringMatching("failed") });
  });

  it("says what the last run of a silent node was", async () => {
    const [source] = sources;
    if (source === undefined) throw new Error("there is no source");
    const later: OpenSource = { ...source, now: async () => (await source.now()) + 6n * 3_600_000_000n };
    const [failed = ""] = nodesWhere((report) => failedEvents(report).length > 0);
    const [hidden = ""] = nodesWhere(isHiddenFailure);
    const { reason } = await summaryOf(failed);
    expect(await summaryOf(failed, later)).toMatchObject({
      state: "silent",
      last_run: "failed",
      reason: expect.stringMatching(/^its latest report is of 6 h ago, and its latest run failed: /),
    });
    expect((await summaryOf(failed, later)).reason).toContain(reason);
    expect(await summaryOf(hidden, later)).toMatchObject({
      state: "silent",
      last_run: "hidden",
      reason: expect.stringContaining("and its latest run used a cached catalog"),
    });
  });

  it("has no control characters of a hostile node", () => {
    const hostile = "evil\u001b]0;title\u0007\u202e";
    const page = nodePage(
      {
        certname: hostile,
        state: "failed",
        last_run: "failed",
        reason: hostile,
        deactivated: null,
        expired: null,
        environment: hostile,
        facts_timestamp: null,
        catalog_timestamp: null,
        report_timestamp: null,
        failures: [{ resource: hostile, message: hostile, declared: hostile }],
        runs: [{ state: hostile, status: hostile, end_time: hostile, seconds: null, noop: false }],
        facts: { kernel: hostile },
        classes: [hostile],
        resources: 1,
        packages: 0,
      },
      { width: 80, isColoured: false, now: new Date(NOW) },
    );
    expect(page).not.toMatch(/[\u001b\u0007\u202e]/);
  });
});
