import { expect, it } from "vitest";
import { SAMPLE, census } from "#test/cli/census.ts";
import { browse, describeInBrowser } from "./browser.ts";
import { rows } from "./rows.ts";
import { serverOf } from "./serve.ts";

describeInBrowser("the runs of nodes", () => {
  it("begin with the nodes that census reports --flapping lists", async () => {
    const listed = await census(["reports", "--flapping", "--since", "7d", "--output", "json", "--archive", SAMPLE]);
    const expected = (JSON.parse(listed.stdout) as Record<string, unknown>[]).map(
      ({ certname, changes, failed, runs }) => [certname, String(changes), String(failed), String(runs)],
    );
    await using visit = await browse(`${await serverOf("sample")}/explorer/runs?last=7d`);
    const { page } = visit;
    const shown = await page
      .locator(".heat-map tbody tr")
      .evaluateAll((all) =>
        all.map((row) => [
          row.querySelector("bdi")?.textContent ?? row.textContent,
          ...[...row.querySelectorAll(".heat-number")].map(({ textContent }) => textContent),
        ]),
      );
    expect(expected.length).toBeGreaterThan(2);
    expect(shown.slice(0, expected.length + 2)).toStrictEqual([["Flapping"], ...expected, ["Others"]]);
  });

  it("lead to the reports by the keyboard, and read each cell", async () => {
    const url = await serverOf("sample");
    await using visit = await browse(`${url}/explorer/reports?last=7d`);
    const { page } = visit;
    await page.getByRole("link", { name: "Runs by node" }).click();
    await visit.settled();
    expect(new URL(page.url()).search).toBe("?last=7d");
    const cell = page.locator(".heat-map [data-cell][tabindex='0']");
    expect(await cell.count()).toBe(1);
    await cell.focus();
    await page.keyboard.press("ArrowLeft");
    const focused = page.locator(".heat-map [data-cell]:focus");
    const text = (await focused.getAttribute("aria-label")) ?? "";
    expect(text).toMatch(/^[a-z ]+, \d+ runs?, \d\d \w{3} 2026, \d\d:\d\d to \d\d:\d\d$/);
    expect(await page.locator(".heat-reading").innerText()).toContain(text);
    await page.keyboard.press("Enter");
    await visit.settled();
    const hash = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    const [report] = await rows<{ status: string }>(url, `reports[status]{ hash = "${hash}" }`);
    expect(text.startsWith(report?.status ?? "none")).toBe(true);
  });

  it("are those of any node whose name is searched for", async () => {
    const url = await serverOf("sample");
    const [healthy] = await rows<{ certname: string }>(
      url,
      'reports[certname]{ !(certname in reports[certname]{ status = "failed" }) order by producer_timestamp desc limit 1 }',
    );
    await using visit = await browse(`${url}/explorer/runs?last=7d`);
    const { page } = visit;
    const names = page.locator(".heat-map bdi");
    expect(await names.allInnerTexts()).not.toContain(healthy?.certname);
    await page.getByRole("searchbox", { name: "Certname" }).fill(healthy?.certname ?? "");
    await expect.poll(() => names.allInnerTexts()).toStrictEqual([healthy?.certname]);
  });
});
