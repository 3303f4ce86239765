import { beforeAll, expect, it } from "vitest";
import type { IssueDetail, Issues } from "#storage/issues/issue.ts";
import { browse, describeInBrowser } from "./browser.ts";
import { csvLines, json, rows } from "./rows.ts";
import { serverOf } from "./serve.ts";
import { cellTexts, facetValue, facetValues, rowCount, tableOf } from "./table.ts";
import type { Visit } from "./visit.ts";

const TABLE = "Nodes with the issue";

async function issuesOf(url: string): Promise<Issues> {
  return json(`${url}/explorer/api/v1/issues?last=30d&limit=1000`);
}

/** The number of nodes that still have each issue of the list. */
async function shownNodes(visit: Visit): Promise<number[]> {
  const texts = await visit.page.locator(".issue-item .issue-nodes strong").allInnerTexts();
  return texts.map((text) => Number(text.replaceAll(",", "")));
}

/** Starting takes long where other tests use the processors. */
async function startSample(): Promise<void> {
  await serverOf("sample");
}

describeInBrowser("the page of issues", () => {
  beforeAll(startSample);

  it("lists every failed resource of the latest runs, those on the most nodes first", async () => {
    const url = await serverOf("sample");
    const { issues, total } = await issuesOf(url);
    await using visit = await browse(`${url}/explorer/issues?last=30d`);
    const burning = issues.filter(({ state }) => state !== "resolved");
    expect(burning.length).toBeGreaterThan(0);
    expect(burning.length).toBeLessThan(issues.length);
    expect((await shownNodes(visit)).slice(0, burning.length)).toEqual(
      burning.map(({ still }) => still).sort((one, other) => other - one),
    );
    await visit.page.locator(".resolved-issues summary").click();
    expect(await visit.text()).toContain(`${total} in the last 30 days`);
    const failed = await rows<{ containing_class: string }>(
      url,
      'events[containing_class, count()]{ status = "failure" and latest_report? = true group by containing_class }',
    );
    const classes = await visit.page.locator(".issue-where a").allInnerTexts();
    for (const { containing_class: name } of failed) expect(classes).toContain(name);
  });

  it("is limited by kind, class and text, which the address keeps", async () => {
    const url = await serverOf("sample");
    const { issues } = await issuesOf(url);
    await using visit = await browse(`${url}/explorer/issues?last=30d`);
    const { page } = visit;
    const items = page.locator(".issue-item");
    const ofKind = issues.filter(({ kind }) => kind === "resource");
    expect((await facetValues(page, "Kind"))["resource"]).toBe(ofKind.length);
    await facetValue(page, "Kind", "resource").click();
    await expect.poll(async () => items.count()).toBe(ofKind.length);
    const name = ofKind[0]?.class ?? "";
    await facetValue(page, "Class", name).click();
    const ofClass = ofKind.filter((issue) => issue.class === name);
    await expect.poll(async () => items.count()).toBe(ofClass.length);
    expect(ofClass.length).toBeLessThan(ofKind.length);
    await page.reload();
    await visit.settled();
    expect(await items.count()).toBe(ofClass.length);
    await page.goBack();
    await expect.poll(async () => items.count()).toBe(ofKind.length);
    await page.getByRole("searchbox", { name: "Search message or title" }).fill("no such failure");
    await expect.poll(async () => items.count()).toBe(0);
    expect(await visit.text()).toContain("No issue is like that.");
  });

  it("orders issues by when they were last seen", async () => {
    const url = await serverOf("sample");
    const { issues } = await issuesOf(url);
    await using visit = await browse(`${url}/explorer/issues?last=30d`);
    await visit.page.getByRole("combobox", { name: "Order" }).selectOption("last");
    const times = visit.page.locator(".issue-item .issue-when div:last-child time");
    await expect
      .poll(async () => times.evaluateAll((all) => all.map((one) => (one as HTMLTimeElement).dateTime)))
      .toEqual(
        ["burning", "resolved"].flatMap((which) =>
          issues
            .filter(({ state }) => (state === "resolved") === (which === "resolved"))
            .map(({ last }) => last)
            .sort((one, other) => Date.parse(other) - Date.parse(one)),
        ),
      );
  });

  it("says that nothing failed", async () => {
    const url = await serverOf("empty");
    await using visit = await browse(`${url}/explorer/issues`);
    expect(await visit.text()).toContain("Nothing failed in the last 24 hours.");
  });
});

