import { isBelow } from "../http/paths.ts";
import { isLoopback } from "../listeners/address.ts";
import { type Check, forbidden } from "./check.ts";

/** PuppetDB's interfaces to metrics are below it; it serves the same metrics to Prometheus itself. */
const GUARDED = "/metrics";

/**
 * Who may read metrics where there is no policy (`reference/http.md §7.4`): clients
 * with a verified certificate, over TLS. Where there is no TLS listener, PuppetDB denies them to everybody; here clients on
 * this machine may read them.
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
