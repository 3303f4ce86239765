import type { Browser, BrowserContext, BrowserContextOptions, Page, Request } from "playwright-core";
import { HOSTILE_GLOBAL } from "../hostile-texts.ts";
import { type Finding, findingsOf } from "./axe.ts";
import { movingElements, reportViolations, waitingFor, widerThanWindow } from "./in-page.ts";

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
  readonly #context: BrowserContext;
  readonly #origin: string;
  readonly #expected: readonly RegExp[];
  /** Requests that have no answer yet. */
  readonly #waiting = new Set<Request>();

  /** Opens a window on a server, with nothing in it. */
  static async open(browser: Browser, origin: string, options: VisitOptions): Promise<Visit> {
    const context = await browser.newContext({ ...contextOptions(options), ...tlsOptions(origin, options) });
    await context.addInitScript(reportViolations, HOSTILE_GLOBAL);
    return new Visit(context, await context.newPage(), origin, options.expected ?? []);
  }

  private constructor(context: BrowserContext, page: Page, origin: string, expected: readonly RegExp[]) {
    this.#context = context;
    this.page = page;
    this.#origin = origin;
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
    context.on("page", (other) => this.#note("window", other.url()));
    page.on("request", (request) => this.#requested(request));
    page.on("requestfinished", (request) => this.#waiting.delete(request));
    page.on("requestfailed", (request) => this.#waiting.delete(request));
  }

  /** Goes to an address, as if it were typed. */
  async go(url: string | URL, settles = true): Promise<void> {
    this.#waiting.clear();
    await this.page.goto(String(url), { waitUntil: "load" });
    if (settles) await this.settled();
  }

  /** Waits until nothing on the page is on its way. @throws Error after 30 s, saying what is */
  async settled(): Promise<void> {
    const until = Date.now() + SETTLED_WITHIN;
    for (let quiet = 0; quiet < 2;) {
      const [request] = this.#waiting;
      const waiting = request?.url() ?? (await this.page.evaluate(waitingFor));
      quiet = waiting === undefined ? quiet + 1 : 0;
      if (Date.now() > until) throw new Error(`${this.page.url()} still waits after 30 s: ${waiting ?? "it changes"}`);
      await this.page.waitForTimeout(50);
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

  /** What the rules of WCAG 2.2 A and AA find on the page as it is now. */
  async accessibilityFindings(): Promise<Finding[]> {
    return findingsOf(this.page);
  }

  /** Pixels by which the page is wider than the window, and the elements because of which it is. */
  async overflow(): Promise<{ pixels: number; widest: string[] }> {
    return this.page.evaluate(widerThanWindow);
  }

  /** The elements that move now, or change slowly enough to be seen. */
  async moving(): Promise<string[]> {
    return this.page.evaluate(movingElements);
  }

  /** Closes the window. @returns what went wrong */
  async close(): Promise<readonly string[]> {
    await this.#context.close();
    return this.problems;
  }

  /** Closes the window. @throws Error if anything went wrong */
  async [Symbol.asyncDispose](): Promise<void> {
    const problems = await this.close();
    if (problems.length > 0) throw new Error(`the page had problems:\n${problems.join("\n")}`);
  }

  #requested(request: Request): void {
    const url = request.url();
    const isHere = [`${this.#origin}/`, `blob:${this.#origin}/`].some((place) => url.startsWith(place));
    if (!isHere) this.#note("request elsewhere", url);
    this.#waiting.add(request);
    if (request.resourceType() === "fetch") this.requests.push(url.slice(this.#origin.length));
  }

  #note(kind: string, text: string): void {
    const line = `${kind}: ${text.slice(0, LONGEST)}`;
    const isKnown = this.problems.includes(line) || this.#expected.some((pattern) => pattern.test(line));
    if (!isKnown) this.problems.push(line);
  }
}

function contextOptions(options: VisitOptions): BrowserContextOptions {
  const { theme = "light", width = 1280, height = 800 } = options;
  return {
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: options.reducedMotion === true ? "reduce" : "no-preference",
    forcedColors: options.forcedColors === true ? "active" : "none",
    locale: "en-GB",
    timezoneId: "UTC",
  };
}

/** Tests have a CA of their own, which the browser does not know. */
function tlsOptions(origin: string, { certificate }: VisitOptions): BrowserContextOptions {
  if (certificate === undefined) return { ignoreHTTPSErrors: true };
  const [cert, key] = [Buffer.from(certificate.cert), Buffer.from(certificate.key)];
  return { ignoreHTTPSErrors: true, clientCertificates: [{ origin, cert, key }] };
}
