import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { workFolder } from "#test/cli/census.ts";
import { browse, describeInBrowser } from "./browser.ts";
import { csvLines, json, rows } from "./rows.ts";
import { serveFolder, serverOf } from "./serve.ts";

interface Event {
  readonly status: string;
  readonly resource_type: string;
  readonly resource_title: string;
}

const nameOf = ({ resource_type: type, resource_title: title }: Event): string => `${type}[${title}]`;
const unique = (texts: readonly string[]): string[] => [...new Set(texts)].sort();

/** The latest run in which one resource failed and others were skipped. */
async function failedReport(url: string): Promise<{ hash: string; certname: string; events: readonly Event[] }> {
  const reports = await rows<{ hash: string; certname: string }>(
    url,
    'reports[hash, certname]{ status = "failed" and latest_report? = true order by producer_timestamp desc }',
  );
  for (const { hash, certname } of reports) {
    const events = await json<Event[]>(`${url}/pdb/query/v4/reports/${hash}/events`);
    const failed = unique(events.filter(({ status }) => status === "failure").map(nameOf));
    const skipped = events.filter(({ status }) => status === "skipped");
    if (failed.length === 1 && skipped.length > 3) return { hash, certname, events };
  }
  throw new Error("the sample has no such report");
}

/** Starting takes long where other tests use the processors. */
async function startSample(): Promise<void> {
  await serverOf("sample");
}

