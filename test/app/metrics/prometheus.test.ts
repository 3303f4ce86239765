import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serviceMetrics } from "#app/metrics/prometheus/service.ts";
import { metricText, sampleText } from "#app/metrics/prometheus/text.ts";
import { Registry } from "#storage/metrics/registry.ts";
import { a, emptyStore } from "#test/fixture-store.ts";
import { Browser, serveWithAccess } from "#test/app/sign-in/served.ts";
import { healthy, serveMetrics, type ServedMetrics } from "#test/app/metrics/fixture-metrics.ts";

describe("the text format", () => {
  it("has HELP and TYPE lines and a line per sample", () => {
    const text = metricText({
      name: "puppetdb_x_total",
      type: "counter",
      help: "Of\nx",
      samples: [
        { labels: {}, value: 1 },
        { labels: { a: 'q"\\\n', b: "2" }, value: 0.5 },
      ],
    });
    expect(text).toBe(
      [
        String.raw`# HELP puppetdb_x_total Of\nx`,
        "# TYPE puppetdb_x_total counter",
        "puppetdb_x_total 1",
        String.raw`puppetdb_x_total{a="q\"\\\n",b="2"} 0.5`,
        "",
      ].join("\n"),
    );
  });

  it.each([
    [Infinity, "x +Inf\n"],
    [-Infinity, "x -Inf\n"],
    [Number.NaN, "x NaN\n"],
  ])("writes %d", (value, text) => expect(sampleText("x", { labels: {}, value })).toBe(text));
});

function registryOf(make: (registry: Registry) => void): Registry {
  const made = new Registry(() => 0);
  make(made);
  return made;
}

describe("an instrument's metric", () => {
  it.each<[string, (registry: Registry) => void, string]>([
    ["a meter", (r) => r.get("mq", "global.seen", "meter").mark(3), "puppetdb_mq_global_seen_total 3"],
    [
      "a command's meter",
      (r) => r.get("mq", "replace facts.5.seen", "meter").mark(2),
      'puppetdb_mq_command_seen_total{command="replace facts",version="5"} 2',
    ],
    ["a depth", (r) => r.get("mq", "global.depth", "counter").add(2), "puppetdb_mq_global_depth 2"],
    ["a counter", (r) => r.get("admin", "node-purges", "counter").add(2), "puppetdb_admin_node_purges_total 2"],
    [
      "letters",
      (r) => r.get("dlo", "replace facts.filesize", "counter").add(9),
      'puppetdb_dlo_command_filesize_bytes{command="replace facts"} 9',
    ],
    [
      "a timer",
      (r) => r.get("storage", "gc-time", "timer").update(1500),
      'puppetdb_storage_gc_time_seconds{quantile="0.99"} 1.5',
    ],
    [
      "a timer's sum",
      (r) => r.get("storage", "gc-time", "timer").update(1500),
      "puppetdb_storage_gc_time_seconds_sum 1.5",
    ],
    [
      "a histogram",
      (r) => r.get("mq", "global.size", "histogram").update(80),
      'puppetdb_mq_global_size_bytes{quantile="0.5"} 80',
    ],
    [
      "a pool's gauge",
      (r) => r.gauge("database", "PDBReadPool.pool.ActiveConnections", () => 4),
      'puppetdb_database_active_connections{pool="PDBReadPool"} 4',
    ],
    [
      "a fraction",
      (r) => r.gauge("population", "avg-resources-per-node", () => "7/2"),
      "puppetdb_population_avg_resources_per_node 3.5",
    ],
    [
      "a URL's answers",
      (r) => r.get("http", "/pdb/cmd/v1.200", "meter").mark(5),
      'puppetdb_http_responses_total{path="/pdb/cmd/v1",status="200"} 5',
    ],
    [
      "a URL's time in buckets",
      (r) => r.get("http", "/pdb/cmd/v1.service-time", "timer").update(20),
      'census_http_request_duration_seconds_bucket{path="/pdb/cmd/v1",le="0.025"} 1',
    ],
    [
      "a command's time in buckets, also of longer ones",
      (r) => r.get("mq", "replace facts.5.processing-time", "timer").update(20_000),
      'census_command_processing_duration_seconds_bucket{command="replace facts",version="5",le="+Inf"} 1',
    ],
    [
      "a URL's time",
      (r) => r.get("http", "/pdb/cmd/v1.service-time", "timer").update(20),
      'puppetdb_http_service_time_seconds_count{path="/pdb/cmd/v1"} 1',
    ],
  ])("of %s", async (_, make, line) => {
    const text = (await serviceMetrics(registryOf(make))).map(metricText).join("");
    expect(text.split("\n")).toContain(line);
  });

  it.each<[string, () => string]>([
    ["is a word", () => "expiring-nodes"],
    [
      "fails",
      () => {
        throw new Error("no");
      },
    ],
  ])("is omitted if its gauge %s", async (_, read) => {
    const metrics = await serviceMetrics(registryOf((r) => r.gauge("admin", "cleaning", read)));
    expect(metrics.map(metricText).join("")).toBe("");
  });
});

