import { isIP } from "node:net";
import { isLoopback } from "../listeners/address.ts";
import type { Check } from "./refusal.ts";

/** So many spellings of our name are remembered. */
const REMEMBERED = 100;

/**
 * Keeps web pages out that reach this machine under a name of their own (DNS rebinding): a page of
 * `http://evil.example:8080` whose name now leads to 127.0.0.1 is, to the browser, of one origin with us, and may read
 * all that we answer. What it can't do is send another `Host` than its own name. So what arrives over loopback without
 * encryption must name us: `localhost` or below it, an address (no name server decides where that leads), or a name
 * that was configured. Ports don't count: tunnels change them.
 *
 * Over TLS the rule is not needed, as no page has a certificate for its name with our key; and beyond loopback, where
 * plain HTTP was opened on purpose, we can't know under which names a network knows us. A request without `Host` is
 * not a browser's.
 * @param names the host that is listened on, and those of `allowed-hosts`
 */
export function knownHost(names: readonly string[]): Check {
  const known = new Set(names.map((name) => name.toLowerCase()));
  /** Clients name us in the same few ways all the time. */
  const passed = new Set<string>();
  return ({ listener, address, host }) => {
    if (host === undefined || listener === "tls" || passed.has(host) || !isLoopback(address)) return undefined;
    const name = hostName(host);
    if (name !== undefined && (isAlwaysOurs(name) || known.has(name))) {
      if (passed.size < REMEMBERED) passed.add(host);
      return undefined;
    }
    const told = JSON.stringify(host);
    return {
      text: `Forbidden: this service is not known as ${told}. Use localhost, or add the name to allowed-hosts.`,
      reason: `Host ${told} is not allowed (see allowed-hosts)`,
    };
  };
}

/** The name or address in a `Host`, in lower case, without brackets and port. */
export function hostName(host: string): string | undefined {
  if (!/^[\w.:[\]-]+$/.test(host)) return undefined;
  const url = URL.parse(`http://${host}`);
  return url?.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}

function isAlwaysOurs(name: string): boolean {
  return name === "localhost" || name.endsWith(".localhost") || isIP(name) !== 0;
}
