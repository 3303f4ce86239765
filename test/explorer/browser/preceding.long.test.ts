import { afterAll, beforeAll, expect, it } from "vitest";
import { apiPath } from "#test/app/explorer/api-path.ts";
import { serve, type Served } from "#test/app/fixture-service.ts";
import { a, time } from "#test/fixture-store.ts";
import type { Timed } from "#test/storage/history/random-commands.ts";
import { TimedStore } from "#test/storage/history/timed-store.ts";
import { event, fileResource, reportResource } from "#test/storage/wire/payloads.ts";
import { browse, describeInBrowser } from "./browser.ts";
import { rowCount, tableOf } from "./table.ts";

const [BEFORE, CHANGED, FAILED, END] = [
  "2026-11-20T08:00:00Z",
  "2026-11-20T10:00:00Z",
  "2026-11-20T10:30:00Z",
  "2026-11-20T12:00:00Z",
] as const;

const all = ["web-1", "web-2", "web-3", "web-4", "web-5", "web-6"];
/** They get a package and another mode of a file, and then fail; one of the others gets the package too. */
const failing = new Set(["web-1", "web-2", "web-3"]);
const updated = new Set([...failing, "web-4"]);

function documents(certname: string, at: string, isUpdated: boolean, isFailing: boolean): Timed[] {
  const base = { producer_timestamp: at, environment: "production", producer: "puppet" };
  const resources = [fileResource({ title: "/etc/app", parameters: { mode: isFailing ? "0600" : "0644" } })];
  const values = { kernel: "6.1" };
  const packages = [["app", isUpdated ? "2.0" : "1.0", "apt"]];
  return [
    { at, submission: a.facts(certname, { ...base, values, package_inventory: packages }) },
    { at, submission: a.catalog(certname, { ...base, resources, edges: [] }) },
  ];
}

function report(certname: string, isFailing: boolean): Timed {
  const failed = event({ timestamp: FAILED, status: "failure", message: "app does not start" });
  const resources = isFailing ? [reportResource({ events: [failed] })] : [];
  const status = isFailing ? "failed" : "unchanged";
  return {
    at: FAILED,
    submission: a.report(certname, {
      producer_timestamp: FAILED,
      start_time: FAILED,
      end_time: FAILED,
      status,
      resources,
    }),
  };
}

let served: Served;
let id: string;

describeInBrowser("what changed shortly before an issue", () => {
  beforeAll(async () => {
    const stored = await TimedStore.open();
    await stored.goOn(
      [
        ...all.flatMap((name) => documents(name, BEFORE, false, false)),
        ...all.flatMap((name) => documents(name, CHANGED, updated.has(name), failing.has(name))),
        ...all.map((name) => report(name, failing.has(name))),
      ],
      time(END),
    );
    served = await serve(stored.store, { source: { kind: "data", name: "data" } });
    const { text } = await served.get(apiPath("issues", { last: "24h" }));
    const { issues } = JSON.parse(text) as { issues: { id: string; nodes: number }[] };
    id = issues.find(({ nodes }) => nodes === failing.size)?.id ?? "";
  });
  afterAll(async () => served.close());

  it("is what its nodes share and others lack, scored, from the endpoint", async () => {
    const { text } = await served.get(apiPath(`issues/${id}/preceding`, { last: "24h", within: "1h" }));
    expect(JSON.parse(text)).toEqual({
      revision: expect.any(Number) as number,
      selected: 3,
      rest: 3,
      from: "2026-11-20T09:30:00.000Z",
      to: "2026-11-20T10:30:00.000Z",
      total: 2,
      changes: [
        {
          kind: "resource",
          path: ["File", "/etc/app"],
          change: "changed",
          after: null,
          selected: 3,
          rest: 0,
          score: 1,
        },
        {
          kind: "package",
          path: ["app", "apt"],
          change: "changed",
          after: ["2.0"],
          selected: 3,
          rest: 1,
          score: 1 - 1 / 3,
        },
      ],
    });
    const shorter = await served.get(apiPath(`issues/${id}/preceding`, { last: "24h", within: "20m" }));
    expect(JSON.parse(shorter.text)).toMatchObject({ total: 0, changes: [] });
  });

  it.each([
    [{ within: "1y" }, 400, "parameter 'within' is a number of minutes, hours, days or weeks"],
    [{ limit: "0" }, 400, "parameter 'limit'"],
    [{ last: "1m" }, 404, "no report in the time range has issue"],
  ])("is refused for %j", async (parameters, status, message) => {
    const answer = await served.get(apiPath(`issues/${id}/preceding`, parameters));
    expect(answer).toMatchObject({ status, text: expect.stringContaining(message) as string });
  });

  it("leads from the page of the issue to the nodes with a change", async () => {
    await using visit = await browse(`${served.url}/explorer/issues/${id}`);
    const { page } = visit;
    await page.getByRole("link", { name: "What changed before" }).press("Enter");
    const panel = page.getByRole("region", { name: "What changed shortly before?" });
    await panel.getByRole("row").nth(2).waitFor();
    expect(
      (await panel.locator("tbody tr").allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " ").trim()),
    ).toEqual(["resource File[/etc/app] changed 3 100 % 0 0 %", "package app (apt) → 2.0 3 100 % 1 33 %"]);
    expect(await visit.accessibilityFindings()).toStrictEqual([]);
    await panel.getByRole("link", { name: "File[/etc/app]" }).press("Enter");
    await page.getByRole("heading", { name: "Nodes" }).first().waitFor();
    await visit.settled();
    expect(await rowCount(tableOf(page, "Nodes"))).toBe(3);
    await page.goBack();
    await panel.waitFor();
    await visit.appear({ theme: "dark", width: 320 });
    await visit.settled();
    expect(await visit.overflow()).toMatchObject({ pixels: 0 });
    // Charts and lanes are drawn again for the width.
    await expect.poll(() => visit.unreadable()).toStrictEqual([]);
    expect(await visit.accessibilityFindings()).toStrictEqual([]);
  });
});