describeInBrowser("the page of a report", () => {
  beforeAll(startSample);

  it("shows the failed resource and all that were skipped because of it before everything else", async () => {
    const url = await serverOf("sample");
    const { hash, events } = await failedReport(url);
    await using visit = await browse(`${url}/explorer/reports/${hash}`);
    const panels = await visit.page.locator("main section").evaluateAll((all) => all.map((one) => one.ariaLabel));
    expect(panels[0]).toBe("Why it failed");
    const causes = visit.page.getByRole("region", { name: "Why it failed" });
    const [failed] = events.filter(({ status }) => status === "failure").map(nameOf);
    expect(await causes.locator(".cause-subject").allInnerTexts()).toEqual([expect.stringContaining(failed ?? "?")]);
    const skipped = unique(events.filter(({ status }) => status === "skipped").map(nameOf));
    expect(await causes.locator(".skipped > span").innerText()).toBe(`Skipped because of it (${skipped.length}):`);
    await causes.getByRole("button", { name: /more$/ }).click();
    expect(unique(await causes.locator(".skipped a").allInnerTexts())).toEqual(skipped);
  });

  it("has all events, lines of the log and metrics", async () => {
    const url = await serverOf("sample");
    const { hash } = await failedReport(url);
    const part = async (name: string): Promise<number> =>
      (await json<unknown[]>(`${url}/pdb/query/v4/reports/${hash}/${name}`)).length;
    await using visit = await browse(`${url}/explorer/reports/${hash}?open=metrics&level=debug`);
    const { page } = visit;
    expect(await page.locator(".events > li").count()).toBe(await part("events"));
    expect(await page.locator(".log > li").count()).toBe(await part("logs"));
    expect(await page.locator(".report-metrics tbody tr").count()).toBe(await part("metrics"));
    // As the agent sent them, with their tags.
    await page.keyboard.press("v");
    const logs = await json<{ tags: string[] }[]>(`${url}/pdb/query/v4/reports/${hash}/logs`);
    const tags = logs.filter((line) => line.tags.length > 0).map((line) => `tags: ${line.tags.join(", ")}`);
    expect(tags.length).toBeGreaterThan(0);
    await expect.poll(async () => page.locator(".log-tags").allInnerTexts()).toStrictEqual(tags);
    for (const heading of [`Events (${await part("events")})`, `Log (${await part("logs")})`]) {
      expect(await page.getByRole("heading", { name: heading }).count()).toBe(1);
    }
  });

  it("limits the log by level and text, and keeps that in the address", async () => {
    const url = await serverOf("sample");
    const { hash } = await failedReport(url);
    const log = await json<{ level: string; message: string }[]>(`${url}/pdb/query/v4/reports/${hash}/logs`);
    await using visit = await browse(`${url}/explorer/reports/${hash}`);
    const { page } = visit;
    const lines = page.locator(".log > li");
    await page.getByRole("button", { name: /^err / }).click();
    await expect.poll(async () => lines.count()).toBe(log.filter(({ level }) => level === "err").length);
    await page.getByRole("button", { name: /^info / }).click();
    await page.getByRole("searchbox", { name: "Search the log" }).fill("SKIPPING because");
    const hits = log.filter(({ message }) => message.includes("Skipping because")).length;
    expect(hits).toBeGreaterThan(0);
    await expect.poll(async () => lines.count()).toBe(hits);
    expect(await lines.locator("mark").first().innerText()).toBe("Skipping because");
    await page.reload();
    await visit.settled();
    expect(await lines.count()).toBe(hits);
    await page.goBack();
    await expect.poll(async () => lines.count()).toBe(log.filter(({ level }) => level === "err").length);
  });

  it("leads from a line of the log to its event, and from an event to its lines", async () => {
    const url = await serverOf("sample");
    const { hash } = await failedReport(url);
    await using visit = await browse(`${url}/explorer/reports/${hash}`);
    const { page } = visit;
    const line = page.locator(".log > li").filter({ hasText: "Skipping because" }).last();
    const resource = await line.locator("a").innerText();
    await line.getByRole("button", { name: "event" }).click();
    await expect
      .poll(async () => page.evaluate(() => document.activeElement?.querySelector(".event-subject a")?.textContent))
      .toBe(resource);
    await page.locator(".event:focus").getByRole("button", { name: "log" }).click();
    await expect.poll(async () => unique(await page.locator(".log .log-source a").allInnerTexts())).toEqual([resource]);
    await page.getByRole("button", { name: "Show all sources" }).click();
    await expect.poll(async () => page.locator(".log > li").count()).toBeGreaterThan(1);
  });

  it("goes to the run before and back by keys", async () => {
    const url = await serverOf("sample");
    const { hash, certname } = await failedReport(url);
    const runs = await rows<{ hash: string }>(
      url,
      `reports[hash]{ certname = "${certname}" order by producer_timestamp desc }`,
    );
    const place = runs.findIndex((run) => run.hash === hash);
    const before = runs[place + 1]?.hash ?? "";
    await using visit = await browse(`${url}/explorer/reports/${hash}`);
    const { page } = visit;
    await page.keyboard.press("[");
    await page.waitForURL(`**/reports/${before}`);
    await visit.settled();
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe(`Report ${before.slice(0, 8)}`);
    await page.keyboard.press("]");
    await page.waitForURL(`**/reports/${hash}`);
    await visit.settled();
    expect(await page.title()).toContain(certname);
  });

  it("exports the events that are shown", async () => {
    const url = await serverOf("sample");
    const { hash, events } = await failedReport(url);
    await using visit = await browse(`${url}/explorer/reports/${hash}`);
    const { page } = visit;
    const panel = page.getByRole("region", { name: /^Events/ });
    await panel.getByRole("combobox", { name: "Status" }).selectOption("skipped");
    const skipped = events.filter(({ status }) => status === "skipped").length;
    await expect.poll(async () => page.locator(".events > li").count()).toBe(skipped);
    await panel.getByRole("button", { name: "Export" }).click();
    const link = await panel.getByRole("menuitem", { name: "CSV", exact: true }).getAttribute("href");
    expect(await csvLines(new URL(link ?? "", url).href)).toHaveLength(skipped);
  });

  it("says that a run with a cached catalog hides a failure, and why there was no fresh one", async () => {
    const url = await serverOf("sample");
    const [report] = await rows<{ hash: string }>(
      url,
      'reports[hash]{ cached_catalog_status = "on_failure" and status != "failed" order by producer_timestamp desc limit 1 }',
    );
    await using visit = await browse(`${url}/explorer/reports/${report?.hash ?? ""}`);
    const panel = visit.page.getByRole("region", { name: "Hidden failure" });
    expect(await panel.innerText()).toContain("applied the one that it had cached");
    expect(await panel.locator(".cause").count()).toBe(1);
  });

  it("says that a report is not stored", async () => {
    const url = await serverOf("sample");
    await using visit = await browse(`${url}/explorer/reports/${"0".repeat(40)}`);
    expect(await visit.text()).toContain("No report with the hash");
  });
});

