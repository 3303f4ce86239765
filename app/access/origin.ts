import type { RequestFacts } from "./facts.ts";
import type { Check } from "./check.ts";
import type { Refusal } from "./refusal.ts";

/** Values of `Sec-Fetch-Site` for requests of our own pages, and of the user without a page. */
const harmless: ReadonlySet<string> = new Set(["same-origin", "none"]);

/**
 * Denies requests that pages of other origins make with a user's browser, such as a form that posts a command. Browsers
 * send `Sec-Fetch-Site` with every request to this machine or over TLS, and `Origin` with everything but plain reading;
 * no page can remove them. Another port is another origin. Clients other than browsers send neither header and pass.
 *
 * Following a link to one of our pages is allowed, because they contain no data themselves.
 * @param peopleOrigin that of the listener for people
 * @param origins those of `allowed-origins`, e.g. `https://dashboard.example.com`, whose pages may send any request
 */
export function knownOrigin(origins: readonly string[], peopleOrigin?: () => string): Check {
  const allowed = new Set(origins.map((origin) => originOf(origin) ?? origin));
  return (facts) => {
    const { origin, fetchSite } = facts;
    const from = origin === undefined ? undefined : originOf(origin);
    if (from !== undefined && allowed.has(from)) return undefined;
    if (
      origin !== undefined &&
      (from === undefined || from !== (facts.listener === "people" ? peopleOrigin?.() : ownOrigin(facts)))
    )
      return crossSite(origin);
    if (fetchSite === undefined || harmless.has(fetchSite) || isLink(facts)) return undefined;
    return crossSite(fetchSite);
  };
}

/** @param value of the header that shows it */
function crossSite(value: string): Refusal {
  return {
    text: "Forbidden: this request was made by a web page of another origin, which allowed-origins does not name.",
    reason: `request by a web page of another origin (${JSON.stringify(value)})`,
  };
}

function isLink({ method, family, fetchMode, fetchDest }: RequestFacts): boolean {
  return method === "GET" && family === "pages" && fetchMode === "navigate" && fetchDest === "document";
}

function ownOrigin({ listener, host }: RequestFacts): string | undefined {
  return host === undefined ? undefined : originOf(`${listener === "tls" ? "https" : "http"}://${host}`);
}

/** Normalises scheme, host and port; undefined for `null`, which pages without an origin send. */
function originOf(text: string): string | undefined {
  const origin = URL.parse(text)?.origin;
  return origin === "null" ? undefined : origin;
}
