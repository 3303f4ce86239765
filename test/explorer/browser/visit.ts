import type { Browser, BrowserContext, Page, Request } from "playwright-core";
import { HOSTILE_GLOBAL } from "../hostile-texts.ts";
import { type Finding, findingsOf, type Rules } from "./axe.ts";
import { clickLink, movingElements, reportViolations, waitingFor, widerThanWindow } from "./in-page.ts";
import { indistinct, unmarkedFocus } from "./in-page-colours.ts";
import { unreadableTexts } from "./in-page-texts.ts";

export interface VisitOptions {
  readonly theme?: "light" | "dark";
  /** Of the window, px. Default: 1280 × 800. */
  readonly width?: number;
  readonly height?: number;
  readonly reducedMotion?: boolean;
  readonly forcedColors?: boolean;
  /** The certificate that the browser sends, PEM. */
  readonly certificate?: { readonly cert: string; readonly key: string };
  /** Problems that the test is about: lines that match are none. */
  readonly expected?: readonly RegExp[];
  /** Whether to wait until the page shows its data. Default: yes. */
  readonly settles?: boolean;
}

/** What a visit looks like to the page; it may change meanwhile. */
export type Appearance = Pick<VisitOptions, "theme" | "width" | "height" | "reducedMotion" | "forcedColors">;

/** Characters of a problem that are noted. */
const LONGEST = 600;

/** Ms that a page may take to show its data. Much more than it needs: other tests use the processors as well. */
const SETTLED_WITHIN = 30_000;

/**
 * A window on the explorer. It notes what must not happen: violations of the policy, errors and warnings on the console,
 * errors of scripts, requests to other places, dialogs, further windows, a hostile text that ran.
 */
export class Visit {
  readonly page: Page;
  /** What went wrong so far, a line each. */
  readonly problems: string[] = [];
  /** Addresses of all requests for data so far: the path and the parameters. */
  readonly requests: string[] = [];
  /** How many requests for data were under way at the same time. */
  mostAtOnce = 0;
  readonly #context: BrowserContext;
  readonly #origin: string;
  readonly #expected: readonly RegExp[];
  readonly #left: () => Promise<void>;
  /** Requests that have no answer yet. */
  readonly #waiting = new Set<Request>();

  /**
   * Opens a window on a server, with nothing in it.
   * @param options.left called at the end, when nothing is kept of the visit
   */
  static async open(
    context: BrowserContext,
    origin: string,
    options: VisitOptions & { readonly left: () => Promise<void> },
  ): Promise<Visit> {
    const visit = new Visit(context, await context.newPage(), origin, options);
    await visit.appear(options);
    return visit;
  }

