import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { workFolder } from "#test/cli/census.ts";
import { a, type TextSubmission } from "#test/fixture-store.ts";
import type { Running } from "#test/running.ts";
import { browse, describeInBrowser } from "./browser.ts";
import { serveFolder } from "./serve.ts";
import { cellTexts, rowCount, tableOf } from "./table.ts";
import type { Visit } from "./visit.ts";

let server: Running;
let seconds = 0;

async function send({ command, version, certname, payload }: TextSubmission): Promise<void> {
  const parameters = new URLSearchParams({ command, version: String(version), certname });
  const response = await fetch(`${server.url}/pdb/cmd/v1?${parameters.toString()}&secondsToWaitForCompletion=20`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: payload,
  });
  expect(await response.json()).toMatchObject({ processed: true });
}

/** Stores a report of this moment; each is newer than those before. */
async function run(certname: string): Promise<void> {
  const time = new Date(Date.now() - 600_000 + 1000 * seconds++).toISOString();
  await send(a.report(certname, { producer_timestamp: time, start_time: time, end_time: time }));
}

/** The button that shows what is new. */
const newData = (page: Page) => page.getByRole("button", { name: /^Show .*new/ });

/** Addresses of requests for rows or counts, without those of what the page is as of. */
const dataRequests = (visit: Visit): string[] => visit.requests.filter((path) => !/\/(?:about|changes)\b/.test(path));

/** Once the page follows the store. */
async function browseLive(path: string): Promise<Visit> {
  const visit = await browse(`${server.url}/explorer/${path}`);
  await visit.page.mouse.move(0, 0);
  await expect
    .poll(() => visit.page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name)))
    .toContainEqual(expect.stringContaining("/follow-"));
  return visit;
}

describeInBrowser("a page that follows the store", () => {
  beforeAll(async () => {
    server = await serveFolder(join(workFolder(), "data"));
    for (let node = 0; node < 60; node++) await run(`node-${String(node).padStart(2, "0")}.example`);
    await send(a.facts("node-00.example", { values: { kernel: "Linux" } }));
  });
  afterAll(async () => server.stop());

  it("shows what was stored, in the order that was chosen, and dims nothing", async () => {
    await using visit = await browseLive("reports?sort=producer_timestamp");
    const table = tableOf(visit.page, "Reports");
    const [before, count] = [await cellTexts(table, 2), await rowCount(table)];
    await run("node-new.example");
    await expect.poll(async () => rowCount(table)).toBe(count + 1);
    expect(await cellTexts(table, 2)).toStrictEqual(before);
    expect(await visit.page.locator(".dimmed").count()).toBe(0);
    expect(await newData(visit.page).count()).toBe(0);
  });

  it("does not request what has not changed", async () => {
    await using visit = await browseLive("fact?path=kernel");
    await visit.settled();
    visit.forget();
    const about = visit.requests.length;
    await run("node-01.example");
    await expect.poll(() => visit.requests.length).toBeGreaterThan(about);
    await visit.page.waitForTimeout(1000);
    expect(dataRequests(visit).filter((path) => path.includes("fact_contents"))).toStrictEqual([]);
  });

  it("moves no rows under the mouse or of a scrolled table, but says what is new", async () => {
    await using visit = await browseLive("reports");
    const { page } = visit;
    const table = tableOf(page, "Reports");
    const before = await cellTexts(table, 2);
    await table.locator(".table-body [role=row]").nth(3).hover();
    await run("node-02.example");
    await run("node-03.example");
    await expect.poll(async () => newData(page).allInnerTexts()).toStrictEqual(["2 new reports"]);
    expect(await cellTexts(table, 2)).toStrictEqual(before);
    await page.mouse.move(0, 0);
    await expect.poll(async () => newData(page).count()).toBe(0);
    await expect.poll(async () => (await cellTexts(table, 2))[0]).toBe("node-03.example");

    await table.evaluate((grid) => scrollTo(0, scrollY + grid.getBoundingClientRect().top + 200));
    const top = await page.evaluate("scrollY");
    await run("node-04.example");
    await expect.poll(async () => newData(page).allInnerTexts()).toStrictEqual(["1 new report"]);
    expect(await page.evaluate("scrollY")).toBe(top);
    await newData(page).click();
    await expect.poll(async () => newData(page).count()).toBe(0);
  });

  it("waits while it is paused, which the address and the browser remember", async () => {
    await using visit = await browseLive("reports");
    const { page } = visit;
    const count = await rowCount(tableOf(page, "Reports"));
    const button = page.getByRole("button", { name: /^(?:Live|Paused)$/ });
    expect(await button.innerText()).toBe("Live");
    await button.click();
    expect(await button.innerText()).toBe("Paused");
    expect(new URL(page.url()).searchParams.get("live")).toBe("off");
    await visit.go(`${server.url}/explorer/reports`);
    expect(await button.innerText()).toBe("Paused");
    await run("node-05.example");
    await expect.poll(async () => newData(page).count()).toBe(1);
    expect(await rowCount(tableOf(page, "Reports"))).toBe(count);
    await button.click();
    await page.mouse.move(0, 0);
    await expect.poll(async () => rowCount(tableOf(page, "Reports"))).toBe(count + 1);
    expect(new URL(page.url()).searchParams.get("live")).toBe("on");
  });

  it("requests data at a bounded rate while many commands are stored", async () => {
    await using visit = await browseLive("reports");
    visit.forget();
    const began = Date.now();
    for (let sent = 0; Date.now() - began < 5000; sent++) await run(`node-${10 + (sent % 40)}.example`);
    await visit.settled();
    const rounds = visit.requests.filter((path) => path.startsWith("/explorer/api/v1/about")).length;
    expect(rounds).toBeGreaterThan(0);
    // One in two seconds, and those that are polled anyway.
    expect(rounds).toBeLessThanOrEqual((Date.now() - began) / 2000 + 3);
  });
});
