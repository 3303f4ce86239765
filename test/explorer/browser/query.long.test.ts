import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { column, rowsOf } from "./server-rows.ts";
import { browse, describeInBrowser } from "./browser.ts";
import { csvLines } from "./rows.ts";
import { serverOf } from "./serve.ts";
import { cellTexts, rowCount, tableOf } from "./table.ts";

/** The address of the workbench with a query. */
function workbench(url: string, query: string, more: Readonly<Record<string, string>> = {}): string {
  return `${url}/explorer/query#${new URLSearchParams({ lang: "pql", q: query, view: "table", ...more }).toString()}`;
}

function editor(page: Page): Locator {
  return page.locator(".cm-content");
}

/** Replaces what is written, as a person would. */
async function write(page: Page, text: string): Promise<void> {
  await editor(page).click();
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Delete");
  await page.keyboard.type(text);
}

/** Waits for a suggestion. Values that arrive after the typing are requested with Ctrl-Space. */
async function suggested(page: Page, text: string): Promise<void> {
  const suggestion = page.locator(".cm-tooltip-autocomplete").getByText(text, { exact: true });
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const isShown = await suggestion.waitFor({ timeout: 2000 }).then(
      () => true,
      () => false,
    );
    if (isShown) {
      // The editor ignores keys that choose a suggestion within 75 ms after it appeared: nobody has read it by then.
      await page.waitForTimeout(150);
      if (await suggestion.isVisible()) return;
    }
    await page.keyboard.press("Control+Space");
  }
  throw new Error(`${text} is not suggested`);
}

function figures(page: Page): Locator {
  return page.locator(".query-figures");
}

/** A check of a query while it is written is refused: browsers say so on the console. */
const refusals = [/console: Failed to load resource: .*400/];

const failed = 'nodes[certname, latest_report_status]{ latest_report_status = "failed" order by certname }';

