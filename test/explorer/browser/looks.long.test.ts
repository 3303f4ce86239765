import { afterAll, beforeAll, expect, it } from "vitest";
import { describeInBrowser } from "./browser.ts";
import { samplePages, type SampleVisit, visitSample } from "./sample-pages.ts";

let sample: SampleVisit;

/** Each page is opened once, and then looked at by people who see and use it in different ways. */
describeInBrowser("each page of the sample", () => {
  beforeAll(async () => {
    sample = await visitSample();
  });
  afterAll(async () => sample.visit[Symbol.asyncDispose]());

  it.each(samplePages)(
    "fits any width, respects reduced motion and meets the accessibility rules: $page at $path",
    async ({ at }) => {
      const { visit, urls } = sample;
      visit.forget();

      await visit.appear({ width: 320, height: 640, reducedMotion: true });
      await visit.go(urls[at] ?? "", false);
      const moving = await visit.moving();
      await visit.settled();
      expect.soft([...moving, ...(await visit.moving())], "moves where motion is reduced").toStrictEqual([]);

      for (const width of [320, 400, 768, 1024, 1440]) {
        await visit.appear({ width });
        expect.soft({ width, ...(await visit.overflow()) }).toStrictEqual({ width, pixels: 0, widest: [] });
        expect.soft(await visit.page.evaluate(cutTitles), `titles in ${width} px`).toStrictEqual([]);
      }

      await visit.appear({ theme: "light" });
      expect.soft(await visit.accessibilityFindings(), "WCAG 2.2 A and AA, light").toStrictEqual([]);
      // Only colours differ in the other theme.
      await visit.appear({ theme: "dark" });
      expect.soft(await visit.accessibilityFindings("colours"), "WCAG 2.2 A and AA, dark").toStrictEqual([]);

      // The window of 1280 × 800, enlarged to twice its size.
      for (const [width, height] of [
        [1280, 800],
        [640, 400],
      ] as const) {
        await visit.appear({ width, height });
        await visit.settled();
        expect.soft(await visit.unreadable(), `texts in a window of ${width} px`).toStrictEqual([]);
      }

      for (const theme of ["light", "dark"] as const) {
        await visit.appear({ theme, forcedColors: true });
        await visit.settled();
        expect.soft(await visit.indistinct(), `in forced colours, ${theme}`).toStrictEqual([]);
        expect.soft(await visit.unmarkedFocus(12), `focus in forced colours, ${theme}`).toStrictEqual([]);
      }
      expect(visit.problems).toStrictEqual([]);
    },
  );
});

/** Runs in the page: titles of columns that are wider than their place. */
function cutTitles(): string[] {
  const titles = [...document.querySelectorAll<HTMLElement>("[role=columnheader] .table-title")];
  return titles.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(({ innerText }) => innerText);
}
