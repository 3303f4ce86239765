import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { serve, type Served } from "#test/app/fixture-service.ts";
import { time } from "#test/fixture-store.ts";
import { randomCommands } from "#test/storage/history/random-commands.ts";
import { TimedStore } from "#test/storage/history/timed-store.ts";
import { browse, describeInBrowser } from "./browser.ts";
import { serverOf } from "./serve.ts";
import { cellTexts, rowCount, tableOf } from "./table.ts";
import type { Visit } from "./visit.ts";

/** A node has come after it, which the pages then do not show. */
const MOMENT = "2026-11-20T00:01:30Z";
const END = "2026-11-20T12:00:00Z";

let served: Served;

/** Paths of requests for data that are not as of the moment. */
const ofAnotherTime = (visit: Visit): string[] =>
  visit.requests.filter((path) => new URL(path, served.url).searchParams.get("as_of") === null);

const band = (page: Page) => page.getByRole("region", { name: "Time of what is shown" });

async function menu(visit: Visit, name: string): Promise<void> {
  await visit.page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name, exact: true }).click();
  await visit.settled();
}

async function reports(visit: Visit): Promise<number> {
  return rowCount(tableOf(visit.page, "Reports"));
}

describeInBrowser("pages as of a past time", () => {
  beforeAll(async () => {
    const stored = await TimedStore.open();
    await stored.goOn(randomCommands(1, 200), time(END));
    served = await serve(stored.store, { source: { kind: "data", name: "data" } });
  });
  afterAll(async () => served.close());

  it("show what was there, on all pages, until one goes back to now; by keys alone", async () => {
    await using visit = await browse(`${served.url}/explorer/nodes`);
    const { page } = visit;
    expect(await rowCount(tableOf(page, "Nodes"))).toBe(4);
    await page.getByRole("button", { name: "As of: now", exact: true }).waitFor();
    // What is typed right after the key belongs to the dialog.
    const focused = await page.evaluate(async () => {
      dispatchEvent(new KeyboardEvent("keydown", { key: "a" }));
      // Promises of the handler have run once a later promise has; no frame was drawn meanwhile.
      await Promise.resolve();
      return document.activeElement?.getAttribute("placeholder");
    });
    expect(focused).toBe("2026-11-18 12:00 or 2d");
    await page.keyboard.type("soon");
    await page.keyboard.press("Enter");
    expect(await page.getByRole("alert").innerText()).toBe(
      "Write a time such as 2026-11-18 12:00 or yesterday 12:00, or how long ago: 90m, 2h, 7d, 4w.",
    );
    visit.forget();
    await page.keyboard.press("Control+A");
    await page.keyboard.type(MOMENT);
    await page.keyboard.press("Enter");
    await band(page).waitFor();
    await visit.settled();
    expect(new URL(page.url()).searchParams.get("as_of")).toBe(MOMENT);
    expect(await cellTexts(tableOf(page, "Nodes"), 0)).toStrictEqual(["alpha", "beta"]);
    expect(ofAnotherTime(visit)).toStrictEqual([]);
    expect(await page.getByRole("button", { name: /^(?:Live|Paused)$/ }).count()).toBe(0);

    await menu(visit, "Facts");
    await band(page).waitFor();
    expect(ofAnotherTime(visit)).toStrictEqual([]);
    await page.keyboard.press("x");
    const exported = await page.getByRole("menuitem", { name: "JSON", exact: true }).getAttribute("href");
    expect(new URL(exported ?? "", served.url).searchParams.get("as_of")).toBe("2026-11-20T00:01:30.000Z");
    await page.keyboard.press("Escape");

    await menu(visit, "Nodes");
    const back = band(page).getByRole("button", { name: "Back to now" });
    await back.focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => band(page).count()).toBe(0);
    await visit.settled();
    expect(new URL(page.url()).searchParams.has("as_of")).toBe(false);
    expect(await rowCount(tableOf(page, "Nodes"))).toBe(4);
  });

  it("show the earliest state where the time is before the history, and say so", async () => {
    const visited = `${served.url}/explorer/nodes?as_of=2026-11-19T00:00:00Z`;
    await using visit = await browse(visited);
    expect(await band(visit.page).innerText()).toContain("the earliest that is recorded");
    expect(await cellTexts(tableOf(visit.page, "Nodes"), 0)).toStrictEqual(["alpha"]);
    await visit.page.getByRole("button", { name: "Past" }).click();
    await visit.page.getByRole("option", { name: "6 hours ago" }).click();
    await visit.settled();
    expect(new URL(visit.page.url()).searchParams.get("as_of")).toBe("2026-11-20T06:00:00Z");
    expect(await rowCount(tableOf(visit.page, "Nodes"))).toBe(4);
  });

  it("show the present, and say so, where the time is in the future or nothing is recorded", async () => {
    await using visit = await browse(`${served.url}/explorer/reports?as_of=2027-01-01T00:00:00Z&last=7d`);
    expect(await band(visit.page).innerText()).toMatch(/The present state\s+01 Jan 2027, 00:00 is in the future\./);
    expect(await reports(visit)).toBeGreaterThan(10);
    await using archive = await browse(`${await serverOf("sample")}/explorer/nodes?as_of=${MOMENT}`);
    expect(await band(archive.page).innerText()).toContain("No changes are recorded here");
    expect(await archive.page.getByRole("button", { name: "As of: now", exact: true }).count()).toBe(0);
  });

  it("counts reports up to that time, and the age of everything from it", async () => {
    await using visit = await browse(`${served.url}/explorer/reports?as_of=2026-11-20T01:00:00Z&last=7d`);
    const then = await reports(visit);
    await visit.go(`${served.url}/explorer/reports?last=7d`);
    expect(await reports(visit)).toBeGreaterThan(then);
    expect(then).toBeGreaterThan(0);
  });

  it("run the query of the workbench again, which stays", async () => {
    const query = new URLSearchParams({ lang: "pql", q: "nodes[certname]{}", view: "table" }).toString();
    await using visit = await browse(`${served.url}/explorer/query#${query}`);
    const { page } = visit;
    await expect.poll(() => page.getByText("delta", { exact: true }).count()).toBeGreaterThan(0);
    await page.getByRole("button", { name: "As of: now", exact: true }).click();
    await page.keyboard.type(MOMENT);
    await page.keyboard.press("Enter");
    await expect.poll(() => page.getByText("delta", { exact: true }).count()).toBe(0);
    await expect.poll(() => page.getByText("beta", { exact: true }).count()).toBeGreaterThan(0);
  });

  it.each(["light", "dark"] as const)("have no findings of axe, and fit on narrow windows (%s)", async (theme) => {
    await using visit = await browse(`${served.url}/explorer/?as_of=${MOMENT}`, { theme });
    expect(await visit.accessibilityFindings()).toStrictEqual([]);
    await visit.page.getByRole("button", { name: "Change" }).click();
    await visit.page.getByRole("dialog").waitFor();
    expect(await visit.accessibilityFindings()).toStrictEqual([]);
    await visit.page.keyboard.press("Escape");
    await visit.appear({ theme, width: 320 });
    expect(await visit.overflow()).toMatchObject({ pixels: 0 });
    // Charts are drawn again for the width.
    await expect.poll(() => visit.unreadable()).toStrictEqual([]);
    expect(await visit.unmarkedFocus(12)).toStrictEqual([]);
  });
});
