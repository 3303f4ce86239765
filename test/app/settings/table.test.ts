import { describe, expect, it } from "vitest";
import { meaningOf } from "#app/settings/names.ts";
import { assemble } from "#app/settings/settings.ts";
import type { Given } from "#app/settings/sources/given.ts";
import { declared, sections, type Values } from "#app/settings/table.ts";
import { type Chosen, keyOf, readValues } from "#app/settings/values.ts";

describe("the table of settings", () => {
  it.each(["flag", "variable"] as const)("gives every setting a %s of its own", (key) => {
    const names = declared.map((one) => one[key]);
    expect(names).toStrictEqual([...new Set(names)]);
  });

  it("does not use the names of options of commands", () => {
    const flags = new Set(declared.map(({ flag }) => flag));
    for (const taken of ["config", "check", "output", "memory", "now", "help"]) expect(flags).not.toContain(taken);
  });

  it("lists each setting once, as used or ignored", () => {
    for (const { settings, ignored } of Object.values(sections)) {
      const names = [...Object.keys(settings), ...Object.values(settings).flatMap(({ aliases }) => aliases)];
      expect(names.filter((name) => Object.hasOwn(ignored, name))).toStrictEqual([]);
    }
  });

  it("lets a default depend only on a setting before it", () => {
    for (const [index, { section, setting }] of declared.entries()) {
      const { fallback } = setting;
      if (!("like" in fallback)) continue;
      const before = declared.slice(0, index).filter((one) => one.section === section);
      expect(before.map(({ name }) => name)).toContain(fallback.like);
    }
  });

  it("declares only settings that the program reads", () => {
    const read = new Set<string>();
    const recording = (section: string, values: object): object =>
      new Proxy(values, {
        get: (target, name, receiver) => {
          read.add(keyOf({ section, name: String(name) }));
          return Reflect.get(target, name, receiver) as unknown;
        },
      });
    const values = Object.entries(readValues(new Map(), [])).map(([section, of]) => [section, recording(section, of)]);
    // With listeners of both kinds, every setting has a part in what is assembled.
    const chosen: Chosen = new Map(
      ["port", "ssl-port"].map((name) => {
        const given: Given = { section: "jetty", name, raw: "0", place: { kind: "flag", name } };
        return [keyOf(given), given];
      }),
    );
    assemble(Object.fromEntries(values) as Values, chosen);
    expect(declared.map(keyOf).filter((key) => !read.has(key))).toStrictEqual([]);
  });
});

// reference/config.md §§2–7, and what PuppetDB's configuration code reads besides.
const peer: Readonly<Record<string, { means: string; ignored: string }>> = {
  global: { means: "vardir", ignored: "logging-config product-name update-server url-prefix" },
  puppetdb: {
    means:
      "certificate-allowlist certificate-whitelist add-agent-report-filter log-queries " +
      "query-timeout-default query-timeout-max",
    ignored: "disable-update-checking",
  },
  database: {
    means:
      "migrate node-ttl node-purge-ttl node-purge-gc-batch-limit report-ttl resource-events-ttl gc-interval " +
      "gc-interval-expire-nodes gc-interval-purge-nodes gc-interval-purge-reports gc-interval-packages " +
      "gc-interval-catalogs gc-interval-fact-paths facts-blocklist facts-blacklist facts-blocklist-type",
    ignored:
      "subname username user password migrator-username migrator-password connection-username " +
      "connection-migrator-username read-only? maximum-pool-size conn-max-age conn-lifetime connection-timeout " +
      "schema-check-interval log-statements stats partition-conn-min partition-conn-max partition-count syntax_pgs " +
      "classname subprotocol conn-keep-alive log-slow-statements statements-cache-size",
  },
  "read-database": { means: "", ignored: "subname username password maximum-pool-size node-purge-ttl" },
  "command-processing": {
    means: "threads max-command-size reject-large-commands",
    ignored: "concurrent-writes max-frame-size memory-usage store-usage temp-usage",
  },
  jetty: {
    means:
      "host port ssl-host ssl-port ssl-cert ssl-key ssl-ca-cert ssl-cert-chain ssl-crl-path client-auth ssl-protocols " +
      "cipher-suites request-header-max-size request-body-max-size idle-timeout-milliseconds shutdown-timeout-seconds " +
      "gzip-enable",
    ignored:
      "keystore key-password truststore trust-password allow-renegotiation sni-required jmx-enable acceptor-threads " +
      "selector-threads ssl-acceptor-threads ssl-selector-threads max-threads queue-max-size access-log-config " +
      "so-linger-seconds static-content post-config-script",
  },
  developer: { means: "pretty-print", ignored: "max-enqueued" },
  nrepl: { means: "", ignored: "enabled host port" },
  repl: { means: "", ignored: "enabled type port host" },
  metrics: {
    means: "metrics-webservice.jolokia.enabled metrics-webservice.metricslib.enabled",
    ignored:
      "metrics-webservice.jolokia.servlet-init-params.policyLocation metrics-webservice.mbeans.enabled server-id " +
      "registries.puppetdb.reporters.graphite.enabled reporters.graphite.host",
  },
  authorization: { means: "", ignored: "version rules" },
  status: { means: "", ignored: "debug-logging.interval-minutes cpu-metrics-interval-seconds" },
  sync: { means: "", ignored: "remotes entity-time-limit" },
  "web-router-service": { means: "", ignored: "puppetlabs.puppetdb.pdb-routing/pdb-routing-service.route" },
};

describe("every setting of PuppetDB is known", () => {
  it.each(Object.entries(peer))("[%s]", (section, { means, ignored }) => {
    const kinds = (names: string): [string, string][] =>
      names.split(" ").flatMap((name) => (name === "" ? [] : [[name, meaningOf(section, name).kind]]));
    expect(kinds(means)).toStrictEqual(kinds(means).map(([name]) => [name, "setting"]));
    expect(kinds(ignored)).toStrictEqual(kinds(ignored).map(([name]) => [name, "ignored"]));
  });
});
