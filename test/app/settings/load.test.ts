import { describe, expect, it } from "vitest";
import { days } from "#storage/time.ts";
import { loadSettings } from "#app/settings/load.ts";
import { entry, load, loadIni } from "./configuration.ts";

/** As PuppetDB's packages install it, with the values of a site. */
const site = {
  "config.ini": "[global]\nvardir = /opt/data\nlogging-config = /etc/logback.xml\n",
  "database.ini":
    "[database]\nsubname = //db:5432/puppetdb\nusername = pdb\npassword = hunter2\nnode-ttl = 30d\ngc-interval = 90\n",
  "jetty.ini":
    "[jetty]\nport = 8080\nssl-host = 0.0.0.0\nssl-port = 8081\n" +
    "ssl-key = /ssl/private.pem\nssl-cert = /ssl/public.pem\nssl-ca-cert = /ssl/ca.pem\n",
  "auth.conf":
    'authorization: {\n  version: 1\n  rules: [ { match-request: { path: "/" type: path } deny: "*" } ]\n}\n',
  "metrics.conf": "metrics: {\n  metrics-webservice: { jolokia: { enabled: false } }\n}\n",
  "jetty.ini.bak": "[jetty]\nport = nonsense\n",
  README: "nothing to read\n",
};

describe("without anything given", () => {
  it("PuppetDB's defaults apply, on plain loopback", async () => {
    const { settings, ignored } = await loadSettings({ env: {}, flags: {} });
    expect(ignored).toStrictEqual([]);
    expect(settings.http).toMatchObject({
      plain: { host: "127.0.0.1", port: 8080, allowPlainHttp: false },
      tls: undefined,
      limits: { headerBytes: 8192, idleMs: 30_000 },
      gzip: true,
    });
    expect(settings.retention).toStrictEqual({
      nodeTtl: days(7),
      nodePurgeTtl: days(14),
      reportTtl: days(14),
      resourceEventsTtl: days(14),
      historyTtl: days(90),
      nodePurgeBatchLimit: 25,
      gcIntervals: {
        expire_nodes: 3_600_000,
        purge_nodes: 3_600_000,
        purge_reports: 3_600_000,
        gc_packages: 3_600_000,
        gc_catalogs: 3_600_000,
        gc_fact_paths: 86_400_000,
      },
    });
    expect(settings.commands).toMatchObject({ rejectLargeCommands: false, verifyChecksum: false });
    expect(settings.queries).toStrictEqual({
      timeoutDefaultMs: 600_000,
      timeoutMaxMs: 0,
      agentReportsOnly: true,
      sql: false,
      pretty: false,
      log: false,
      slowMs: 10_000,
      idleMs: 180_000,
      limits: { depth: 500, conditions: 10_000, values: 1_000_000, columns: 1000, patternBytes: 65_536 },
      patternMs: 10_000,
    });
    expect(settings.factsBlocklist).toStrictEqual({ names: [], patterns: [] });
    expect(settings).toMatchObject({ dataDirectory: undefined, metrics: true, log: { level: "info", format: "auto" } });
  });
});

describe("a conf.d of PuppetDB", () => {
  it("is read unchanged", async () => {
    const { loaded } = await load({ files: site });
    expect(loaded?.settings).toMatchObject({
      dataDirectory: "/opt/data",
      metrics: false,
      http: {
        plain: { host: "127.0.0.1", port: 8080 },
        tls: {
          host: "0.0.0.0",
          port: 8081,
          cert: "/ssl/public.pem",
          key: "/ssl/private.pem",
          caCert: "/ssl/ca.pem",
          clientAuth: "need",
        },
      },
      retention: { nodeTtl: days(30), gcIntervals: { expire_nodes: 5_400_000, gc_fact_paths: 86_400_000 } },
    });
  });

  it("has settings that Census ignores, listed without their values", async () => {
    const { loaded } = await load({ files: site });
    expect(loaded?.ignored.map(({ from, section, name }) => `${from} [${section}] ${name}`)).toStrictEqual([
      "FOLDER/auth.conf:2 [authorization] version",
      "FOLDER/auth.conf:3 [authorization] rules",
      "FOLDER/config.ini:3 [global] logging-config",
      "FOLDER/database.ini:2 [database] subname",
      "FOLDER/database.ini:3 [database] username",
      "FOLDER/database.ini:4 [database] password",
    ]);
    expect(JSON.stringify([loaded?.ignored, loaded?.entries])).not.toContain("hunter2");
  });

  it.each<[string, string, { plain: boolean; tls: boolean }]>([
    ["nothing of it: plain", "[developer]", { plain: true, tls: false }],
    ["TLS alone: no plain listener", "[jetty]\nssl-port = 0", { plain: false, tls: true }],
    ["TLS and a plain port: both", "[jetty]\nssl-port = 0\nport = 0", { plain: true, tls: true }],
    ["TLS and a plain host: both", "[jetty]\nssl-host = ::1\nhost = 127.0.0.1", { plain: true, tls: true }],
    ["certificates alone: no TLS", "[jetty]", { plain: true, tls: false }],
    ["by the web server's own section", "[webserver]\nssl-port = 0", { plain: false, tls: true }],
  ])("opens the configured listeners: %s", async (_what, ini, listeners) => {
    const files = { "jetty.ini": ini, "ssl.ini": "[jetty]\nssl-cert = c\nssl-key = k\nssl-ca-cert = a\n" };
    const { loaded, problems } = await load({ files });
    expect(problems).toStrictEqual([]);
    const { plain, tls } = loaded?.settings.http ?? {};
    expect({ plain: plain !== undefined, tls: tls !== undefined }).toStrictEqual(listeners);
  });
});

