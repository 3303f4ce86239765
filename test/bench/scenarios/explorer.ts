import { setTimeout as delay } from "node:timers/promises";
import { performance } from "node:perf_hooks";
import type { Browser, Page } from "playwright-core";
import type { Bench } from "../bench.ts";
import { subjectOf, subjectPages } from "../pages/addresses.ts";
import { startBrowser } from "../pages/browser.ts";
import { SampleBook, type Samples, type Scenario } from "../scenario.ts";
import { statisticsOf } from "../statistics.ts";

/** Openings of a page that count; the first one is not measured, because the server bundles the pages for it. */
const OPENINGS = 10;

/** Rows of the long table, frames in which it is scrolled, and pixels of each. */
const ROWS = 100_000;
const FRAMES = 240;
const STEP = 350;

/** How often all pages are opened before the memory of their tab is read. */
const ROUNDS = 5;

/** What the explorer's pages need in a browser. */
export function explorerScenarios(): Scenario[] {
  return [
    {
      name: "explorer/first paint",
      shows:
        "the overview in a browser that has nothing of it, until something is painted and until its data are there",
      metrics: { painted: { unit: "milliseconds" }, "data shown": { unit: "milliseconds" } },
      measure: async (bench) => inBrowser(bench, measurePaint),
    },
    {
      name: "explorer/long table",
      shows: `a table of ${ROWS} rows that is scrolled: the work in a frame, and rows in the document`,
      metrics: {
        "work in a frame, median": { unit: "milliseconds" },
        "work in a frame, 95th percentile": { unit: "milliseconds" },
        "rows in the document": { unit: "ratio" },
      },
      measure: async (bench) => inBrowser(bench, measureTable),
    },
    {
      name: "explorer/memory of a tab",
      shows: `the heap of a tab after each page was opened ${ROUNDS} times, and nothing more is to be freed`,
      metrics: { heap: { unit: "bytes" } },
      measure: async (bench) => inBrowser(bench, measureMemory),
    },
  ];
}

async function inBrowser(bench: Bench, measure: (browser: Browser, url: string) => Promise<Samples>): Promise<Samples> {
  const browser = await startBrowser();
  if (browser === undefined) return {};
  try {
    return await measure(browser, (await bench.server()).value.url);
  } finally {
    await browser.close();
  }
}

const isShown =
  'document.querySelector("main h1") !== null && document.querySelector("main [aria-busy=true]") === null';

/** The last of what the overview shows. */
const isOverviewShown = `document.querySelector(".state-counts") !== null && ${isShown}`;

/** The rows of the long table are there. */
const isTableShown = `document.querySelector("[role=grid][aria-rowcount='${ROWS + 1}'] .table-body [role=row]") !== null`;

const firstPaint = 'performance.getEntriesByName("first-contentful-paint")[0]?.startTime';

/** How long a page may take, ms: the machine may be busy. */
const PATIENCE = 120_000;

/** Waits for a condition in the page; the policy of the pages forbids that the page itself waits for it. */
async function until(page: Page, condition: string): Promise<void> {
  const end = performance.now() + PATIENCE;
  while ((await page.evaluate(condition)) !== true) {
    if (performance.now() > end) throw new Error(`${page.url()} does not show its data`);
    await delay(5);
  }
}

async function measurePaint(browser: Browser, url: string): Promise<Samples> {
  const book = new SampleBook();
  for (let opening = 0; opening <= OPENINGS; opening++) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    await page.goto(`${url}/explorer/`);
    await until(page, isOverviewShown);
    const shown = Number(await page.evaluate("performance.now()"));
    const painted = Number(await page.evaluate(firstPaint));
    await context.close();
    if (opening === 0) continue;
    book.add("painted", painted);
    book.add("data shown", shown);
  }
  return book.samples();
}

/** Scrolls on in each frame, and notes the milliseconds from then until the frame is drawn. */
const scrolling = `new Promise((done) => {
  const area = document.querySelector("[role=grid]");
  const times = [];
  let began = 0;
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    times.push(performance.now() - began);
    if (times.length < ${FRAMES}) requestAnimationFrame(frame);
    else done(times);
  };
  const frame = () => {
    began = performance.now();
    area.scrollTop += ${STEP};
    port2.postMessage(0);
  };
  requestAnimationFrame(frame);
})`;

async function measureTable(browser: Browser, url: string): Promise<Samples> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await lengthenReports(page);
  await page.goto(`${url}/explorer/reports?last=14d`);
  await until(page, isTableShown);
  const book = new SampleBook();
  const times = (await page.evaluate(scrolling)) as number[];
  const { median, p95 } = statisticsOf(times);
  book.add("work in a frame, median", median);
  book.add("work in a frame, 95th percentile", p95);
  book.add("rows in the document", await page.locator("[role=grid] .table-body [role=row]").count());
  // A window of rows may be on its way.
  await page.unrouteAll({ behavior: "ignoreErrors" });
  return book.samples();
}

/** Whether a request is for rows of the table of reports. */
function isReports({ pathname, searchParams }: URL): boolean {
  const query = searchParams.get("query") ?? "";
  return pathname === "/pdb/query/v4" && searchParams.has("include_total") && query.startsWith("reports[");
}

/** Every request for reports gets the first ones, and a total that makes the table long. */
async function lengthenReports(page: Page): Promise<void> {
  await page.route(isReports, async (route) => {
    const first = new URL(route.request().url());
    first.searchParams.set("offset", "0");
    const response = await fetch(first);
    const headers = { "content-type": "application/json", "x-records": String(ROWS) };
    await route.fulfill({ status: response.status, headers, body: await response.text() });
  });
}

async function measureMemory(browser: Browser, url: string): Promise<Samples> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const addresses = await addressesOf(url);
  await page.goto(`${url}/explorer/`);
  for (let round = 0; round < ROUNDS; round++) {
    for (const address of Object.values(addresses)) {
      // As a link does, in the same document.
      await page.evaluate(
        `history.pushState(null, "", ${JSON.stringify(address)}); dispatchEvent(new PopStateEvent("popstate"))`,
      );
      await delay(50);
      await until(page, isShown);
    }
  }
  // The last of the pages was really opened.
  await until(page, 'document.title.startsWith("Status")');
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  return { heap: [usedSize] };
}

async function addressesOf(url: string): Promise<Record<string, string>> {
  return subjectPages(await subjectOf(url));
}
