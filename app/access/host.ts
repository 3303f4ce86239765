import { isIP } from "node:net";
import { isLoopback } from "../listeners/address.ts";
import type { Check } from "./check.ts";

/**
 * Denies DNS rebinding: when the name of `http://evil.example:8080` resolves to 127.0.0.1, its pages have the same origin
 * as this service and may read every response. But a browser always sends the page's name as `Host`. So plain HTTP
 * on loopback needs a `Host` of this service: `localhost` or a name below it, an IP address, or a configured name. Ports
 * are ignored, because tunnels change them.
 *
 * TLS does not need the rule: no page has a certificate for its name with our key. Plain HTTP beyond loopback is open on
 * purpose, under names that we cannot know. A request without `Host` is not from a browser.
 * @param names the host that is listened on, and those of `allowed-hosts`
 */
export function knownHost(names: readonly string[]): Check {
  const known = new Set(names.map((name) => name.toLowerCase()));
  return ({ listener, address, host }) => {
    if (host === undefined || listener !== "plain" || !isLoopback(address)) return undefined;
    const name = hostName(host);
    if (name !== undefined && (isLocalName(name) || known.has(name))) return undefined;
    const quoted = JSON.stringify(host);
    return {
      text: `Forbidden: this service is not known as ${quoted}. Use localhost, or add the name to allowed-hosts.`,
      reason: `Host ${quoted} is not allowed (see allowed-hosts)`,
    };
  };
}

/**
 * The same on the listener for people, which is open to the network: it answers under the name that people type alone.
 * @param origin of the listener
 */
export function hostOfPeople(origin: () => string): Check {
  return ({ listener, host }) => {
    if (listener !== "people" || host === undefined || hostName(host) === hostName(new URL(origin()).host))
      return undefined;
    const reason = `Host ${JSON.stringify(host)} is not that of people-url`;
    return { status: 421, text: "This service has another name; see people-url", reason };
  };
}

/** The name or address in a `Host`, in lower case, without brackets and port. */
export function hostName(host: string): string | undefined {
  if (!/^[\w.:[\]-]+$/.test(host)) return undefined;
  const url = URL.parse(`http://${host}`);
  return url?.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}

function isLocalName(name: string): boolean {
  return name === "localhost" || name.endsWith(".localhost") || isIP(name) !== 0;
}
