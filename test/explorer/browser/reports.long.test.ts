import { beforeAll, expect, it } from "vitest";
import { column, rowsOf, textOf } from "./server-rows.ts";
import { browse, describeInBrowser } from "./browser.ts";
import { serverOf } from "./serve.ts";
import { cellTexts, rowCount, tableOf } from "./table.ts";

/** Seconds of a duration as the page writes it: `3 min 49 s`. */
function secondsOf(text: string): number {
  const units: Readonly<Record<string, number>> = { h: 3600, min: 60, s: 1 };
  return [...text.matchAll(/([\d.]+) (h|min|s)\b/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * (units[unit ?? ""] ?? Number.NaN),
    0,
  );
}

/** Starting takes long where other tests use the processors. */
async function startSample(): Promise<void> {
  await serverOf("sample");
}

describeInBrowser("the list of reports", () => {
  beforeAll(startSample);

  it("is sorted by the duration of the runs, and exports them in that order", async () => {
    const url = await serverOf("sample");
    const reports = await rowsOf(url, "reports[hash, certname, start_time, end_time]{}");
    const took = (row: (typeof reports)[number]): number =>
      Date.parse(textOf(row, "end_time")) - Date.parse(textOf(row, "start_time"));
    const expected = reports.toSorted(
      (one, other) => took(other) - took(one) || textOf(one, "hash").localeCompare(textOf(other, "hash")),
    );
    await using visit = await browse(`${url}/explorer/reports?last=30d&cols=certname,duration`);
    const { page } = visit;
    const table = tableOf(page, "Reports");
    const head = table.getByRole("columnheader", { name: "Duration" }).getByRole("button").first();
    await head.click();
    await page.waitForURL(/sort=-duration/);
    await visit.settled();
    expect(await rowCount(table)).toBe(reports.length);
    const names = await cellTexts(table, 0);
    expect(names.length).toBeGreaterThan(10);
    expect(names).toStrictEqual(column(expected.slice(0, names.length), "certname"));
    const shown = (await cellTexts(table, 1)).map(secondsOf);
    expect(shown).toStrictEqual(shown.toSorted((one, other) => other - one));

    await page.getByRole("button", { name: "Export" }).click();
    const link = page.getByRole("menuitem", { name: "JSON", exact: true });
    const exported = (await (
      await fetch(new URL((await link.getAttribute("href")) ?? "", url))
    ).json()) as typeof reports;
    expect(column(exported, "certname")).toStrictEqual(column(expected, "certname"));
    expect(exported[0]).toEqual({
      certname: textOf(expected[0] ?? {}, "certname"),
      duration: took(expected[0] ?? {}) / 1000,
    });
  });

  it("has the chosen columns, also after a reload, and requests events only if it shows them", async () => {
    const url = await serverOf("sample");
    await using visit = await browse(`${url}/explorer/reports?cols=end_time,certname`);
    const { page } = visit;
    const titles = page.locator(".table-head .table-title");
    expect(await titles.allInnerTexts()).toStrictEqual(["End", "Certname"]);
    expect(visit.requests.filter((path) => path.includes("events"))).toStrictEqual([]);
    await page.getByRole("button", { name: "Columns", exact: true }).click();
    await page.getByRole("checkbox", { name: "Failed" }).check();
    await page.getByRole("checkbox", { name: "Certname" }).uncheck();
    await page.getByRole("button", { name: "Done" }).click();
    await visit.settled();
    await page.reload();
    await visit.settled();
    expect(await titles.allInnerTexts()).toStrictEqual(["End", "Failed"]);
    expect(visit.requests.filter((path) => path.includes("events.failure")).length).toBeGreaterThan(0);
    await page.getByRole("button", { name: "Columns", exact: true }).click();
    await page.getByRole("button", { name: "Default columns" }).click();
    expect(new URL(page.url()).searchParams.get("cols")).toBeNull();
  });
});
