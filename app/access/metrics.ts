import { isLoopback } from "../listeners/address.ts";
import { isBelow } from "./families.ts";
import { type Check, forbidden } from "./refusal.ts";

/** What the rule is about: the peer's interfaces below it, and itself, which has the same figures for Prometheus. */
const GUARDED = "/metrics";

/**
 * Who may read metrics if no policy is set (`reference/http.md §7.4`): clients with a verified certificate over TLS.
 * Without a TLS listener nobody could, and PuppetDB refuses local dashboards with 403. Here the loopback address may.
 * @param hasTls whether a TLS listener is configured
 */
export function metricsReaders(hasTls: boolean): Check {
  return (facts) => {
    const { path, listener, certname, address } = facts;
    if (!isBelow(path, GUARDED)) return undefined;
    if (listener === "tls") return certname === undefined ? forbidden(facts, "metrics need a certificate") : undefined;
    if (hasTls) return forbidden(facts, "metrics are read over TLS with a certificate");
    return isLoopback(address) ? undefined : forbidden(facts, "metrics over plain HTTP are for this machine only");
  };
}