describe("the later source takes precedence, and every value has its source", () => {
  const files = { "site.ini": "[database]\nnode-ttl = 1d\nreport-ttl = 1d\nnode-purge-ttl = 1d\n" };
  const env = { CENSUS_DATABASE_NODE_TTL: "2d", CENSUS_DATABASE_NODE_PURGE_TTL: "2d", CENSUS_LOG_LEVEL: "" };
  const flags = { "node-ttl": "3d", migrate: false, data: "/data", _: ["no setting"], "no-setting": "x" };

  it.each<[string, string, string, string]>([
    ["database", "node-ttl", "3d", "--node-ttl"],
    ["database", "node-purge-ttl", "2d", "CENSUS_DATABASE_NODE_PURGE_TTL"],
    ["database", "report-ttl", "1d", "FOLDER/site.ini:3"],
    // It follows report-ttl.
    ["database", "resource-events-ttl", "1d", "default"],
    ["database", "gc-interval", "60", "default"],
    ["database", "migrate", "false", "--migrate"],
    ["global", "vardir", "/data", "--data"],
    // An empty variable sets nothing.
    ["census", "log-level", "info", "default"],
  ])("[%s] %s", async (section, name, value, from) => {
    expect(entry(await load({ files, env, flags }), section, name)).toStrictEqual([value, from]);
  });

  it("a configuration can be named by CENSUS_CONFIG", async () => {
    const missing = "/does/not/exist";
    await expect(loadSettings({ env: { CENSUS_CONFIG: missing }, flags: {} })).rejects.toMatchObject({
      code: "bad-file",
      message: `${missing}: cannot read the configuration: does not exist`,
    });
  });

  it("a folder without configuration is an error", async () => {
    await expect(load({ files: { "notes.txt": "" } })).rejects.toThrow("contains no *.ini, *.conf, *.json");
  });

  it("a relative path is relative to the folder of its file", async () => {
    const outcome = await loadIni("[puppetdb]\ncertificate-allowlist = allowed\n");
    expect(entry(outcome, "puppetdb", "certificate-allowlist")[0]).toBe("FOLDER/allowed");
  });
});

