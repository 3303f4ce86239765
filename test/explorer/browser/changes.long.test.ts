import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { queryPath, serve, type Served } from "#test/app/fixture-service.ts";
import { time } from "#test/fixture-store.ts";
import { randomCommands } from "#test/storage/history/random-commands.ts";
import { TimedStore } from "#test/storage/history/timed-store.ts";
import { browse, describeInBrowser } from "./browser.ts";
import { cellTexts, cellTimes, tableOf } from "./table.ts";

const END = "2026-11-20T03:00:00Z";

let served: Served;

interface Row {
  readonly from: string;
  readonly change: string;
  readonly what: string;
}

/** The changes of a node that its page shows. */
async function changesOf(certname: string): Promise<Row[]> {
  const shown = '!(what = "edge") and !(what = "catalog" and change = "changed")';
  const rows = await Promise.all(
    ["fact", "resource", "package", "catalog"].map(async (kind) => {
      const condition = kind === "catalog" ? ` and ${shown}` : "";
      const query = `${kind}_changes[from, change, what]{ certname = "${certname}"${condition} }`;
      return JSON.parse((await served.get(queryPath("", { query }))).text) as Row[];
    }),
  );
  return rows.flat();
}

/** The times of the nodes of a table, in its order; "" for none. */
async function timesOf(table: Locator, times: ReadonlyMap<string, string>): Promise<string[]> {
  return (await cellTexts(table, 0)).map((certname) => times.get(certname) ?? "");
}

const panel = (page: Page) => page.getByRole("region", { name: "Changes", exact: true });
const lane = (page: Page) => panel(page).getByRole("list", { name: "Runs with changes" }).getByRole("link");

describeInBrowser("the changes of a node", () => {
  beforeAll(async () => {
    const stored = await TimedStore.open();
    await stored.goOn(randomCommands(3, 150), time(END));
    served = await serve(stored.store, { source: { kind: "data", name: "data" } });
  });
  afterAll(async () => served.close());

  it("are all that are recorded, by run, the newest first, each as a line", async () => {
    const expected = await changesOf("beta");
    await using visit = await browse(`${served.url}/explorer/nodes/beta`);
    const { page } = visit;
    const groups = panel(page).locator(".change-group");
    await groups.evaluateAll((all) => all.forEach((each) => ((each as HTMLDetailsElement).open = true)));
    const lines = panel(page).locator(".change-log > li > details > ul > li");
    await expect.poll(() => lines.count()).toBe(expected.length);
    const times = await groups
      .locator("summary time")
      .evaluateAll((all) => all.map((each) => each.getAttribute("datetime") ?? ""));
    expect(times).toStrictEqual([...times].sort().reverse());
    expect(new Set(expected.map(({ from }) => from)).size).toBeGreaterThanOrEqual(times.length);
    const text = await lines.allInnerTexts();
    for (const change of ["added", "removed", "changed"]) {
      const count = expected.filter((row) => row.change === change).length;
      expect({ change, count: await panel(page).locator(`.change-log .change-${change}`).count() }).toStrictEqual({
        change,
        count,
      });
    }
    expect(text.filter((line) => /kernel: "?5\.10"? → "?6\.1"?/.test(line)).length).toBeGreaterThan(0);
  });

  it("are reached from the lane below the runs, by keys too", async () => {
    await using visit = await browse(`${served.url}/explorer/nodes/beta`);
    const { page } = visit;
    const bars = lane(page);
    const count = await bars.count();
    await bars.last().focus();
    await page.keyboard.press("Home");
    const first = await page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
    expect(first).toBe(await bars.first().getAttribute("aria-label"));
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    const opened = panel(page).locator("details[open]");
    await opened.waitFor();
    const changes = Number(/(\d+) changes?$/.exec((await bars.nth(1).getAttribute("aria-label")) ?? "")?.[1]);
    expect(await opened.locator(":scope > ul > li").count()).toBe(changes);
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("SUMMARY");
    expect(count).toBeGreaterThan(5);
    await visit.go(page.url());
    await opened.waitFor();
  });

  it("are only those before the time whose state is shown", async () => {
    await using visit = await browse(`${served.url}/explorer/nodes/beta?as_of=2026-11-20T00:02:00Z`);
    await expect.poll(() => panel(visit.page).locator(".change-group").count()).toBe(1);
    expect(await panel(visit.page).innerText()).toContain("1 other change");
  });

  it("say since when facts and packages are as they are: of the node, and of each node with one of them", async () => {
    const sinceOf = async (entity: string, what: string): Promise<Map<string, string>> => {
      const query = `${entity}[certname, from]{ what = "${what}" and until is null }`;
      const rows = JSON.parse((await served.get(queryPath("", { query }))).text) as {
        certname: string;
        from: string;
      }[];
      return new Map(rows.map(({ certname, from }) => [certname, from]));
    };
    await using visit = await browse(`${served.url}/explorer/fact?path=kernel&tab=nodes`);
    const { page } = visit;
    const kernels = await sinceOf("fact_changes", "kernel");
    expect(kernels.size).toBeGreaterThan(1);
    const facts = tableOf(page, "Nodes with this fact");
    await expect.poll(() => cellTimes(facts, 2)).toStrictEqual(await timesOf(facts, kernels));

    await visit.go(`${served.url}/explorer/package?name=a&tab=nodes`);
    const packages = tableOf(page, "Nodes with the package");
    const installed = await sinceOf("package_changes", "a");
    expect(installed.size).toBeGreaterThan(0);
    await expect.poll(() => cellTimes(packages, 4)).toStrictEqual(await timesOf(packages, installed));

    await visit.go(`${served.url}/explorer/nodes/beta/facts?q=kernel`);
    const mark = page.locator(".fact-since time");
    await mark.waitFor();
    expect(await mark.getAttribute("datetime")).toBe(kernels.get("beta"));
  });

  it.each(["light", "dark"] as const)("have no findings of axe, and fit on narrow windows (%s)", async (theme) => {
    await using visit = await browse(`${served.url}/explorer/nodes/beta`, { theme });
    await panel(visit.page).locator("summary").first().click();
    expect(await visit.accessibilityFindings()).toStrictEqual([]);
    await visit.appear({ theme, width: 320 });
    expect(await visit.overflow()).toMatchObject({ pixels: 0 });
    // Charts and lanes are drawn again for the width.
    await expect.poll(() => visit.unreadable()).toStrictEqual([]);
  });
});