describeInBrowser("the page of an issue", () => {
  beforeAll(startSample);

  it("shows the nodes, the runs and the messages as they were sent", async () => {
    const url = await serverOf("sample");
    const { issues } = await issuesOf(url);
    const most = issues.toSorted((one, other) => other.nodes - one.nodes)[0];
    const detail = await json<IssueDetail>(`${url}/explorer/api/v1/issues/${most?.id ?? ""}?last=30d`);
    await using visit = await browse(`${url}/explorer/issues?last=30d`);
    const { page } = visit;
    await page.locator(".issue-message").first().focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/explorer/issues/${most?.id ?? ""}?last=30d`);
    const table = tableOf(page, TABLE);
    await table.waitFor();
    await visit.settled();
    expect(await rowCount(table)).toBe(most?.nodes);
    expect((await cellTexts(table, 0)).sort()).toEqual(detail.nodes.map(({ certname }) => certname).sort());
    await page.getByRole("button", { name: "Export" }).click();
    const link = await page.getByRole("menuitem", { name: "CSV", exact: true }).getAttribute("href");
    expect(await csvLines(new URL(link ?? "", url).href)).toHaveLength(detail.nodes.length);
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: `Messages (${detail.messages.length})` }).click();
    const messages = page.locator(".issue-messages tbody tr");
    expect(await messages.count()).toBe(detail.messages.length);
    expect(await messages.first().locator("td").allInnerTexts()).toEqual([
      String(detail.messages[0]?.count),
      detail.messages[0]?.message,
    ]);
    await page.goBack();
    await page.goBack();
    await expect.poll(async () => page.getByRole("heading", { level: 1 }).innerText()).toBe("Issues");
  });

  it("sorts its nodes, which the address keeps, and leads to the run", async () => {
    const url = await serverOf("sample");
    const { issues } = await issuesOf(url);
    const most = issues.toSorted((one, other) => other.nodes - one.nodes)[0];
    await using visit = await browse(`${url}/explorer/issues/${most?.id ?? ""}?last=30d&sort=certname`);
    const table = tableOf(visit.page, TABLE);
    const names = await cellTexts(table, 0);
    expect(names).toEqual([...names].sort());
    await table.focus();
    await visit.page.keyboard.press("ArrowRight");
    await visit.page.keyboard.press("ArrowRight");
    await visit.page.keyboard.press("Enter");
    await visit.page.waitForURL("**/explorer/reports/*");
    await expect.poll(async () => visit.text()).toContain(names[0]);
  });

  it("leads from a failed node to the cause and to all others that have it, with the same numbers", async () => {
    const url = await serverOf("sample");
    const { issues } = await issuesOf(url);
    const most = issues.toSorted((one, other) => other.still - one.still)[0];
    const detail = await json<IssueDetail>(`${url}/explorer/api/v1/issues/${most?.id ?? ""}?last=30d`);
    const certname = detail.nodes.find(({ still }) => still)?.certname ?? "";
    await using visit = await browse(`${url}/explorer/nodes/${certname}?last=30d`);
    const { page } = visit;
    const here = page.getByRole("region", { name: "Issues here" });
    await expect.poll(async () => here.innerText()).toContain(`on ${most?.still ?? 0} nodes now`);
    await here
      .locator(`a[href*="${most?.id ?? ""}"]`)
      .first()
      .click();
    await page.waitForURL(`**/explorer/issues/${most?.id ?? ""}*`);
    const table = tableOf(page, TABLE);
    await table.waitFor();
    await visit.settled();
    expect(await visit.text()).toContain(`still ${most?.still ?? 0} of ${most?.nodes ?? 0} nodes`);
    expect((await cellTexts(table, 1)).filter((text) => text === "yes")).toHaveLength(most?.still ?? 0);
    await page.locator(".report-summary a[href*='/reports/']").first().click();
    await page.waitForURL(`**/explorer/reports/${detail.begin.report}*`);
  });

  it("says that an issue is unknown, and what that may mean", async () => {
    const url = await serverOf("sample");
    await using visit = await browse(`${url}/explorer/issues/v2-000000000000`, { expected: [/404/] });
    expect(await visit.page.getByRole("alert").innerText()).toMatch(/time range|rules/);
  });
});