describeInBrowser("a report of 12 MB", () => {
  it("is shown in parts", async () => {
    const server = await serveFolder(join(workFolder(), "data"));
    const report = largeReport();
    const body = JSON.stringify(report);
    expect(body.length).toBeGreaterThan(12_000_000);
    const parameters = `command=store_report&version=8&certname=${report.certname}&secondsToWaitForCompletion=100`;
    const headers = { "content-type": "application/json" };
    const stored = await fetch(`${server.url}/pdb/cmd/v1?${parameters}`, { method: "POST", headers, body });
    expect(await stored.json()).toMatchObject({ processed: true });
    const [known] = await rows<{ hash: string }>(server.url, "reports[hash]{ }");
    await using visit = await browse(`${server.url}/explorer/reports`);
    const { page } = visit;
    await page
      .locator(`main a[href*="${known?.hash ?? ""}"]`)
      .first()
      .click();
    await page.getByRole("region", { name: "Why it failed" }).locator(".cause").first().waitFor();
    await visit.settled();
    expect(await visit.text()).toContain("Events (9,000)");
    expect(await visit.text()).toContain("Log (16,000)");
    const shown = ["cause", "event", "log-line"].map(async (name) => page.locator(`.${name}`).count());
    for (const count of await Promise.all(shown)) expect(count).toBeLessThanOrEqual(100);
    await visit.close();
    await server.stop();
  });
});

/** The status of the event of a resource in {@link largeReport}. */
function statusOf(index: number): string {
  if (index % 50 === 0) return "failure";
  return index % 7 === 0 ? "skipped" : "success";
}

function fileNameOf(index: number): string {
  return `/srv/app/part-${index % 97}/conf.d/setting-${index}.conf`;
}

/** A run of 9,000 resources, of which some failed, with 16,000 lines of log. */
function largeReport(): { readonly certname: string } & Readonly<Record<string, unknown>> {
  const end = Date.now() - 1000;
  const at = (index: number): string => new Date(end - 600_000 + index).toISOString();
  const resources = Array.from({ length: 9000 }, (_, index) => ({
    timestamp: at(index),
    resource_type: "File",
    resource_title: fileNameOf(index),
    skipped: statusOf(index) === "skipped",
    corrective_change: false,
    file: "/etc/puppetlabs/code/environments/production/modules/app/manifests/init.pp",
    line: index % 300,
    containment_path: ["Stage[main]", `App::Part${index % 97}`, `File[${fileNameOf(index)}]`],
    events: [
      {
        status: statusOf(index),
        timestamp: at(index),
        property: "content",
        old_value: `{sha256}${"0".repeat(58)}${index}`,
        new_value: `{sha256}${"1".repeat(58)}${index}`,
        message: `change from absent to present of ${fileNameOf(index)} in run ${index}: ${"no space left ".repeat(6)}`,
        name: null,
        corrective_change: false,
      },
    ],
  }));
  const logs = Array.from({ length: 16_000 }, (_, index) => {
    const own = index % resources.length;
    const isSkipped = statusOf(own) === "skipped";
    return {
      file: null,
      line: null,
      level: statusOf(own) === "failure" ? "err" : "notice",
      time: at(index),
      tags: ["file", "app"],
      message: isSkipped
        ? `Dependency File[${fileNameOf(own - (own % 50))}] has failures: true`
        : `content of ${fileNameOf(own)} changed, line ${index} of the log`,
      source: `/Stage[main]/App::Part${own % 97}/File[${fileNameOf(own)}]/content`,
    };
  });
  return {
    certname: "large.example",
    puppet_version: "8.10.0",
    report_format: 12,
    configuration_version: "1",
    start_time: at(0),
    end_time: new Date(end).toISOString(),
    producer_timestamp: new Date(end).toISOString(),
    producer: "puppet.example",
    transaction_uuid: "d6d3a5b5-6f0b-4a5d-8a3c-5a2b7c9d1e0f",
    catalog_uuid: null,
    code_id: null,
    job_id: null,
    cached_catalog_status: "not_used",
    environment: "production",
    status: "failed",
    noop: false,
    noop_pending: false,
    corrective_change: false,
    metrics: [],
    logs,
    resources,
  };
}

