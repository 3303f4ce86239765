import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, chromium } from "playwright-core";
import { describe } from "vitest";
import { chromiumPath } from "#test/chromium.ts";
import { leaveOut } from "#test/left-out.ts";
import { contextFor, Visit, type VisitOptions } from "./visit.ts";

const hasBrowser = existsSync(chromiumPath);
if (!hasBrowser) {
  const how = `no ${chromiumPath}: apt-get install --no-install-recommends chromium-headless-shell, or name another with CENSUS_CHROMIUM`;
  leaveOut("the explorer in a browser", how, "CENSUS_WITHOUT_CLIENTS");
}

/** `describe` for tests in a browser: skipped where there is none, except in continuous integration. */
export const describeInBrowser: typeof describe = hasBrowser ? describe : (describe.skip as typeof describe);

/** What a browser does besides showing pages: nothing. */
const switches = [
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-default-apps",
  "--disable-domain-reliability",
  "--disable-extensions",
  "--disable-gpu",
  "--disable-sync",
  "--no-default-browser-check",
  "--no-first-run",
  "--no-pings",
  // One process shows all pages of a context, so that it compiles the explorer's program once.
  "--process-per-site",
  "--renderer-process-limit=1",
  // Root, as in containers, cannot use it.
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
];

/** Of all test files of a worker; launched when it is first needed, and ends with the worker. */
let launched: Promise<Browser> | undefined;
/** Contexts without a visit. The next visit uses one again, since making one takes longer than opening a page. */
const unused: BrowserContext[] = [];

/**
 * Opens an address in a window of its own, without anything kept from before but files that never change, and waits until the
 * page shows it. At its end the visit fails the test if anything went wrong on the page:
 * `await using visit = await browse(url);`.
 */
export async function browse(url: string | URL, options: VisitOptions = {}): Promise<Visit> {
  launched ??= chromium.launch({ executablePath: chromiumPath, args: switches, headless: true });
  const { origin } = new URL(url);
  const hasCertificate = options.certificate !== undefined;
  const context = (hasCertificate ? undefined : unused.pop()) ?? (await contextFor(await launched, origin, options));
  const visit = await Visit.open(context, origin, {
    ...options,
    left: async () => {
      if (hasCertificate) await context.close();
      else unused.push(context);
    },
  });
  try {
    await visit.go(url, options.settles ?? true);
    return visit;
  } catch (error) {
    const problems = await visit.close();
    if (error instanceof Error) error.message += `\n${problems.join("\n")}`;
    throw error;
  }
}
