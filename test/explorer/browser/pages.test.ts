import { beforeAll, expect, it } from "vitest";
import { type PageKey, paths } from "#app/explorer/pages/address/pages.ts";
import { rowsOf } from "./ask.ts";
import { browse, describeInBrowser } from "./browser.ts";
import { type Place, placesOf, subjectsOf } from "./places.ts";
import { serverOf } from "./serve.ts";
import type { VisitOptions, Visit } from "./visit.ts";

/** Requests for data that a page may send. */
const MOST_REQUESTS = 8;

const pages = Object.keys(paths) as PageKey[];

let url: string;
let places: readonly Place[];

/** Opens each address of a page. */
async function each(page: PageKey, check: (visit: Visit) => Promise<void>, options?: VisitOptions): Promise<void> {
  for (const place of places) {
    if (place.page !== page) continue;
    await using visit = await browse(url + place.path, options);
    await check(visit);
  }
}

describeInBrowser("each page of the sample", { timeout: 120_000 }, () => {
  beforeAll(async () => {
    url = await serverOf("sample");
    places = placesOf(await subjectsOf(url));
  });

  it.each(pages)(
    "%s opens at its address, with few requests and true queries, and is reached by the keyboard",
    async (name) => {
      await each(name, async (visit) => {
        const { page } = visit;
        expect(await page.locator("main h1").innerText()).not.toBe("");
        expect(await visit.alerts()).toStrictEqual([]);
        expect(await page.title()).toMatch(/^.+ · .+$/);
        // That of what the page is as of is always sent.
        const requests = visit.requests.filter((path) => !path.startsWith("/explorer/api/v1/about"));
        expect(requests.slice(MOST_REQUESTS)).toStrictEqual([]);

        await page.keyboard.press("Tab");
        expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/skip to/i);
        await page.keyboard.press("Enter");
        expect(await page.evaluate(() => document.activeElement?.id)).toBe("content");
        await page.keyboard.press("Tab");
        const targets = await page.locator("main :is(a[href], button, input, select, [tabindex='0'])").count();
        const focus = await page.evaluate(focusedElement);
        expect(focus).toStrictEqual({ isInContent: targets > 0, isMarked: true });
        expect(await refusedQueries(visit)).toStrictEqual([]);
      });
    },
  );

  it.each(pages)("%s breaks no rule of WCAG 2.2 A and AA, in both themes", async (name) => {
    await each(name, async (visit) => {
      expect(await visit.accessibilityFindings()).toStrictEqual([]);
      await visit.page.emulateMedia({ colorScheme: "dark" });
      expect(await visit.accessibilityFindings()).toStrictEqual([]);
    });
  });

  it.each(pages)(
    "%s fits the window, cuts no title of a column, and moves nothing where motion is reduced",
    async (name) => {
      const options = { width: 320, height: 640, reducedMotion: true, settles: false };
      await each(
        name,
        async (visit) => {
          const before = await visit.moving();
          await visit.settled();
          expect([...before, ...(await visit.moving())]).toStrictEqual([]);
          for (const width of [320, 400, 768, 1024, 1440]) {
            await visit.page.setViewportSize({ width, height: 800 });
            expect({ width, ...(await visit.overflow()) }).toStrictEqual({ width, pixels: 0, widest: [] });
            expect({ width, cut: await visit.page.evaluate(cutTitles) }).toStrictEqual({ width, cut: [] });
          }
        },
        options,
      );
    },
  );
});

/** The queries that the page says it is made of and that the server does not accept. */
async function refusedQueries({ page }: Visit): Promise<string[]> {
  await page.keyboard.press(".");
  const texts = await page.getByRole("dialog").locator(".shown-query-text").allInnerTexts();
  await page.keyboard.press("Escape");
  const refused: string[] = [];
  for (const query of texts) {
    await rowsOf(url, query).catch((error: unknown) => refused.push(String(error)));
  }
  return refused;
}

/** Runs in the page: whether the focus is in the content, and can be seen. */
function focusedElement(): { isInContent: boolean; isMarked: boolean } {
  const element = document.activeElement as HTMLElement;
  const { outlineStyle, boxShadow } = getComputedStyle(element);
  return { isInContent: element.closest("main") !== null, isMarked: outlineStyle !== "none" || boxShadow !== "none" };
}

/** Runs in the page: titles of columns that are wider than their place. */
function cutTitles(): string[] {
  const titles = [...document.querySelectorAll<HTMLElement>("[role=columnheader] .table-title")];
  return titles.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(({ innerText }) => innerText);
}
