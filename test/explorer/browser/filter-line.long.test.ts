import { beforeAll, expect, it } from "vitest";
import { countOf } from "./server-rows.ts";
import { browse, describeInBrowser } from "./browser.ts";
import { serverOf } from "./serve.ts";
import { rowCount, tableOf } from "./table.ts";

describeInBrowser("the filter line of nodes", () => {
  beforeAll(async () => {
    await serverOf("sample");
  });

  it("filters by words and by PQL, completes, and says what is wrong", async () => {
    const url = await serverOf("sample");
    await using visit = await browse(`${url}/explorer/nodes`);
    const { page } = visit;
    const table = tableOf(page, "Nodes");
    const line = page.getByRole("combobox", { name: "Filter nodes" });
    await page.keyboard.press("/");
    await page.keyboard.type("crane 00");
    await page.waitForURL(/q=crane\+00/);
    await visit.settled();
    expect(await rowCount(table)).toBe(await countOf(url, 'nodes{ certname ~ "crane" and certname ~ "00" }'));
    await line.fill("latest_report_sta");
    await page.getByRole("option", { name: "latest_report_status field" }).waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.type('= "fa');
    await page.getByRole("option", { name: 'failed" value' }).waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Enter");
    await page.waitForURL((address) => address.searchParams.get("q") === 'latest_report_status = "failed"');
    await visit.settled();
    expect(await line.inputValue()).toBe('latest_report_status = "failed"');
    expect(await rowCount(table)).toBe(await countOf(url, 'nodes{ latest_report_status = "failed" }'));
    await line.fill("certname ~~");
    await page.keyboard.press("Enter");
    await page.locator(".filter-mistake:not(:empty)").waitFor();
    expect(new URL(page.url()).searchParams.get("q")).toBe('latest_report_status = "failed"');
  });

  it("keeps the caret behind what is typed right after a completion", async () => {
    const url = await serverOf("sample");
    await using visit = await browse(`${url}/explorer/nodes`);
    const { page } = visit;
    const line = page.getByRole("combobox", { name: "Filter nodes" });
    await line.fill("latest_report_sta");
    await page.getByRole("option", { name: "latest_report_status field" }).waitFor();
    await line.evaluate(async (field) => {
      field.dispatchEvent(new KeyboardEvent("keydown", { key: "Tab", bubbles: true, cancelable: true }));
      // The page has taken the completion, but no frame has been drawn yet.
      for (let turn = 0; turn < 10; turn++) await Promise.resolve();
      document.execCommand("insertText", false, '= "');
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      document.execCommand("insertText", false, "fa");
    });
    expect(await line.inputValue()).toBe('latest_report_status = "fa');
  });
});