describeInBrowser("the workbench", () => {
  it("runs the query of its address, and shows the rows that the server has", async () => {
    const url = await serverOf("sample");
    await using visit = await browse(workbench(url, failed));
    const expected = await rowsOf(url, failed);
    const table = tableOf(visit.page, "Result");
    expect(await rowCount(table)).toBe(expected.length);
    expect(await cellTexts(table, 0)).toEqual(column(expected, "certname"));
    expect(await figures(visit.page).innerText()).toMatch(new RegExp(`^${expected.length} rows · [\\d,]+ ms · .* B$`));
    expect(await visit.page.title()).toMatch(/^Query/);
  });

  it("opens with the query of a URL of the query interface", async () => {
    const url = await serverOf("sample");
    const query = ["=", "latest_report_status", "failed"];
    const parameters = new URLSearchParams({ query: JSON.stringify(query), order_by: '[{"field":"certname"}]' });
    await using visit = await browse(`${url}/pdb/query/v4/nodes?${parameters.toString()}`);
    const expected = await rowsOf(url, failed);
    expect(JSON.parse(await editor(visit.page).innerText())).toEqual([
      "from",
      "nodes",
      query,
      ["order_by", [["certname", "asc"]]],
    ]);
    const table = tableOf(visit.page, "Result");
    expect(await cellTexts(table, 0)).toEqual(column(expected, "certname"));
  });

  it("completes names and values, runs by Ctrl-Enter, and returns to earlier queries, with the keyboard alone", async () => {
    const url = await serverOf("sample");
    await using visit = await browse(workbench(url, failed), { expected: refusals });
    const { page } = visit;
    await page.keyboard.press("g");
    await page.keyboard.press("q");
    await page.locator(".cm-content:focus").or(editor(page)).focus();
    await page.keyboard.press("Control+A");
    await page.keyboard.type("facts[certname]{ na");
    await suggested(page, "name");
    await page.keyboard.press("Tab");
    await page.keyboard.type(' = "kernelre');
    await suggested(page, "kernelrelease");
    await page.keyboard.press("Enter");
    await page.keyboard.press("End");
    await page.keyboard.press("Control+Enter");
    await visit.settled();
    const query = 'facts[certname]{ name = "kernelrelease"}';
    expect(await editor(page).innerText()).toBe(query);
    expect(new URLSearchParams(new URL(page.url()).hash.slice(1)).get("q")).toBe(query);
    const expected = await rowsOf(url, query);
    expect(await rowCount(tableOf(page, "Result"))).toBe(expected.length);
    await page.reload();
    await visit.settled();
    expect(await editor(page).innerText()).toBe(query);
    expect(await rowCount(tableOf(page, "Result"))).toBe(expected.length);
    await page.goBack();
    await visit.settled();
    expect(await editor(page).innerText()).toBe(failed);
    expect(await rowCount(tableOf(page, "Result"))).toBe((await rowsOf(url, failed)).length);
  });

  it("underlines what is wrong, and says what to write instead", async () => {
    const url = await serverOf("sample");
    await using visit = await browse(`${url}/explorer/query`, { expected: refusals });
    const { page } = visit;
    await write(page, 'nodes[certname]{ latest_report_status == "failed" }');
    await page.locator(".cm-lintRange-error").waitFor();
    expect(await page.locator(".query-problem").innerText()).toMatch(/^Line 1, column 40: .*single =/);
    await write(page, "nodes[certnam]{ }");
    await page.locator(".cm-lintRange-error", { hasText: "certnam" }).waitFor();
    expect(await page.locator(".query-problem").innerText()).toBe(
      "Can't extract unknown 'nodes' field 'certnam'. Did you mean certname?",
    );
    const style = await page
      .locator(".cm-lintRange-error")
      .evaluate((mark) => [getComputedStyle(mark).textDecorationStyle, getComputedStyle(mark).backgroundImage]);
    expect(style).toEqual(["wavy", "none"]);
    await page.keyboard.press("Control+Enter");
    await page.locator(".query-result [role=alert]").waitFor();
    expect(await page.locator(".query-result [role=alert]").innerText()).toContain("Acceptable fields are");
  });

  it("translates PQL to AST, which gives the same rows", async () => {
    const url = await serverOf("sample");
    await using visit = await browse(workbench(url, failed));
    const { page } = visit;
    const before = await cellTexts(tableOf(page, "Result"), 0);
    await page.getByRole("group", { name: "Language" }).getByRole("button", { name: "AST" }).click();
    await expect.poll(async () => editor(page).innerText()).toMatch(/^\[/);
    const ast = JSON.parse(await editor(page).innerText()) as unknown[];
    expect(ast.slice(0, 2)).toEqual(["from", "nodes"]);
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await visit.settled();
    expect(new URLSearchParams(new URL(page.url()).hash.slice(1)).get("lang")).toBe("ast");
    expect(await cellTexts(tableOf(page, "Result"), 0)).toEqual(before);
    await page.getByRole("group", { name: "Language" }).getByRole("button", { name: "PQL" }).click();
    await expect.poll(async () => editor(page).innerText()).toBe(failed);
  });

  it("shows a result as JSON and as a chart, sorted as it is chosen", async () => {
    const url = await serverOf("sample");
    const query = "resources[type, count()]{ group by type }";
    const expected = await rowsOf(url, query);
    await using visit = await browse(workbench(url, query, { view: "json" }));
    const { page } = visit;
    expect(JSON.parse(await page.getByRole("region", { name: "Result as JSON" }).innerText())).toEqual(expected);
    await page.getByRole("button", { name: "Chart", exact: true }).click();
    const bars = page.getByRole("table", { name: "count by type" });
    const shown = await bars
      .locator("tbody tr")
      .evaluateAll((rows) =>
        rows.map((row) => [
          row.querySelector("th")?.textContent,
          Number(row.querySelector("td")?.textContent?.replaceAll(",", "")),
        ]),
      );
    const counts = expected.map(({ type, count }) => [type, count] as [string, number]);
    expect(new Map(shown as [string, number][])).toEqual(new Map(counts));
    expect(shown.map(([, count]) => count)).toEqual(counts.map(([, count]) => count).sort((a, b) => b - a));
    await page.getByRole("button", { name: "Table", exact: true }).click();
    const table = tableOf(page, "Result");
    await table.getByRole("columnheader", { name: "count" }).getByText("count").click();
    await visit.settled();
    const sorted = (await cellTexts(table, 1)).map(Number);
    // Of numbers, the largest come first.
    expect(sorted).toEqual([...sorted].sort((a, b) => b - a));
    expect(new URLSearchParams(new URL(page.url()).hash.slice(1)).get("sort")).toBe("-count");
  });

  it("leads from a result to the page of a node, and back to the result", async () => {
    const url = await serverOf("sample");
    await using visit = await browse(workbench(url, failed));
    const { page } = visit;
    const table = tableOf(page, "Result");
    const [first = ""] = await cellTexts(table, 0);
    await table.focus();
    await page.keyboard.press("Enter");
    await page.waitForURL((address) => address.pathname === `/explorer/nodes/${first}`);
    await visit.settled();
    await page.goBack();
    await visit.settled();
    expect((await cellTexts(table, 0))[0]).toBe(first);
    expect(await editor(page).innerText()).toBe(failed);
  });

  it("shows 5,000 rows of a longer result, has the server sort it, and exports all", async () => {
    const url = await serverOf("thousand");
    const query = "facts[certname, name]{}";
    await using visit = await browse(workbench(url, query));
    const { page } = visit;
    const [{ count } = { count: 0 }] = await rowsOf(url, "facts[count()]{}");
    const total = Number(count).toLocaleString("en");
    await page.locator(".query-figures", { hasText: `first 5,000 of ${total} rows` }).waitFor();
    const table = tableOf(page, "Result");
    expect(await rowCount(table)).toBe(5000);
    await table.getByRole("columnheader", { name: "certname" }).getByText("certname").click();
    await visit.settled();
    const [first] = await rowsOf(url, "facts[certname, name]{ order by certname limit 1 }");
    expect((await cellTexts(table, 0))[0]).toBe(first?.["certname"]);
    await page.getByRole("button", { name: "Export", exact: true }).click();
    const link = await page.getByRole("menuitem", { name: "CSV", exact: true }).getAttribute("href");
    expect(await csvLines(`${url}${link ?? ""}`)).toHaveLength(Number(count));
  });

  it("stops a query by Esc, and says so", async () => {
    const url = await serverOf("sample");
    await using visit = await browse(`${url}/explorer/query`);
    const { page } = visit;
    await page.route("**/pdb/query/v4?*limit=5001*", async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 20_000));
      await route.continue().catch(() => undefined);
    });
    await write(page, "nodes{}");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("button", { name: "Cancel" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Cancel" }).waitFor({ state: "detached", timeout: 10_000 });
    expect(await page.locator("[role=status]").allInnerTexts()).toContain("Cancelled");
  });

  it("keeps several queries apart, and remembers what was run unless that is switched off", async () => {
    const url = await serverOf("sample");
    await using visit = await browse(workbench(url, failed));
    const { page } = visit;
    await page.getByRole("button", { name: "Examples" }).click();
    await page.getByRole("button", { name: /^Resources by type/ }).click();
    await visit.settled();
    expect(await page.locator(".query-tab").count()).toBe(2);
    expect(await editor(page).innerText()).toBe("resources[type, count()]{ group by type }");
    await page.getByRole("button", { name: failed.slice(0, 80), exact: true }).click();
    expect(await editor(page).innerText()).toBe(failed);
    expect(await rowCount(tableOf(page, "Result"))).toBe((await rowsOf(url, failed)).length);
    await page.getByRole("button", { name: /^Close resources/ }).click();
    expect(await page.locator(".query-tab").count()).toBe(1);
    await page.getByRole("button", { name: "History" }).click();
    const past = page.locator(".past-queries .query-item code");
    expect(await past.allInnerTexts()).toEqual(["resources[type, count()]{ group by type }", failed]);
    await page.getByRole("checkbox", { name: /^Remember/ }).uncheck();
    expect(await past.count()).toBe(0);
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await visit.settled();
    expect(await page.evaluate(() => localStorage.getItem("census.query-history"))).toBe('"off"');
  });

  it("inserts fields, formats, and shows AST and plan", async () => {
    const url = await serverOf("sample");
    await using visit = await browse(`${url}/explorer/query`, { expected: refusals });
    const { page } = visit;
    await write(page, "nodes[] { }");
    for (let step = 0; step < 5; step++) await page.keyboard.press("ArrowLeft");
    await page.getByRole("button", { name: "Fields" }).click();
    await page.getByRole("searchbox", { name: "Filter entities and fields" }).fill("certname");
    await page.locator("details", { hasText: "insert nodes" }).getByRole("button", { name: "certname" }).click();
    expect(await editor(page).innerText()).toBe("nodes[certname] { }");
    await page.getByRole("button", { name: "Format" }).click();
    // The editor gets the text after the page was drawn again.
    await expect.poll(async () => editor(page).innerText()).toBe("nodes[certname]{}");
    await page.getByRole("button", { name: "AST" }).last().click();
    expect(JSON.parse(await page.locator(".query-side pre").innerText())).toEqual([
      "from",
      "nodes",
      ["extract", ["certname"]],
    ]);
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await visit.settled();
    await page.getByRole("button", { name: "Explain" }).click();
    await page.locator(".plan tbody tr").first().waitFor();
  });

  it("breaks no rule of WCAG 2.2 A and AA with a result, in any view, in both themes", async () => {
    const url = await serverOf("sample");
    const query = "resources[type, count()]{ group by type }";
    await using visit = await browse(workbench(url, query), { width: 320 });
    expect(await visit.overflow()).toMatchObject({ pixels: 0 });
    await visit.appear({});
    for (const [view, side] of [
      ["Table", "Examples"],
      ["JSON", "Fields"],
      ["Chart", "History"],
    ] as const) {
      await visit.page.getByRole("button", { name: view, exact: true }).click();
      await visit.page.getByRole("button", { name: side }).click();
      for (const theme of ["light", "dark"] as const) {
        await visit.appear({ theme });
        expect(await visit.accessibilityFindings()).toEqual([]);
      }
    }
  });

  it.each(["facts{}", "resources{}", "events{}", "fact_contents[path, value, count()]{ group by path, value }"])(
    "shows hostile values of %s as texts, in every view",
    async (query) => {
      const url = await serverOf("hostile");
      await using visit = await browse(workbench(url, query));
      for (const view of ["JSON", "Chart", "Table"]) {
        await visit.page.getByRole("button", { name: view, exact: true }).click();
        await visit.settled();
      }
      expect(await rowCount(tableOf(visit.page, "Result"))).toBeGreaterThan(0);
      await tableOf(visit.page, "Result").focus();
      await visit.page.keyboard.press("End");
      await visit.settled();
    },
  );
});
