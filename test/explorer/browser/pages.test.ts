import { afterAll, beforeAll, expect, it } from "vitest";
import { rowsOf } from "./server-rows.ts";
import { describeInBrowser } from "./browser.ts";
import { focusedElement } from "./in-page.ts";
import { samplePages, type SampleVisit, visitSample } from "./sample-pages.ts";
import type { Visit } from "./visit.ts";

/** Requests for data that a page may send (a search has one for each kind of thing), and how many of them at once. */
const MOST_REQUESTS = 9;
const MOST_AT_ONCE = 6;

let sample: SampleVisit;

describeInBrowser("each page of the sample", () => {
  beforeAll(async () => {
    sample = await visitSample();
  });
  afterAll(async () => sample.visit[Symbol.asyncDispose]());

  it.each(samplePages)(
    "$page opens at its address, with few requests and true queries, and is reached by the keyboard: $path",
    async ({ at }) => {
      const { visit, urls } = sample;
      const { page } = visit;
      visit.forget();
      await visit.go(urls[at] ?? "");
      expect(await page.locator("main h1").innerText()).not.toBe("");
      expect(await visit.alerts()).toStrictEqual([]);
      expect(await page.title()).toMatch(/^.+ · .+$/);
      // That of what the page is as of is always sent.
      const requests = visit.requests.filter((path) => !path.startsWith("/explorer/api/v1/about"));
      expect(requests.slice(MOST_REQUESTS)).toStrictEqual([]);
      expect(visit.mostAtOnce).toBeLessThanOrEqual(MOST_AT_ONCE);

      await page.keyboard.press("Tab");
      expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/skip to/i);
      await page.keyboard.press("Enter");
      expect(await page.evaluate(() => document.activeElement?.id)).toBe("content");
      await page.keyboard.press("Tab");
      const targets = await page.locator("main :is(a[href], button, input, select, [tabindex='0'])").count();
      expect(await page.evaluate(focusedElement)).toStrictEqual({ isInContent: targets > 0, isMarked: true });
      expect(await refusedQueries(visit)).toStrictEqual([]);
      expect(visit.problems).toStrictEqual([]);
    },
  );
});

/** The queries that the page says it is made of and that the server does not accept. */
async function refusedQueries({ page }: Visit): Promise<string[]> {
  await page.keyboard.press(".");
  // The content of the dialog is loaded when it is first opened; the wall and the editor open none.
  const dialog = page.getByRole("dialog");
  if ((await dialog.count()) > 0) await dialog.locator(".shown-query-text, p").first().waitFor();
  const texts = await dialog.locator(".shown-query-text").allInnerTexts();
  await page.keyboard.press("Escape");
  const refused: string[] = [];
  for (const query of texts) {
    await rowsOf(sample.url, query).catch((error: unknown) => refused.push(String(error)));
  }
  return refused;
}
