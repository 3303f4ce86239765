import { setTimeout as delay } from "node:timers/promises";
import type { Browser, Request } from "playwright-core";
import { startBrowser } from "./browser.ts";

/** A request for data, as the explorer sends it. */
export interface PageRequest {
  /** Path and parameters. */
  readonly target: string;
  /** JSON; undefined: a GET. */
  readonly body: Buffer | undefined;
}

/** How long a page may take to show its data, ms: the machine may be busy, and nothing is measured here. */
const PATIENCE = 120_000;

/** Whether a page still waits for data. */
const isWaiting =
  'document.querySelector("main h1") === null || document.querySelector("main [aria-busy=true]") !== null';

/**
 * Opens pages of the explorer in a browser and notes which requests for data they send, until all of it is shown.
 * @param addresses paths and parameters, by the name of the page
 * @returns by page, the requests in their order, or why the page does not show its data; undefined where there is no browser
 */
export async function requestsOfPages(
  url: string,
  addresses: Readonly<Record<string, string>>,
): Promise<Map<string, PageRequest[] | Error> | undefined> {
  const browser = await startBrowser();
  if (browser === undefined) return undefined;
  try {
    const requests = new Map<string, PageRequest[] | Error>();
    for (const [page, address] of Object.entries(addresses)) {
      requests.set(page, await requestsOf(browser, url, address).catch((error: unknown) => error as Error));
    }
    return requests;
  } finally {
    await browser.close();
  }
}

async function requestsOf(browser: Browser, url: string, address: string): Promise<PageRequest[]> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const sent: PageRequest[] = [];
  const failed: string[] = [];
  page.on("request", (request) => {
    const target = targetOf(request, url);
    if (target !== undefined) sent.push({ target, body: request.postDataBuffer() ?? undefined });
  });
  page.on("response", (response) => {
    if (response.status() >= 400) failed.push(`${response.status()} ${decodeURIComponent(response.url())}`);
  });
  await page.goto(url + address);
  const until = performance.now() + PATIENCE;
  for (let quiet = 0; quiet < 3; await delay(200)) {
    if (performance.now() > until) throw new Error(`${address} does not show its data`);
    quiet = (await page.evaluate(isWaiting)) === true ? 0 : quiet + 1;
  }
  await page.close();
  if (failed.length > 0) throw new Error(`${address}: ${failed.join("; ")}`);
  return sent;
}

/** What says that the store has changed: its response does not end while the page is open. */
const CHANGES = "/explorer/api/v1/changes";

/** Undefined: it is a file of the page, or has a response without end. */
function targetOf(request: Request, url: string): string | undefined {
  const target = request.url().slice(url.length);
  const isFile = target.startsWith("/explorer/") && !target.startsWith("/explorer/api/");
  return request.url().startsWith(url) && !isFile && !target.startsWith(CHANGES) ? target : undefined;
}