describe("GET /metrics", () => {
  let service: ServedMetrics;
  beforeAll(async () => {
    const store = await emptyStore();
    const metrics = [
      { category: "events", name: "total", value: 2 },
      { category: "resources", name: "failed_to_restart", value: 1 },
      { category: "other", name: "total", value: 5 },
    ];
    const report = { environment: "production", metrics };
    // Now is the 21st at midnight: what is older than two hours is late.
    const late = { start_time: "2026-11-20T20:00:00Z", end_time: "2026-11-20T20:01:00Z" };
    const timely = { start_time: "2026-11-20T23:00:00Z", end_time: "2026-11-20T23:01:00Z" };
    for (const submission of [
      a.report("fresh", { ...report, ...timely, producer_timestamp: "2026-11-20T23:01:00Z", status: "changed" }),
      a.report("late", { ...report, ...late, producer_timestamp: "2026-11-20T20:01:00Z", status: "changed" }),
      a.report("gone", { ...report, ...timely, producer_timestamp: "2026-11-20T23:01:00Z", status: "failed" }),
      a.deactivation("gone", "2026-11-20T23:30:00Z"),
      a.facts("silent"),
    ]) {
      await store.submit(submission);
    }
    service = await serveMetrics(store);
  });
  afterAll(() => service.close());

  it("returns no series of single nodes unless they are selected or metrics-per-node is set", async () => {
    const { text } = await service.get("/metrics");
    expect(text).toContain('puppetdb_node_report_status_count{status="changed"} 1');
    const states = { "never reported": 1, silent: 1, failed: 0, changed: 1, "hidden failure": 0 };
    for (const [state, count] of Object.entries(states))
      expect(text).toContain(`census_nodes{state="${state}"} ${count}`);
    expect(text).toContain('census_silent_nodes{last_run="changed"} 1');
    expect(text).toContain('census_issues{state="new"} 0');
    expect(text).not.toContain("puppet_report");
    const store = await emptyStore();
    await store.submit(a.report("web", {}));
    const perNode = await serveMetrics(store, healthy, true);
    try {
      expect((await perNode.get("/metrics")).text).toContain('host="web"');
    } finally {
      await perNode.close();
    }
  });

  it("returns metrics of the process, the instruments, the nodes and their reports", async () => {
    service.context.registry.get("mq", "global.seen", "meter").mark();
    const all = ["service", "fleet", "nodes", "reports"].map((name) => `collect[]=${name}`).join("&");
    const { status, headers, text } = await service.get(`/metrics?${all}`);
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
    const lines = text.split("\n");
    // 2026-11-20T23:01:00Z and 20:01:00Z
    expect(lines).toEqual(
      expect.arrayContaining([
        "puppetdb_mq_global_seen_total 1",
        'puppet_report{environment="production",host="fresh",deactivated="false"} 1795215660',
        'puppet_report{environment="production",host="late",deactivated="false"} 1795204860',
        'puppet_report{environment="production",host="gone",deactivated="true"} 1795215660',
        'puppetdb_node_report_status_count{status="changed"} 1',
        'puppetdb_node_report_status_count{status="unreported"} 2',
        'puppet_report_events{name="Total",environment="production",host="fresh"} 2',
        'puppet_report_resources{name="Failed to restart",environment="production",host="late"} 1',
      ]),
    );
    expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
    expect(text).not.toContain("puppet_report_other");
    expect(text).not.toMatch(/status="failed"/);
  });

  it("writes the lines of every metric together, with HELP and TYPE once", async () => {
    const { text } = await service.get("/metrics");
    const heads = text.split("\n").flatMap((line) => /^# TYPE (\S+)/.exec(line)?.[1] ?? []);
    expect(new Set(heads).size).toBe(heads.length);
    // Every sample's name begins with that of the head above it.
    const strays = text.split(/^# HELP /m).flatMap((block) => {
      const [help = "", type = "", ...samples] = block.trimEnd().split("\n");
      const name = help.split(" ")[0] ?? "";
      return type === ""
        ? []
        : samples.filter((sample) => !new RegExp(`^${name}(?:_sum|_count|_bucket)?[{ ]`).test(sample));
    });
    expect(strays).toEqual([]);
  });

  it("returns only the requested collectors", async () => {
    const { text } = await service.get("/metrics?collect%5B%5D=nodes");
    expect(text).toContain("puppet_report{");
    expect(text).not.toContain("puppetdb_node_report_status_count");
    expect(text).not.toContain("process_");
    expect(text).not.toContain("puppet_report_events");
  });

  it("refuses unknown collectors", async () => {
    const { status, text } = await service.get("/metrics?collect[]=nope");
    expect([status, text]).toEqual([
      400,
      "Unknown collector 'nope'; collect[] must be one of service, fleet, nodes, reports",
    ]);
    expect(await service.send("POST", "/metrics")).toMatchObject({
      status: 403,
      text: expect.stringContaining("Forbidden request: /metrics (method :post)"),
    });
  });
});

describe("tokens and people", () => {
  it("are counted where they are recognised", async () => {
    await using served = await serveWithAccess(
      (access) => {
        access.token("ci", { may: ["reader"] });
        access.token("unused", { may: ["query"] });
        access.user("alice");
      },
      { people: {} },
    );
    const browser = new Browser(served);
    await browser.signIn("alice", "wrong");
    await browser.signIn("alice");
    await browser.post("/sign-out", {});
    const headers = { "x-authentication": served.access.tokens["ci"] ?? "" };
    await served.tls("/pdb/query/v4/nodes", "anonymous", { headers });
    await served.tls("/pdb/admin/v1/archive", "anonymous", { headers });
    const { text } = await served.tls("/metrics?collect[]=service", "anonymous", { headers });
    expect(text.split("\n").filter((line) => /census_(?:sign_in|token)/.test(line))).toEqual([
      "# HELP census_sign_in_total Attempts to sign in",
      "# TYPE census_sign_in_total counter",
      'census_sign_in_total{how="password",result="failed"} 1',
      'census_sign_in_total{how="password",result="ok"} 1',
      "# HELP census_token_requests_total Admitted requests with a token",
      "# TYPE census_token_requests_total counter",
      'census_token_requests_total{name="ci"} 2',
    ]);
  });
});