describe("an error has its place", () => {
  it.each<[string, string]>([
    ["[jetty]\nprot = 1", "FOLDER/site.ini:2: [jetty] prot: unknown setting; did you mean port?"],
    [
      "[database]\nreportttl = 1d",
      "FOLDER/site.ini:2: [database] reportttl: unknown setting; did you mean report-ttl?",
    ],
    ["[database]\nport = 1", "FOLDER/site.ini:2: [database] port: unknown setting; it belongs to [jetty]"],
    [
      "[jetty]\nfoobarbaz = 1",
      "FOLDER/site.ini:2: [jetty] foobarbaz: unknown setting; docs/settings.md lists the settings of [jetty]",
    ],
    [
      "[census]\ncommand-log-outbox = 5m",
      "FOLDER/site.ini:2: [census] command-log-outbox: removed in 0.1.0: the log in PostgreSQL needs no copies of commands; delete this setting",
    ],
    [
      "[census]\ncommand-log = nats://nats.example.com/census_log",
      "FOLDER/site.ini:2: command-log: since 0.1.0 the log is in PostgreSQL only, not in NATS JetStream: postgresql://USER@HOST:PORT/DATABASE",
    ],
    ["[jeti]\nport = 1\nhost = a", "FOLDER/site.ini:2: [jeti] port: unknown section; did you mean [jetty]?"],
    ["[databsae]\nnode-ttl = 1d", "FOLDER/site.ini:2: [databsae] node-ttl: unknown section; did you mean [database]?"],
    [
      "[database-two]\nnode-ttl = 1d",
      "FOLDER/site.ini:2: [database-two] node-ttl: Census has one database; set it up in [database]",
    ],
    [
      "[database]\nnode-ttl = 14",
      'FOLDER/site.ini:2: [database] node-ttl must be a duration, e.g. 14d, 12h, 60m, 30s or 500ms, not "14"',
    ],
    [
      "[jetty]\nport = 8080 # plain",
      'FOLDER/site.ini:2: [jetty] port must be a number from 0 to 65535, not "8080 # plain"',
    ],
    [
      "[database]\ngc-interval = -1",
      'FOLDER/site.ini:2: [database] gc-interval must be a number of minutes, 0 or more, e.g. 60 or 0.5, not "-1"',
    ],
    [
      "[jetty]\nport = 1\n[jetty]\nport = 2",
      "FOLDER/site.ini:4: [jetty] port: already set at FOLDER/site.ini:2; remove one of them",
    ],
    [
      "[puppetdb]\ncertificate-whitelist = a\ncertificate-allowlist = b",
      "FOLDER/site.ini:3: [puppetdb] certificate-allowlist: already set at FOLDER/site.ini:2 as certificate-whitelist; remove one of them",
    ],
    [
      "[database]\nreport-ttl = 1d\nresource-events-ttl = 2d",
      "FOLDER/site.ini:3: [database] resource-events-ttl must not be longer than report-ttl, which is 1d",
    ],
    [
      "[database]\nfacts-blocklist-type = regex\nfacts-blocklist = a, (b",
      "FOLDER/site.ini:3: [database] facts-blocklist contains an invalid regular expression: Invalid regular expression: /^(?:(b)$/: Unterminated group",
    ],
    [
      "[jetty]\nssl-port = 8081\nssl-cert = c",
      "FOLDER/site.ini:2: [jetty] ssl-port enables TLS, which also needs ssl-key, ssl-ca-cert",
    ],
    ["[jetty]\ncipher-suites = TLS_NONE", "FOLDER/site.ini:2: cipher-suites: unknown cipher suite TLS_NONE"],
    [
      "[jetty]\nssl-protocols = TLSv9",
      "FOLDER/site.ini:2: ssl-protocols: unknown version TLSv9; use TLSv1.2 and TLSv1.3",
    ],
    [
      "[jetty]\nhost = 0.0.0.0",
      "FOLDER/site.ini:2: [jetty] host would expose plain HTTP on 0.0.0.0 to the network; use ssl-host and ssl-port, or set allow-plain-http",
    ],
  ])("%j", async (text, problem) => {
    expect((await loadIni(text)).problems).toStrictEqual([problem]);
  });

  it.each<[string, string, string]>([
    [
      "site.conf",
      "database { node-ttl: [1d] }",
      'FOLDER/site.conf:1: [database] node-ttl must be a duration, e.g. 14d, 12h, 60m, 30s or 500ms, not ["1d"]',
    ],
    [
      "site.conf",
      "database {\n facts-blocklist: [{a: b}] }",
      "FOLDER/site.conf:2: [database] facts-blocklist must be a comma-separated list, not objects",
    ],
    [
      "site.conf",
      "jetty = 1",
      "FOLDER/site.conf:1: [jetty]: unknown setting; docs/settings.md lists the settings of [jetty]",
    ],
    ["site.yaml", "jetty: {}", "FOLDER/site.yaml: unsupported format; use one of *.ini, *.conf, *.json"],
  ])("in %s: %j", async (name, text, problem) => {
    expect((await load({ files: { [name]: text } })).problems).toStrictEqual([problem]);
  });

  it("in a second file", async () => {
    const files = { "a.ini": "[jetty]\nport = 1\n", "b.conf": "jetty { port: 2 }" };
    expect((await load({ files })).problems).toStrictEqual([
      "FOLDER/b.conf:1: [jetty] port: already set at FOLDER/a.ini:2; remove one of them",
    ]);
  });

  it("in a variable and in an option, with their own names", async () => {
    const { problems } = await load({ env: { CENSUS_LOG_LEVEL: "loud" }, flags: { port: "http" } });
    expect(problems).toStrictEqual([
      '--port must be a number from 0 to 65535, not "http"',
      'CENSUS_LOG_LEVEL must be one of error, warn, info, debug, not "loud"',
    ]);
  });

  it("all errors at once", async () => {
    const files = { "a.ini": "[jetty]\nport = x\nprot = 1\nnothing\n", "b.conf": "{", "c.yaml": "" };
    expect(
      (await load({ files, env: { CENSUS_LOG_LEVL: "warn" } })).problems.map((line) => line.split(" ")[0]),
    ).toStrictEqual([
      "FOLDER/a.ini:4:",
      "FOLDER/b.conf:1:",
      "FOLDER/c.yaml:",
      "CENSUS_LOG_LEVL:",
      "FOLDER/a.ini:3:",
      "FOLDER/a.ini:2:",
    ]);
  });
});

