import { isIP } from "node:net";
import { messageOf } from "#storage/errors.ts";
import { isLoopback } from "../listeners/address.ts";
import { readBlocklist } from "./blocklist.ts";
import { subjectOf } from "./sources/given.ts";
import { duration } from "./kinds/durations.ts";
import { hasPlain, hasTls } from "./http.ts";
import type { Values } from "./table.ts";
import { type Chosen, keyOf } from "./values.ts";

/** A rule about more than one setting: the setting to report, and the problem. */
type Rule = (values: Values, chosen: Chosen) => { section: string; name: string; problem: string } | undefined;

function ofCensus(name: string, problem: string): { section: string; name: string; problem: string } {
  return { section: "census", name, problem };
}

/** Whether listeners on these hosts have an address in common. */
function areShared(...hosts: readonly string[]): boolean {
  const addresses = hosts.map((host) => (host === "localhost" ? "127.0.0.1" : host));
  return new Set(addresses).size === 1 || hosts.some((host) => host === "0.0.0.0" || host === "::");
}

const rules: readonly Rule[] = [
  // PuppetDB's (reference/config.md §4).
  ({ database }) => {
    const { "resource-events-ttl": events, "report-ttl": reports } = database;
    const problem = `must not be longer than report-ttl, which is ${duration.print(reports)}`;
    return events > reports ? { section: "database", name: "resource-events-ttl", problem } : undefined;
  },
  ({ database }) => {
    try {
      readBlocklist(database);
      return undefined;
    } catch (error) {
      return {
        section: "database",
        name: "facts-blocklist",
        problem: `contains an invalid regular expression: ${messageOf(error)}`,
      };
    }
  },
  ({ jetty }, chosen) => {
    const missing = (["ssl-cert", "ssl-key", "ssl-ca-cert"] as const).filter((name) => jetty[name] === undefined);
    if (!hasTls(chosen) || missing.length === 0) return undefined;
    const name = chosen.has(keyOf({ section: "jetty", name: "ssl-port" })) ? "ssl-port" : "ssl-host";
    return { section: "jetty", name, problem: `enables TLS, which also needs ${missing.join(", ")}` };
  },
  ({ census: { follow, "command-log": log } }) => {
    const problem = "cannot be used with command-log: follow one of the servers that share the log, or the log itself";
    return follow === undefined || log === undefined ? undefined : { section: "census", name: "follow", problem };
  },
  ({ census: { "follow-cert": cert, "follow-key": key } }) => {
    if ((cert === undefined) === (key === undefined)) return undefined;
    return {
      section: "census",
      name: cert === undefined ? "follow-key" : "follow-cert",
      problem: "needs follow-key and follow-cert",
    };
  },
  ({ jetty, census }, chosen) => {
    const listeners = [
      ...(hasPlain(chosen) ? [{ section: "jetty", name: "port", host: jetty.host, port: jetty.port }] : []),
      ...(hasTls(chosen)
        ? [{ section: "jetty", name: "ssl-port", host: jetty["ssl-host"], port: jetty["ssl-port"] }]
        : []),
      { section: "census", name: "people-port", host: census["people-host"], port: census["people-port"] ?? 0 },
    ];
    const isTaken = (one: (typeof listeners)[number], index: number): boolean =>
      one.port > 0 &&
      listeners.slice(0, index).some((other) => other.port === one.port && areShared(one.host, other.host));
    const found = listeners.find(isTaken);
    if (found === undefined) return undefined;
    // Without it, the default is not what somebody has to correct.
    const name = chosen.has(keyOf(found)) ? found.name : "port";
    const problem = `must not be ${found.port} too: each listener needs a port of its own`;
    return { section: found.section, name, problem };
  },
  ({ census, jetty }, chosen) => {
    if (census["people-port"] === undefined) return undefined;
    const { "people-cert": cert, "people-key": key, "people-proxies": proxies = [] } = census;
    if ((cert === undefined) !== (key === undefined))
      return ofCensus("people-cert", "needs people-key, and the reverse");
    const hasCert = cert !== undefined || (hasTls(chosen) && jetty["ssl-cert"] !== undefined);
    if (!hasCert && proxies.length === 0)
      return ofCensus("people-port", "needs people-cert and people-key, or people-proxies");
    const needsUrl = proxies.length > 0 || census["oidc-issuer"] !== undefined || census["people-host"] === "0.0.0.0";
    if (needsUrl && census["people-url"] === undefined)
      return ofCensus("people-port", "needs people-url: what people type");
    const isHalf = (census["oidc-issuer"] === undefined) !== (census["oidc-client-id"] === undefined);
    if (isHalf) return ofCensus("oidc-issuer", "needs oidc-client-id, and the reverse");
    const hasHeader = census["people-proxy-user-header"] !== undefined;
    if (!hasHeader || proxies.length > 0) return undefined;
    return ofCensus("people-proxy-user-header", "needs people-proxies: everybody could send it");
  },
  // Addresses that need a look-up are checked by the listener.
  ({ jetty: { host }, census }, chosen) => {
    if (!hasPlain(chosen) || census["allow-plain-http"] || isIP(host) === 0 || isLoopback(host)) return undefined;
    const problem = `would expose plain HTTP on ${host} to the network; use ssl-host and ssl-port, or set allow-plain-http`;
    return { section: "jetty", name: "host", problem };
  },
];

/**
 * Checks the settings against each other.
 * @param broken keys of settings without a valid value, about which nothing more is said
 * @returns a line for each rule that is broken
 */
export function checkTogether(values: Values, chosen: Chosen, broken: ReadonlySet<string> = new Set()): string[] {
  return rules.flatMap((rule) => {
    const found = rule(values, chosen);
    if (found === undefined || broken.has(keyOf(found))) return [];
    const { problem, ...names } = found;
    const given = chosen.get(keyOf(names));
    return [`${given === undefined ? keyOf(names) : subjectOf(given)} ${problem}`];
  });
}
