import { isBelow } from "../http/paths.ts";
import { isLoopback } from "../listeners/address.ts";
import { type Check, denied, forbidden } from "./check.ts";
import { familiesOf } from "./roles.ts";

/**
 * The rule where there is no policy: people by their role, tokens by what they are for, and clients without either as in
 * PuppetDB, unless they have no certificate where one or a token is possible.
 * @param hasTls whether a TLS listener is configured
 */
export function judgedByRole(hasTls: boolean): Check {
  const metrics = metricsReaders(hasTls);
  return (facts) => {
    const { subject, family, mayIdentify } = facts;
    if (subject === undefined) return mayIdentify === true ? denied(facts, "no credentials") : metrics(facts);
    if (subject.kind === "token" || family === undefined) return undefined;
    if (subject.role !== undefined && familiesOf(subject.role).includes(family)) return undefined;
    return denied(facts, subject.role === undefined ? "no role" : `the role "${subject.role}" has no "${family}"`);
  };
}

/** A token never does more than it is for, whatever a policy allows. */
export const tokenPermissions: Check = (facts) => {
  const { subject, family } = facts;
  if (subject?.kind !== "token" || family === undefined || subject.may.has(family)) return undefined;
  return denied(facts, `the token is not for "${family}"`);
};

/** What sessions and proxies confirm is sent by browsers on their own, so it never changes anything. */
const readByPeople: ReadonlySet<string> = new Set(["pages", "query", "status", "metrics"]);

/** People read, whatever a role or a policy allows; to change something takes a certificate or a token. */
export const peopleOnlyRead: Check = (facts) => {
  const { subject, family, method } = facts;
  if (subject === undefined || subject.kind === "token" || family === undefined || readByPeople.has(family))
    return undefined;
  if (family === "archive" && (method === "GET" || method === "HEAD")) return undefined;
  const { reason } = forbidden(facts, "people only read");
  return { text: "Forbidden: sessions only read; use a token or a certificate", reason };
};

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