describe("variables", () => {
  it.each<[string, string]>([
    ["CENSUS_LOG_LEVL", "CENSUS_LOG_LEVL: unknown setting; did you mean CENSUS_LOG_LEVEL?"],
    ["CENSUS_DATABSE_NODE_TTL", "CENSUS_DATABSE_NODE_TTL: unknown setting; did you mean CENSUS_DATABASE_NODE_TTL?"],
    ["CENSUS_JETTY_X", "CENSUS_JETTY_X: unknown setting; docs/settings.md lists the variables"],
  ])("%s is reported as unknown", async (variable, problem) => {
    expect((await load({ env: { [variable]: "1" } })).problems).toStrictEqual([problem]);
  });

  it.each([
    "CENSUS_URL",
    "CENSUS_DEBUG",
    // What container platforms make up for a service that is called census.
    "CENSUS_PORT",
    "CENSUS_PORT_8080_TCP",
    "CENSUS_PORT_8080_TCP_ADDR",
    "CENSUS_SERVICE_HOST",
    "CENSUS_SERVICE_PORT",
    "OTHER_LOG_LEVEL",
  ])("%s is ignored", async (variable) => {
    expect((await load({ env: { [variable]: "tcp://10.0.0.1:8080" } })).problems).toStrictEqual([]);
  });
});

describe("effective settings", () => {
  it("a blocklist of names, or of patterns for whole names", async () => {
    const names = await loadIni("[database]\nfacts-blocklist = a.b, c\n");
    expect(names.loaded?.settings.factsBlocklist).toStrictEqual({ names: ["a.b", "c"], patterns: [] });
    const files = { "db.conf": 'database { facts-blocklist-type: regex, facts-blocklist: ["a.*", "b|c"] }' };
    const { patterns = [] } = (await load({ files })).loaded?.settings.factsBlocklist ?? {};
    const hidden = ["ab", "b", "c", "bc", "xa"].filter((name) => patterns.some((pattern) => pattern.test(name)));
    expect(hidden).toStrictEqual(["ab", "b", "c"]);
  });

  it("gc-interval = 0 switches every task off, despite their own intervals (reference/lifecycle.md §5)", async () => {
    const { loaded } = await loadIni("[database]\ngc-interval = 0\ngc-interval-packages = 5\n");
    expect(new Set(Object.values(loaded?.settings.retention.gcIntervals ?? {}))).toStrictEqual(new Set([0]));
  });

  it("fact paths are collected at gc-interval if that is longer than a day", async () => {
    const { loaded } = await loadIni("[database]\ngc-interval = 2880\n");
    expect(loaded?.settings.retention.gcIntervals.gc_fact_paths).toBe(2 * 86_400_000);
  });

  it("the allowed clients, as the access rules expect them", async () => {
    const { loaded } = await loadIni(
      "[puppetdb]\ncertificate-allowlist = /allowed\n[census]\nallowed-hosts = census.example.com\n" +
        "allowed-origins = https://a.example.com\nauthorization-policy = /policy.json\n",
    );
    expect(loaded?.settings.access).toStrictEqual({
      hasTls: false,
      hosts: ["127.0.0.1", "census.example.com"],
      origins: ["https://a.example.com"],
      allowlist: "/allowed",
      policy: "/policy.json",
    });
  });

  it("0s as slow-query-threshold: no query is slow", async () => {
    const { loaded } = await loadIni("[census]\nslow-query-threshold = 0s\n");
    expect(loaded?.settings.queries.slowMs).toBeUndefined();
  });

  it("plain HTTP beyond loopback if it is allowed, or if there is no plain listener", async () => {
    const said = await loadIni("[jetty]\nhost = 0.0.0.0\n[census]\nallow-plain-http = true\n");
    expect(said.loaded?.settings.http.plain).toStrictEqual({ host: "0.0.0.0", port: 8080, allowPlainHttp: true });
    const tls = await loadIni("[jetty]\nssl-host = 0.0.0.0\nssl-cert = c\nssl-key = k\nssl-ca-cert = a\n");
    expect(tls.problems).toStrictEqual([]);
    expect(entry(tls, "jetty", "port")).toStrictEqual([null, "default"]);
  });
});