describeInBrowser("the list of reports", () => {
  beforeAll(startSample);

  it("lists the runs of the time range, newest first, as the query does", async () => {
    const url = await serverOf("sample");
    const { now } = await json<{ now: string }>(`${url}/explorer/api/v1/about`);
    const since = new Date(Date.parse(now) - 86_400_000).toISOString();
    const expected = await rows<{ certname: string }>(
      url,
      `reports[certname]{ producer_timestamp >= "${since}" order by end_time desc, hash }`,
    );
    await using visit = await browse(`${url}/explorer/reports`);
    const grid = visit.page.getByRole("grid", { name: "Reports" });
    expect(await grid.getAttribute("aria-rowcount")).toBe(String(expected.length + 1));
    expect(await visit.text()).toContain(`${expected.length} in the last 24 hours`);
    const shown = await grid.locator("[data-index]").evaluateAll((all) =>
      all
        .map((row) => ({ index: Number((row as HTMLElement).dataset["index"]), text: row.textContent }))
        .filter(({ index }) => index < 10)
        .sort((one, other) => one.index - other.index),
    );
    expect(shown.map(({ index, text }) => text.includes(expected[index]?.certname ?? "?"))).toEqual(
      Array.from({ length: 10 }, () => true),
    );
  });

  it("counts the events of each run", async () => {
    const url = await serverOf("sample");
    const { hash } = await failedReport(url);
    const events = await json<Event[]>(`${url}/pdb/query/v4/reports/${hash}/events`);
    const counts = ["failure", "success", "skipped", "noop"];
    const columns = ["end_time", ...counts.map((status) => `events.${status}`)].join(",");
    const failed = encodeURIComponent('status="failed"');
    await using visit = await browse(`${url}/explorer/reports?last=30d&cols=${columns}&f=${failed}`);
    const cells = visit.page
      .getByRole("row")
      .filter({ has: visit.page.locator(`a[href*="${hash}"]`) })
      .getByRole("gridcell");
    const count = (status: string): string => {
      const found = events.filter((event) => event.status === status).length;
      return found === 0 ? "–" : String(found);
    };
    await expect.poll(async () => (await cells.allInnerTexts()).slice(1)).toEqual(counts.map(count));
  });

  it("is limited by facets and text, which the address keeps, and exports the same rows", async () => {
    const url = await serverOf("sample");
    const failed = await rows<{ certname: string }>(url, 'reports[certname]{ status = "failed" }');
    await using visit = await browse(`${url}/explorer/reports?last=60d`);
    const { page } = visit;
    const grid = page.getByRole("grid", { name: "Reports" });
    await page
      .getByRole("button", { name: /^failed/ })
      .first()
      .click();
    await expect.poll(async () => grid.getAttribute("aria-rowcount")).toBe(String(failed.length + 1));
    expect(new URL(page.url()).searchParams.get("f")).toBe('status="failed"');
    await page.reload();
    await visit.settled();
    expect(await grid.getAttribute("aria-rowcount")).toBe(String(failed.length + 1));
    const some = failed[0]?.certname ?? "";
    await page.getByRole("searchbox", { name: "Certname or version" }).fill(some.slice(0, 12).toUpperCase());
    const both = failed.filter(({ certname }) => certname.startsWith(some.slice(0, 12))).length;
    await expect.poll(async () => grid.getAttribute("aria-rowcount")).toBe(String(both + 1));
    await page.getByRole("button", { name: "Export" }).click();
    const link = await page.getByRole("menuitem", { name: "CSV", exact: true }).getAttribute("href");
    expect(await csvLines(new URL(link ?? "", url).href)).toHaveLength(both);
  });

  it("opens a report by keys", async () => {
    const url = await serverOf("sample");
    await using visit = await browse(`${url}/explorer/reports`);
    const { page } = visit;
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/explorer/reports/*");
    await visit.settled();
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toMatch(/^Report [0-9a-f]{8}$/);
    await page.goBack();
    await visit.settled();
    expect(await page.getByRole("grid", { name: "Reports" }).count()).toBe(1);
  });
});
