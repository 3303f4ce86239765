import type { RequestFacts } from "./facts.ts";
import type { Check, Refusal } from "./refusal.ts";

/** What a browser says of requests that no other page had a part in: one of ours, or the user's own doing. */
const harmless: ReadonlySet<string> = new Set(["same-origin", "none"]);

/**
 * Keeps requests out that other web pages have the user's browser send: a form that posts a command, a script that
 * fetches. Browsers mark them, with `Sec-Fetch-Site` on every request to this machine or over TLS, and with `Origin`
 * on everything but plain reading; no page can take the marks away. A page of another port of this machine is another
 * page. Clients that are no browsers send neither mark and pass.
 *
 * One request from elsewhere is let through: following a link to one of our pages, which hold no data themselves.
 * Without it nobody could link to them.
 * @param origins those of `allowed-origins`, e.g. `https://dashboard.example.com`: their pages may do what we do
 */
export function knownOrigin(origins: readonly string[]): Check {
  const allowed = new Set(origins.map((origin) => originOf(origin) ?? origin));
  return (facts) => {
    const { origin, fetchSite } = facts;
    const from = origin === undefined ? undefined : originOf(origin);
    if (from !== undefined && allowed.has(from)) return undefined;
    if (origin !== undefined && (from === undefined || from !== ownOrigin(facts))) return crossSite(origin);
    if (fetchSite === undefined || harmless.has(fetchSite) || isLink(facts)) return undefined;
    return crossSite(fetchSite);
  };
}

/** @param mark the header's value that gave the request away */
function crossSite(mark: string): Refusal {
  return {
    text: "Forbidden: this request was made by a web page of another origin, which allowed-origins does not name.",
    reason: `a web page of another origin (${JSON.stringify(mark)}) had a browser send a request`,
  };
}

function isLink({ method, family, fetchMode, fetchDest }: RequestFacts): boolean {
  return method === "GET" && family === "pages" && fetchMode === "navigate" && fetchDest === "document";
}

function ownOrigin({ listener, host }: RequestFacts): string | undefined {
  return host === undefined ? undefined : originOf(`${listener === "tls" ? "https" : "http"}://${host}`);
}

/** Scheme, host and port, spelled one way; `null`, which pages without an origin send, is none. */
function originOf(text: string): string | undefined {
  const origin = URL.parse(text)?.origin;
  return origin === "null" ? undefined : origin;
}
