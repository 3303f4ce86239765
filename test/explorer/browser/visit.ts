import type { Browser, BrowserContext, Page } from "playwright-core";
import { HOSTILE_GLOBAL } from "../hostile-texts.ts";
import { type Finding, findingsOf } from "./axe.ts";

export type Theme = "light" | "dark";

export interface VisitOptions {
  readonly theme?: Theme;
  /** Of the window, px. Default: 1280 × 800. */
  readonly width?: number;
  readonly height?: number;
  readonly reducedMotion?: boolean;
  readonly forcedColors?: boolean;
  /** Problems that the test is about: lines that match are none. */
  readonly expected?: readonly RegExp[];
  /** Whether to wait until the page shows its data. Default: yes. */
  readonly settles?: boolean;
}

/** Ms that a page may take to show its data. Much more than it needs: other tests use the processors as well. */
const SETTLED_WITHIN = 30_000;

/**
 * A window on one address of the explorer. It notes what must not happen: violations of the policy, errors on the console and
 * of scripts, requests to other places, dialogs, further windows, a hostile text that ran.
 */
export class Visit {
  readonly page: Page;
  /** What went wrong so far, a line each. */
  readonly problems: string[] = [];
  readonly #context: BrowserContext;
  readonly #expected: readonly RegExp[];

  private constructor(context: BrowserContext, page: Page, { origin }: URL, expected: readonly RegExp[]) {
    this.#context = context;
    this.page = page;
    this.#expected = expected;
    page.on("console", (message) => {
      if (message.type() !== "error" && message.type() !== "warning") return;
      this.#note("console", `${message.text()} (${message.location().url})`);
    });
    page.on("pageerror", (error) => this.#note("error", error.stack ?? error.message));
    page.on("dialog", (dialog) => {
      this.#note("dialog", dialog.message());
      void dialog.dismiss();
    });
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(`${origin}/`) && !url.startsWith(`blob:${origin}/`)) this.#note("request elsewhere", url);
    });
    context.on("page", (other) => this.#note("window", other.url()));
  }

  static async open(browser: Browser, url: URL, options: VisitOptions): Promise<Visit> {
    const { theme = "light", width = 1280, height = 800, expected = [] } = options;
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: theme,
      reducedMotion: options.reducedMotion === true ? "reduce" : "no-preference",
      forcedColors: options.forcedColors === true ? "active" : "none",
      locale: "en-GB",
      timezoneId: "UTC",
    });
    await context.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sample }) => {
        console.error(`policy: ${violatedDirective} ${blockedURI} ${sample}`);
      });
    });
    const page = await context.newPage();
    const visit = new Visit(context, page, url, expected);
    await visit.go(url, options.settles ?? true);
    return visit;
  }

  /** Goes to another address, as if it were typed. */
  async go(url: string | URL, settles = true): Promise<void> {
    await this.page.goto(String(url), { waitUntil: "load" });
    if (settles) await this.settled();
  }

  /** Waits until nothing on the page is on its way. */
  async settled(): Promise<void> {
    const until = Date.now() + SETTLED_WITHIN;
    let quiet = 0;
    while (quiet < 2) {
      const waiting = await this.page.evaluate(whatIsWaiting);
      quiet = waiting === undefined ? quiet + 1 : 0;
      if (Date.now() > until) throw new Error(`${this.page.url()} still waits after 30 s: ${waiting ?? "it changes"}`);
      await this.page.waitForTimeout(50);
    }
  }

  /** The text that a reader sees in the content of the page. */
  async text(): Promise<string> {
    return this.page.locator("main").innerText();
  }

  /** What the rules of WCAG 2.2 A and AA find on the page as it is now. */
  async accessibilityFindings(): Promise<Finding[]> {
    return findingsOf(this.page);
  }

  /** Pixels by which the page is wider than the window, and the elements because of which it is. */
  async overflow(): Promise<{ pixels: number; widest: string[] }> {
    return this.page.evaluate(whatIsTooWide);
  }

  #note(kind: string, text: string): void {
    const line = `${kind}: ${text}`;
    if (!this.#expected.some((pattern) => pattern.test(line))) this.problems.push(line);
  }

  /** Closes the window. @throws Error if there were problems */
  async [Symbol.asyncDispose](): Promise<void> {
    const ran = await this.page.evaluate((name) => Reflect.get(globalThis, name) as unknown, HOSTILE_GLOBAL);
    if (ran !== undefined) this.problems.push(`a hostile text ran: ${JSON.stringify(ran)}`);
    await this.#context.close();
    if (this.problems.length > 0) throw new Error(`the page had problems:\n${this.problems.join("\n")}`);
  }
}

/** Runs in the page: what it still waits for; undefined if nothing. */
function whatIsWaiting(): string | undefined {
  const main = document.querySelector("main");
  if (main === null) return "no content";
  const busy = main.querySelector("[aria-busy=true], .skeleton, .first-load");
  if (busy !== null) return `${busy.localName}.${busy.className} ${busy.getAttribute("aria-label") ?? ""}`;
  return main.querySelector("h1, [role=alert]") === null ? "no heading" : undefined;
}

/** Runs in the page: by how many pixels it can be scrolled sideways, and what reaches beyond, unless it can be scrolled itself. */
function whatIsTooWide(): { pixels: number; widest: string[] } {
  const width = document.documentElement.clientWidth;
  const pixels = document.documentElement.scrollWidth - width;
  if (pixels <= 0) return { pixels, widest: [] };
  const isCut = (element: Element | null): boolean =>
    element !== null && (getComputedStyle(element).overflowX !== "visible" || isCut(element.parentElement));
  const wide = [...document.querySelectorAll("body *")].filter(
    (each) => each.getBoundingClientRect().right > width + 1 && !isCut(each.parentElement),
  );
  return { pixels, widest: wide.slice(0, 12).map((each) => `${each.localName}.${each.getAttribute("class") ?? ""}`) };
}