  private constructor(
    context: BrowserContext,
    page: Page,
    origin: string,
    { expected = [], left }: { readonly expected?: readonly RegExp[]; readonly left: () => Promise<void> },
  ) {
    this.#context = context;
    this.page = page;
    this.#origin = origin;
    this.#expected = expected;
    this.#left = left;
    page.on("console", (message) => {
      if (message.type() !== "error" && message.type() !== "warning") return;
      this.#note("console", `${message.text()} (${message.location().url})`);
    });
    page.on("pageerror", (error) => this.#note("error", error.stack ?? error.message));
    page.on("dialog", (dialog) => {
      this.#note("dialog", dialog.message());
      void dialog.dismiss();
    });
    context.on("page", this.#onWindow);
    page.on("request", (request) => this.#requested(request));
    page.on("requestfinished", (request) => this.#waiting.delete(request));
    page.on("requestfailed", (request) => this.#waiting.delete(request));
  }

  /** Begins anew with counting requests and noting problems: of several pages in one window. */
  forget(): void {
    this.problems.length = 0;
    this.requests.length = 0;
    this.mostAtOnce = 0;
  }

  /** Changes the window and what the user wants of pages; what is not given is as usual. */
  async appear(appearance: Appearance): Promise<void> {
    const { theme = "light", width = 1280, height = 800, reducedMotion = false, forcedColors = false } = appearance;
    await this.page.setViewportSize({ width, height });
    await this.page.emulateMedia({
      colorScheme: theme,
      reducedMotion: reducedMotion ? "reduce" : "no-preference",
      forcedColors: forcedColors ? "active" : "none",
    });
  }

  /** Goes to an address, as if it were typed. */
  async go(url: string | URL, settles = true): Promise<void> {
    this.#waiting.clear();
    // An address that differs from the present one only behind `#` loads nothing.
    const [present] = this.page.url().split("#");
    if (String(url).startsWith(`${present}#`)) await this.page.goto("about:blank");
    await this.page.goto(String(url), { waitUntil: "load" });
    if (settles) await this.settled();
  }

  /** Goes to an address by a link on the page, which costs a third of loading it: the program is running already. */
  async follow(path: string): Promise<void> {
    await this.page.evaluate(clickLink, path);
    await this.settled();
  }

  /** Waits until nothing on the page is on its way. @throws Error after 30 s, saying what is */
  async settled(): Promise<void> {
    const until = Date.now() + SETTLED_WITHIN;
    for (let quiet = 0; quiet < 2;) {
      const [before] = this.#waiting;
      if (before !== undefined) await this.page.waitForTimeout(20);
      const shown = await this.page.evaluate(waitingFor);
      const [request] = this.#waiting;
      const waiting = request?.url() ?? shown;
      quiet = waiting === undefined ? quiet + 1 : 0;
      if (Date.now() > until) throw new Error(`${this.page.url()} still waits after 30 s: ${waiting ?? "it changes"}`);
    }
  }

  /** The text that a reader sees in the content of the page. */
  async text(): Promise<string> {
    return this.page.locator("main").innerText();
  }

  /** Texts that say that something could not be shown. */
  async alerts(): Promise<string[]> {
    return this.page.locator("main [role=alert]").allInnerTexts();
  }

  /** What the rules of WCAG 2.2 A and AA find on the page as it is now, scrolled to its top: the header covers what scrolls below it. */
  async accessibilityFindings(rules: Rules = "all"): Promise<Finding[]> {
    await this.page.evaluate(() => scrollTo(0, 0));
    return findingsOf(this.page, rules);
  }

  /** Pixels by which the page is wider than the window, and the elements because of which it is. */
  async overflow(): Promise<{ pixels: number; widest: string[] }> {
    return this.page.evaluate(widerThanWindow);
  }

  /** Texts that are cut off, or written over each other. */
  async unreadable(): Promise<string[]> {
    return this.page.evaluate(unreadableTexts);
  }

  /** Texts and shapes that hardly differ from their ground, and what is chosen but does not look like it. */
  async indistinct(): Promise<string[]> {
    return this.page.evaluate(indistinct);
  }

  /** What has the focus but does not show it, of the next places that the key Tab leads to. */
  async unmarkedFocus(places: number): Promise<string[]> {
    await this.page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    const found: string[] = [];
    for (let place = 0; place < places; place++) {
      await this.page.keyboard.press("Tab");
      const unmarked = await this.page.evaluate(unmarkedFocus);
      if (unmarked !== undefined) found.push(unmarked);
    }
    return found;
  }

  /** The elements that move now, or change slowly enough to be seen. */
  async moving(): Promise<string[]> {
    return this.page.evaluate(movingElements);
  }

  /** Closes the window. @returns what went wrong */
  async close(): Promise<readonly string[]> {
    if (this.page.isClosed()) return this.problems;
    this.#context.off("page", this.#onWindow);
    const session = await this.#context.newCDPSession(this.page);
    await session.send("Storage.clearDataForOrigin", { origin: this.#origin, storageTypes: "local_storage" });
    for (const page of this.#context.pages()) if (!isIdle(page)) await page.close();
    await this.#left();
    return this.problems;
  }

  /** Closes the window. @throws Error if anything went wrong */
  async [Symbol.asyncDispose](): Promise<void> {
    const problems = await this.close();
    if (problems.length > 0) throw new Error(`the page had problems:\n${problems.join("\n")}`);
  }

  readonly #onWindow = (other: Page): void => this.#note("window", other.url());

  #requested(request: Request): void {
    const url = request.url();
    const isHere = [`${this.#origin}/`, `blob:${this.#origin}/`].some((place) => url.startsWith(place));
    if (!isHere) this.#note("request elsewhere", url);
    // That which the page follows the store by goes on for as long as the page is open.
    if (request.resourceType() === "eventsource") return;
    this.#waiting.add(request);
    if (request.resourceType() !== "fetch") return;
    this.requests.push(url.slice(this.#origin.length));
    const underWay = [...this.#waiting].filter((one) => one.resourceType() === "fetch").length;
    this.mostAtOnce = Math.max(this.mostAtOnce, underWay);
  }

  #note(kind: string, text: string): void {
    const line = `${kind}: ${text.slice(0, LONGEST)}`;
    const isKnown = this.problems.includes(line) || this.#expected.some((pattern) => pattern.test(line));
    if (!isKnown) this.problems.push(line);
  }
}

/** The path of a page without a program. */
const IDLE_PATH = "/robots.txt";

function isIdle(page: Page): boolean {
  return page.url().endsWith(IDLE_PATH);
}

/** Makes what keeps visits apart: storage, certificates. Tests have a CA of their own, which the browser does not know. */
export async function contextFor(
  browser: Browser,
  origin: string,
  { certificate }: Pick<VisitOptions, "certificate">,
): Promise<BrowserContext> {
  const context = await browser.newContext({
    locale: "en-GB",
    timezoneId: "UTC",
    ignoreHTTPSErrors: true,
    ...(certificate === undefined ? {} : { clientCertificates: [pairOf(origin, certificate)] }),
  });
  // A page that stays keeps the process that shows the others.
  await (await context.newPage()).goto(`${origin}${IDLE_PATH}`);
  await context.addInitScript(reportViolations, HOSTILE_GLOBAL);
  return context;
}

function pairOf(
  origin: string,
  { cert, key }: NonNullable<VisitOptions["certificate"]>,
): { origin: string; cert: Buffer; key: Buffer } {
  return { origin, cert: Buffer.from(cert), key: Buffer.from(key) };
}
