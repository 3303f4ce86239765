import { expect, it } from "vitest";
import { browse, describeInBrowser } from "./browser.ts";
import { placesOf, subjectsOf, unknownSubjects } from "./places.ts";
import { rows } from "./rows.ts";
import { serverOf } from "./serve.ts";

/** Ms: an archive of 1,000 nodes is made and opened first. */
const TIMEOUT = 240_000;

describeInBrowser("each page", { timeout: TIMEOUT }, () => {
  it("opens without data, and shows no invalid number", async () => {
    const url = await serverOf("empty");
    const walk = placesOf(unknownSubjects);
    await using visit = await browse(`${url}/explorer/help`, { expected: [/status of 404/] });
    for (const { path } of walk) {
      await visit.follow(path);
      expect({ path, problems: visit.problems }).toStrictEqual({ path, problems: [] });
      const wrong = (await visit.text()).match(/.*(?:NaN|undefined|Infinity|\[object).*/g);
      expect({ path, wrong, ...(await visit.overflow()) }).toStrictEqual({ path, wrong: null, pixels: 0, widest: [] });
    }
  });

  it.each(["nodes", "reports", "facts", "classes"])(
    "says of %s that nothing is stored, and leads to what helps",
    async (page) => {
      const url = await serverOf("empty");
      await using visit = await browse(`${url}/explorer/${page}`);
      const empty = visit.page.locator(".table-empty");
      expect(await empty.innerText()).toBe("Nothing is stored yet. How data get here");
      await empty.getByRole("link").click();
      await visit.page.getByText("census import export.tgz").waitFor();
    },
  );

  it("opens with 1,000 nodes, and draws no more rows than are seen", async () => {
    const url = await serverOf("thousand");
    expect(await rows(url, "nodes[count()]{ node_state = 'any' }")).toStrictEqual([{ count: 1000 }]);
    const walk = placesOf(await subjectsOf(url));
    await using visit = await browse(`${url}/explorer/help`);
    for (const { path } of walk) {
      await visit.follow(path);
      const alerts = await visit.alerts();
      expect({ path, alerts, problems: visit.problems }).toStrictEqual({ path, alerts: [], problems: [] });
      expect(await visit.page.locator("main :is([role=row], tr)").count()).toBeLessThan(400);
      // Handles of columns do not make a table wider than its columns are.
      const handles = visit.page
        .locator(".table-scroll")
        .evaluateAll((tables) =>
          tables.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth && scrollWidth < clientWidth + 8),
        );
      expect({ path, wider: (await handles).length }).toStrictEqual({ path, wider: 0 });
      expect({ path, ...(await visit.overflow()) }).toStrictEqual({ path, pixels: 0, widest: [] });
    }
  });
});