function listening(host: string, port: number): Readonly<Record<string, string>> {
  const own = "host = 127.0.0.1\nport = 8080\nssl-cert = a\nssl-key = b\nssl-ca-cert = c";
  return { "jetty.ini": `[jetty]\nssl-host = ${host}\nssl-port = ${port}\n${own}\n` };
}

describe("the ports of plain HTTP and TLS", () => {
  const problem = "FOLDER/jetty.ini:3: [jetty] ssl-port must not be 8080 too: each listener needs a port of its own";
  it.each<[string, number, string[]]>([
    ["127.0.0.1", 8080, [problem]],
    ["0.0.0.0", 8080, [problem]],
    ["127.0.0.2", 8080, []],
    ["127.0.0.1", 8081, []],
  ])("on %s:%i", async (host, port, problems) => {
    expect((await load({ files: listening(host, port) })).problems).toEqual(problems);
  });
});

function withPeople(own: string): Readonly<Record<string, string>> {
  const both = "port = 8080\nssl-port = 8081\nssl-cert = a\nssl-key = b\nssl-ca-cert = c";
  return { "a.ini": `[jetty]\n${both}\n[census]\n${own}\n` };
}

describe("the port for people", () => {
  const taken = "FOLDER/a.ini:8: [census] people-port must not be 8080 too: each listener needs a port of its own";
  it.each<[string, string[]]>([
    ["people-port = 8080", [taken]],
    ["people-port = 8081", [taken.replace("8080", "8081")]],
    ["people-port = 8080\npeople-host = 0.0.0.0\npeople-url = https://census.example.com", [taken]],
    ["people-port = 8080\npeople-host = 127.0.0.2", []],
    ["people-port = 8443", []],
  ])("is its own: %j", async (own, problems) => {
    expect((await load({ files: withPeople(own) })).problems).toEqual(problems);
  });
});

describe("the conf.d of the container images of OpenVoxDB and PuppetDB", () => {
  // In the form that these images have: HOCON with variables of the environment beside an ini file.
  const files = {
    "config.conf":
      "global: {\n  vardir: /opt/puppetlabs/server/data/puppetdb\n  logging-config: /etc/x/logback.xml\n}\n",
    "database.conf": [
      "database: {",
      '  subname: "//"${OPENVOXDB_POSTGRES_HOSTNAME}":"${OPENVOXDB_POSTGRES_PORT}"/"${OPENVOXDB_POSTGRES_DATABASE}',
      "  username: ${OPENVOXDB_POSTGRES_USER}",
      "  password: ${OPENVOXDB_POSTGRES_PASSWORD}",
      "  node-ttl: ${OPENVOXDB_NODE_TTL}",
      "  report-ttl: ${OPENVOXDB_REPORT_TTL}",
      "}",
    ].join("\n"),
    "read-database.conf": 'read-database: {\n  subname: "//"${PUPPETDB_POSTGRES_HOSTNAME}\n}\n',
    "puppetdb.conf": "puppetdb: {\n  disable-update-checking: true\n}\n",
    "auth.conf":
      'authorization: {\n  version: 1\n  rules: [\n    {\n      match-request: { path: "/", type: path }\n      allow: "*"\n    }\n  ]\n}\n',
    "jetty.ini":
      "[jetty]\nhost = 127.0.0.1\nport = 8080\nclient-auth = want\naccess-log-config = /etc/x/request-logging.xml\n",
  };

  it("is read with the variables; those of the database, which Census has not, may be missing", async () => {
    const outcome = await load({ files, env: { OPENVOXDB_NODE_TTL: "3d", OPENVOXDB_REPORT_TTL: "9d" } });
    expect(outcome.problems).toEqual([]);
    expect(entry(outcome, "database", "node-ttl")).toEqual(["3d", "FOLDER/database.conf:5"]);
    expect(entry(outcome, "database", "report-ttl")).toEqual(["9d", "FOLDER/database.conf:6"]);
    expect(outcome.loaded?.ignored.map(({ name }) => name)).toEqual(expect.arrayContaining(["subname", "password"]));
  });

  it("has an error where a variable that counts is missing", async () => {
    const { problems } = await load({ files, env: { OPENVOXDB_REPORT_TTL: "9d" } });
    expect(problems).toEqual([
      "FOLDER/database.conf:5: [database] node-ttl: ${OPENVOXDB_NODE_TTL} is set neither in the file nor as a variable of the environment",
    ]);
  });
});
