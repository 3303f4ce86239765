import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import type { IssueDetail, Issues } from "#storage/issues/issue.ts";
import { browse, describeInBrowser } from "./browser.ts";
import { json, rows } from "./rows.ts";
import { serverOf } from "./serve.ts";
import { cellTexts, facetValue, facetValues, rowCount, tableOf } from "./table.ts";

/** Keys that somebody presses to get somewhere, before they take the mouse. */
const MOST_TABS = 60;

/** Goes to a control with the key Tab. @returns how often it was pressed @throws Error where that does not lead there */
async function tabTo(page: Page, control: Locator): Promise<number> {
  await control.waitFor();
  for (let presses = 1; presses <= MOST_TABS; presses++) {
    await page.keyboard.press("Tab");
    if (await control.evaluate((element) => element === document.activeElement)) return presses;
  }
  throw new Error(`${MOST_TABS} times Tab do not lead to ${control.toString()}`);
}

/** What went wrong on most nodes: what a compiler says between its own words and the place. */
async function commonestCause(url: string): Promise<string> {
  const [first] = (await json<Issues>(`${url}/explorer/api/v1/issues?limit=1`)).issues;
  const cause = /, (?<cause>[^,]+) \(file: /.exec(first?.message ?? "")?.groups?.["cause"];
  if (cause === undefined) throw new Error(`another message than expected: ${first?.message ?? "none"}`);
  return cause;
}

/** What the report in the window says about its failure. */
function explanation(page: Page): Locator {
  return page.getByRole("region", { name: "Why it failed" });
}

describeInBrowser("somebody with an archive", () => {
  beforeAll(async () => {
    await serverOf("sample");
  });

  it("gets from the overview to the cause of a failure in two clicks", async () => {
    const url = await serverOf("sample");
    const cause = await commonestCause(url);
    await using visit = await browse(`${url}/explorer/`);
    const { page } = visit;
    await page.getByRole("region", { name: "Issues" }).getByRole("link").nth(1).click();
    await page.waitForURL("**/explorer/issues/v2-*");
    const table = tableOf(page, "Nodes with the issue");
    const { nodes } = await json<IssueDetail>(`${url}/explorer/api/v1/issues/${page.url().match(/v2-\w+/)?.[0] ?? ""}`);
    await table.waitFor();
    expect(await rowCount(table)).toBe(nodes.length);
    await table.locator("a[href*='/reports/']").first().click();
    await page.waitForURL("**/explorer/reports/*");
    await expect.poll(async () => explanation(page).innerText()).toContain(cause);
  });

  it("gets there with the keyboard alone", async () => {
    const url = await serverOf("sample");
    const cause = await commonestCause(url);
    await using visit = await browse(`${url}/explorer/`);
    const { page } = visit;
    await page.keyboard.press("g");
    await page.keyboard.press("i");
    await page.waitForURL("**/explorer/issues*");
    await visit.settled();
    await tabTo(page, page.locator(".issue-item .issue-message").first());
    await page.keyboard.press("Enter");
    await page.waitForURL("**/explorer/issues/v2-*");
    await visit.settled();
    // The last cell of a row leads to the report.
    await tabTo(page, tableOf(page, "Nodes with the issue"));
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/explorer/reports/*");
    await visit.settled();
    await expect.poll(async () => explanation(page).innerText()).toContain(cause);
  });

  it("finds nodes by any fact, and sends a colleague the address", async () => {
    const url = await serverOf("sample");
    const counts = await rows<{ "facts.virtual": string | null; count: number }>(
      url,
      "inventory[facts.virtual, count()]{ group by facts.virtual }",
    );
    const [most] = counts.toSorted((one, other) => other.count - one.count);
    const value = most?.["facts.virtual"] ?? "";
    await using visit = await browse(`${url}/explorer/nodes`);
    const { page } = visit;
    // With the keyboard: the search for facts, the fact, its commonest value.
    await tabTo(page, page.getByRole("combobox", { name: "Add a fact" }));
    await page.keyboard.type("virtual");
    await page.getByRole("option", { name: /^virtual / }).waitFor();
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await facetValues(page, "virtual"))[value]).toBe(most?.count);
    const button = facetValue(page, "virtual", value);
    await button.focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/f=facts\.virtual/);
    await visit.settled();
    const table = tableOf(page, "Nodes");
    await expect.poll(async () => rowCount(table)).toBe(most?.count);
    const names = await cellTexts(table, 0);

    await using colleague = await browse(page.url());
    expect(await cellTexts(tableOf(colleague.page, "Nodes"), 0)).toStrictEqual(names);
  });

  it("opens the query of the shown rows in the workbench, where it returns the same", async () => {
    const url = await serverOf("sample");
    await using visit = await browse(`${url}/explorer/nodes?f=latest_report_status=failed`);
    const { page } = visit;
    const shown = await rowCount(tableOf(page, "Nodes"));
    await page.keyboard.press(".");
    const queries = page.getByRole("dialog", { name: "Queries of this page" });
    const query = queries.locator(".shown-query", { has: page.getByRole("heading", { name: "Nodes", exact: true }) });
    await query.waitFor();
    const pql = await query.locator("pre").innerText();
    expect(await rows(url, pql)).toHaveLength(shown);
    await query.getByRole("link", { name: "Open in the workbench" }).click();
    await page.waitForURL("**/explorer/query#*");
    await expect.poll(async () => page.locator("main").innerText()).toContain(`${shown} rows`);
  });
});
