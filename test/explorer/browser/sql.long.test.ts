import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { browse, describeInBrowser } from "./browser.ts";
import { rowsOf } from "./server-rows.ts";
import { serverOf } from "./serve.ts";
import { cellTexts, rowCount, tableOf } from "./table.ts";

function workbench(url: string, query: string): string {
  return `${url}/explorer/query#${new URLSearchParams({ lang: "sql", q: query }).toString()}`;
}

function editor(page: Page): Locator {
  return page.locator(".cm-content");
}

async function suggested(page: Page, text: string): Promise<void> {
  const suggestion = page.locator(".cm-tooltip-autocomplete").getByText(text, { exact: true });
  await suggestion.waitFor();
  // The editor ignores keys that choose a suggestion within 75 ms after it appeared.
  await page.waitForTimeout(150);
}

const failed = "SELECT certname FROM nodes WHERE latest_report_status = 'failed' ORDER BY certname";
const states = "SELECT latest_report_status AS status, count(*) AS nodes FROM nodes GROUP BY ALL ORDER BY nodes DESC";

describeInBrowser("SQL in the workbench", () => {
  it("runs the statement of its address, with the rows that PQL has, as table, JSON and chart", async () => {
    const url = await serverOf("sample");
    await using visit = await browse(workbench(url, failed));
    const { page } = visit;
    const expected = await rowsOf(url, 'nodes[certname]{ latest_report_status = "failed" order by certname }');
    expect(await rowCount(tableOf(page, "Result"))).toBe(expected.length);
    expect(await cellTexts(tableOf(page, "Result"), 0)).toEqual(expected.map(({ certname }) => certname));
    await visit.go(workbench(url, states));
    await page.getByRole("group", { name: "View" }).getByRole("button", { name: "JSON" }).click();
    expect(JSON.parse(await page.locator(".query-json").innerText())).toContainEqual({
      status: "failed",
      nodes: expected.length,
    });
    await page.getByRole("group", { name: "View" }).getByRole("button", { name: "Chart" }).click();
    await page.locator(".query-result figure, .query-result svg").first().waitFor();
    await page.reload();
    await visit.settled();
    expect(await editor(page).innerText()).toBe(states);
  });

  it("completes views and columns, keeps its text beside PQL, remembers, and shows what the server refuses", async () => {
    const url = await serverOf("sample");
    await using visit = await browse(`${url}/explorer/query`, {
      expected: [/console: Failed to load resource: .*400/],
    });
    const { page } = visit;
    const languages = page.getByRole("group", { name: "Language" });
    await languages.getByRole("button", { name: "SQL" }).click();
    await editor(page).click();
    await page.keyboard.type("SELECT certname FROM environm");
    await suggested(page, "environments");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Control+A");
    await page.keyboard.type("SELECT n.latest_report_st FROM nodes AS n");
    for (let step = 0; step < " FROM nodes AS n".length; step++) await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Control+Space");
    await suggested(page, "latest_report_status");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+Enter");
    await visit.settled();
    expect(await editor(page).innerText()).toBe("SELECT n.latest_report_status FROM nodes AS n");
    const [{ count = 0 } = {}] = await rowsOf(url, "nodes[count()]{}");
    expect(await rowCount(tableOf(page, "Result"))).toBe(count);

    await page.keyboard.press("Control+A");
    await page.keyboard.type("SELECT * FROM read_text('/etc/passwd')");
    await page.keyboard.press("Control+Enter");
    await page.locator(".query-result [role=alert]").waitFor();
    expect(await page.locator(".query-result [role=alert]").innerText()).toContain("not files or the engine");

    await languages.getByRole("button", { name: "PQL" }).click();
    await expect.poll(() => editor(page).innerText()).not.toContain("SELECT");
    await page.getByRole("button", { name: "History", exact: true }).click();
    await page.getByRole("button", { name: /^SELECT n\.latest_report_status/ }).click();
    await visit.settled();
    expect(new URLSearchParams(new URL(page.url()).hash.slice(1)).get("lang")).toBe("sql");
  });

  it("shows the first 5,000 rows of a long result, and sorts these", async () => {
    const url = await serverOf("sample");
    await using visit = await browse(workbench(url, "SELECT range AS n FROM range(1000000)"));
    const { page } = visit;
    const table = tableOf(page, "Result");
    expect(await rowCount(table)).toBe(5000);
    expect(await page.locator(".query-figures").innerText()).toMatch(/^first 5,000 of more rows; an export has all · /);
    await page.getByRole("button", { name: "Export", exact: true }).click();
    const link = await page.getByRole("menuitem", { name: "NDJSON" }).getAttribute("href");
    const lines = (await (await fetch(new URL(link ?? "", url))).text()).trimEnd().split("\n");
    expect([lines.length, lines.at(-1)]).toEqual([1_000_000, '{"n":999999}']);
    await page.keyboard.press("Escape");
    await table.getByRole("columnheader", { name: "n" }).getByRole("button").first().click();
    await expect.poll(async () => (await cellTexts(table, 0))[0]).toBe("4999");
  });

  it("is not offered where it is off", async () => {
    const url = await serverOf("empty");
    await using visit = await browse(`${url}/explorer/query`);
    const languages = visit.page.getByRole("group", { name: "Language" });
    expect(await languages.getByRole("button").allInnerTexts()).toEqual(["PQL", "AST"]);
  });

  it.each(["light", "dark"] as const)("breaks no rule of accessibility in the %s theme", async (theme) => {
    const url = await serverOf("sample");
    await using visit = await browse(workbench(url, states), { theme });
    await visit.settled();
    expect(await visit.accessibilityFindings()).toEqual([]);
    expect(await visit.overflow()).toMatchObject({ pixels: 0 });
  });

  it("shows hostile values as texts", async () => {
    const url = await serverOf("hostile");
    await using visit = await browse(workbench(url, "SELECT certname, name, value FROM facts LIMIT 200"));
    for (const view of ["Table", "JSON", "Chart"]) {
      await visit.page.getByRole("group", { name: "View" }).getByRole("button", { name: view }).click();
      await visit.settled();
    }
    expect(visit.problems).toEqual([]);
  });
});
