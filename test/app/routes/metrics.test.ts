import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HttpMetrics } from "#storage/metrics/families/http.ts";
import { populationMetrics } from "#storage/metrics/families/population.ts";
import { poolMetrics } from "#storage/metrics/families/pools.ts";
import { DeadLetterMetrics } from "#storage/metrics/families/dead-letters.ts";
import { Database } from "#storage/engine/database.ts";
import { migrate } from "#storage/schema/migrate.ts";
import { emptyStore, NOW } from "#test/fixture-store.ts";
import { serveMetrics, type ServedMetrics } from "#test/app/metrics/fixture-metrics.ts";

let service: ServedMetrics;
let database: Database;
beforeAll(async () => {
  service = await serveMetrics(await emptyStore());
  database = await Database.open();
  await migrate(database);
  const { registry } = service.context;
  populationMetrics(registry, database);
  poolMetrics(registry, database);
  new HttpMetrics(registry).answered(["/pdb/cmd/v1"], 200, 4);
  new DeadLetterMetrics(registry).added({ command: "replace facts", size: 7 });
  registry.get("mq", "replace facts.5.seen", "meter").mark(3);
  registry.get("mq", "global.size", "histogram").update(10);
  registry.get("mq", "global.depth", "counter").add(2);
  registry.gauge("admin", "cleaning", () => "");
});
afterAll(async () => {
  await service.close();
  await database.close();
});

const post = async (body: unknown, path = "/metrics/v2", headers: Record<string, string> = {}): Promise<unknown> =>
  JSON.parse((await service.send("POST", path, JSON.stringify(body), headers)).text);

const memoryKeys = ["init", "committed", "max", "used"];
const rates = ["MeanRate", "OneMinuteRate", "FiveMinuteRate", "FifteenMinuteRate", "RateUnit"];
const percentiles = ["50th", "75th", "95th", "98th", "99th", "999th"].map((nth) => `${nth}Percentile`);
const distribution = ["Min", "Max", "Mean", "StdDev", ...percentiles];
const javaArgument = "java.lang.IllegalArgumentException";

describe("the transport of /metrics/v2", () => {
  it("is 200 with headers against caching, whatever comes of it", async () => {
    for (const path of ["", "/read/java.lang:type=Nope", "/nope"]) {
      const { status, headers } = await service.get(`/metrics/v2${path}`);
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        "content-type": "application/json;charset=utf-8",
        "cache-control": "no-cache",
        pragma: "no-cache",
      });
      expect(Date.parse(headers["date"] ?? "") - Date.parse(headers["expires"] ?? "")).toBe(3_600_000);
    }
  });

  it("escapes slashes", async () => {
    const { text } = await service.get("/metrics/v2/read/svc.http:name=!/pdb!/cmd!/v1.200/Count");
    expect(text).toContain(String.raw`"mbean":"svc.http:name=\/pdb\/cmd\/v1.200"`);
  });

  it("is plain text for those who ask for that", async () => {
    const { text, headers } = await service.get("/metrics/v2/search/java.lang:type=Memory?mimeType=text/plain");
    expect(headers["content-type"]).toBe("text/plain;charset=utf-8");
    expect(JSON.parse(text)).toMatchObject({ value: ["java.lang:type=Memory"] });
  });

  it("takes the path as a parameter", async () => {
    expect(await service.ask("?p=search/java.lang:type=Memory")).toMatchObject({ value: ["java.lang:type=Memory"] });
  });

  it.each(["PUT", "DELETE", "HEAD", "OPTIONS"])("refuses %s", async (method) => {
    const answer = await service.send(method, "/metrics/v2/list");
    expect(answer.status).toBe(403);
    expect(answer.headers["content-type"]).toBe("text/plain;charset=utf-8");
    const text = `Forbidden request: /metrics/v2/list (method :${method.toLowerCase()}). Please see the server logs for details.`;
    expect(answer.text).toBe(method === "HEAD" ? "" : text);
  });

  it("lets pages of its own origin read an answer", async () => {
    const { host } = new URL(service.url);
    const { headers } = await service.get("/metrics/v2/version", { origin: service.url, host });
    expect(headers).toMatchObject({
      "access-control-allow-origin": service.url,
      "access-control-allow-credentials": "true",
    });
  });

  it.each(["http://evil.example", "null"])("never lets a page of the origin %s read an answer", async (origin) => {
    const { headers } = await service.get("/metrics/v2/version", { origin });
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  });
});

describe("a callback", () => {
  const path = "/metrics/v2/search/java.lang:type=Memory?callback=show";

  it("wraps the answer", async () => {
    const { text, headers } = await service.get(path);
    expect(headers["content-type"]).toBe("text/javascript;charset=utf-8");
    expect(text).toMatch(/^show\(\{.*\}\);$/);
  });

  it.each([
    ["cross-site", undefined],
    ["same-site", undefined],
    [undefined, "http://evil.example/page"],
  ])("gets nothing out for a page of another origin (%s, %s)", async (site, referer) => {
    const { text } = await service.get(path, {
      ...(site === undefined ? {} : { "sec-fetch-site": site }),
      ...(referer === undefined ? {} : { referer }),
    });
    expect(JSON.parse(text)).toMatchObject({ status: 400, error_type: javaArgument });
  });

  it("may be a name of a module", async () => {
    expect((await service.get(path.replace("show", "pages.show"))).text).toMatch(/^pages\.show\(\{.*\}\);$/);
  });

  it.each(["alert(1)", ".a", "a.", "a..b", "1a", "a[0]", "a;b", "a%0A", "%C5%BFhow", "%3Cscript%3E", "a".repeat(129)])(
    "has to be a name: %s",
    async (name) => {
      const { text, headers } = await service.get(`/metrics/v2/list?callback=${name}`);
      expect(headers["content-type"]).toBe("application/json;charset=utf-8");
      expect(JSON.parse(text)).toMatchObject({
        status: 400,
        error: `${javaArgument} : Invalid callback name given, which must be a valid javascript function name`,
      });
    },
  );
});

describe("read", () => {
  it("answers all attributes, in the recorded order of keys", async () => {
    const answer = await service.ask("/read/java.lang:type=Memory");
    expect(Object.keys(answer)).toEqual(["request", "value", "timestamp", "status"]);
    expect(Object.keys(answer["request"] as object)).toEqual(["mbean", "type"]);
    expect(answer).toMatchObject({ timestamp: Number(NOW / 1_000_000n), status: 200 });
    const value = answer["value"] as Record<string, Record<string, number>>;
    expect(Object.keys(value)).toEqual([
      "ObjectPendingFinalizationCount",
      "Verbose",
      "HeapMemoryUsage",
      "NonHeapMemoryUsage",
      "ObjectName",
    ]);
    expect(value["ObjectName"]).toEqual({ objectName: "java.lang:type=Memory" });
    for (const usage of ["HeapMemoryUsage", "NonHeapMemoryUsage"]) {
      expect(Object.keys(value[usage] ?? {})).toEqual(memoryKeys);
      expect(value[usage]?.["used"]).toBeGreaterThan(0);
    }
  });

  it.each([
    ["gauge", "database:name=PDBReadPool.pool.IdleConnections", ["Value"]],
    ["counter", "mq:name=global.depth", ["Count"]],
    ["meter", "mq:name=replace facts.5.seen", ["Count", ...rates]],
    ["histogram", "mq:name=global.size", ["Count", ...distribution, "SnapshotSize"]],
    ["timer", "http:name=/pdb/cmd/v1.service-time", ["Count", ...rates, ...distribution, "DurationUnit"]],
  ])("shows what a %s has, under both prefixes", async (_, name, attributes) => {
    for (const prefix of ["svc", "puppetlabs.puppetdb"]) {
      const answer = await post({ type: "read", mbean: `${prefix}.${name}` });
      expect(Object.keys((answer as { value: object }).value)).toEqual(attributes);
    }
  });

  it.each([
    ["one attribute", "/Verbose", false],
    [
      "several attributes",
      "/Verbose,ObjectPendingFinalizationCount",
      { Verbose: false, ObjectPendingFinalizationCount: 0 },
    ],
  ])("answers %s", async (_, path, value) => {
    expect(await service.ask(`/read/java.lang:type=Memory${path}`)).toMatchObject({ value, status: 200 });
  });

  it("follows a path into a value", async () => {
    const answer = await service.ask("/read/java.lang:type=Memory/HeapMemoryUsage/used");
    expect(answer).toMatchObject({
      request: { path: "used", mbean: "java.lang:type=Memory", attribute: "HeapMemoryUsage", type: "read" },
      value: expect.any(Number) as number,
    });
    expect(Object.keys(answer["request"] as object)).toEqual(["path", "mbean", "attribute", "type"]);
  });

  it.each(["/read/java.lang:*/HeapMemoryUsage/*/used", "/read/java.lang:*/HeapMemoryUsage/*/*/used"])(
    "filters what a pattern finds: %s",
    async (path) => {
      expect(await service.ask(path)).toMatchObject({
        value: { "java.lang:type=Memory": { HeapMemoryUsage: expect.any(Number) as number } },
        status: 200,
      });
    },
  );

  it("answers a pattern by MBean, leaving out those without the attribute", async () => {
    const { value } = (await service.ask("/read/java.lang:*/ThreadCount,Verbose")) as { value: object };
    expect(Object.keys(value)).toContain("java.lang:type=Memory");
    expect(Object.keys(value)).not.toContain("java.lang:type=Runtime");
    expect(Object.keys(value)).toEqual(Object.keys(value).toSorted());
  });

  it.each([
    "/read/svc.http:name=!/pdb!/cmd!/v1.200/Count",
    "/read/svc.http:name=%21%2Fpdb%21%2Fcmd%21%2Fv1.200/Count",
    "/read/puppetlabs.puppetdb.http:name=!/pdb!/cmd!/v1.200/Count",
    "/read/svc.http:name=commands.200/Count",
  ])("finds %s", async (path) => expect(await service.ask(path)).toMatchObject({ value: 1 }));

  it.each([
    ["svc.database:PDBWritePool.TotalConnections", 1],
    ["svc.database:PDBWritePool.pool.TotalConnections", 1],
    ["puppetlabs.puppetdb.database:name=PDBWritePool.pool.MaxConnections", 1],
    ["svc.population:name=num-nodes", 0],
  ])("finds the gauge %s", async (name, value) => {
    expect(await service.ask(`/read/${name}/Value`)).toMatchObject({ value });
  });

  it.each(["puppetlabs.puppetdb.dlo.global.filesize", "global.filesize"])("finds the letters as %s", async (name) => {
    expect(await service.ask(`/read/puppetlabs.puppetdb.dlo:name=${name}/Count`)).toMatchObject({ value: 7 });
  });

  it("cuts a value to the limits that are asked for", async () => {
    const deep = await service.ask("/read/java.lang:type=Memory/HeapMemoryUsage,Verbose?maxDepth=1");
    expect(deep["value"]).toMatchObject({
      HeapMemoryUsage: expect.stringContaining("committed") as string,
      Verbose: false,
    });
    const few = await service.ask("/read/java.lang:type=Memory/HeapMemoryUsage?maxCollectionSize=2");
    expect(Object.keys(few["value"] as object)).toEqual(["init", "committed"]);
    const objects = await service.ask("/read/java.lang:type=Memory/HeapMemoryUsage?maxObjects=2");
    expect(objects["value"]).toMatchObject({ used: "[Object limit exceeded]" });
  });
});

describe("a request that fails", () => {
  // reference/metrics.md §2
  it.each([
    ["/read/java.lang:type=Memory/Nope", 404, "javax.management.AttributeNotFoundException : No such attribute: Nope"],
    [
      "/read/java.lang:type=Memory/Verbose,Nope",
      404,
      "javax.management.AttributeNotFoundException : No such attribute: Nope",
    ],
    ["/read/java.lang:type=Nope", 404, "javax.management.InstanceNotFoundException : java.lang:type=Nope"],
    [
      "/read/nope:*",
      404,
      "javax.management.InstanceNotFoundException : No MBean with pattern nope:* found for reading attributes",
    ],
    [
      "/read/java.lang:type=M*/Nope",
      400,
      `${javaArgument} : No matching attributes [Nope] found on MBeans [java.lang:type=Memory]`,
    ],
    ["/read/java.lang:", 400, `${javaArgument} : Invalid object name. Key properties cannot be empty`],
    ["/read", 400, `${javaArgument} : Invalid arguments in pathinfo /read for command READ`],
    ["/search", 400, `${javaArgument} : Invalid arguments in pathinfo /search for command SEARCH`],
    ["/nope", 400, `${javaArgument} : No type with name 'nope' exists`],
    [
      "/read/java.lang:type=Memory/HeapMemoryUsage/x",
      404,
      "javax.management.AttributeNotFoundException : Invalid path 'x'",
    ],
    ["/read/java.lang:type=Memory/HeapMemoryUsage/*", 400, `${javaArgument} : Path '*' must not end with a wildcard`],
    ["/read/svc.population:name=avg-resources-per-node", 500, "java.lang.ArithmeticException : Divide by zero"],
    ["/list/java.lang/type=Nope", 400, `${javaArgument} : No MBean 'java.lang:type=Nope' found`],
    ["/list/java.lang/type=Memory/nope", 400, `${javaArgument} : Illegal path element nope`],
    [
      "/exec/java.lang:type=Memory/gc",
      403,
      "java.lang.Exception : Operation gc forbidden for MBean java.lang:type=Memory",
    ],
    [
      "/write/java.lang:type=Memory/Verbose/true",
      403,
      "java.lang.Exception : Writing attribute Verbose forbidden for MBean java.lang:type=Memory",
    ],
    ["/list?maxDepth=x", 400, 'java.lang.NumberFormatException : For input string: "x"'],
  ])("%s: %i", async (path, status, error) => {
    const answer = await service.ask(path);
    expect(answer).toMatchObject({ status, error, error_type: error.split(" : ")[0] });
    expect(Object.keys(answer).filter((key) => key !== "request")).toEqual(["error_type", "error", "status"]);
  });

  it.each([
    ["/read/java.lang:type=Nope", { mbean: "java.lang:type=Nope", type: "read" }],
    ["/exec/java.lang:type=Memory/gc", { mbean: "java.lang:type=Memory", operation: "gc", type: "exec" }],
    [
      "/write/java.lang:type=Memory/Verbose/true",
      { mbean: "java.lang:type=Memory", attribute: "Verbose", value: "true", type: "write" },
    ],
    ["/read/java.lang:", undefined],
    ["/nope", undefined],
  ])("%s is repeated as %j", async (path, request) => {
    expect((await service.ask(path))["request"]).toEqual(request);
  });

  it("names the map that a path is lost in", async () => {
    const { error } = await service.ask("/read/java.lang:type=Memory/Verbose,ObjectPendingFinalizationCount/x");
    expect(error).toMatch(/^javax\.management\.AttributeNotFoundException : Map key 'x' is unknown for map \{/);
  });

  it("leaves the other attributes alone where errors are to be ignored", async () => {
    const answer = await service.ask("/read/java.lang:type=Memory/Verbose,Nope?ignoreErrors=true");
    expect(answer).toMatchObject({
      status: 200,
      value: {
        Verbose: false,
        Nope: "ERROR: No such attribute: Nope (class javax.management.AttributeNotFoundException)",
      },
    });
  });

  it("tells more where more is asked for", async () => {
    const answer = await service.ask("/read/java.lang:type=Nope?includeStackTrace=true&serializeException=true");
    expect(answer).toMatchObject({
      stacktrace: expect.stringMatching(/^javax\.management\.InstanceNotFoundException/) as string,
      error_value: { message: "java.lang:type=Nope" },
    });
  });
});

describe("list", () => {
  it("shows every domain, under both prefixes", async () => {
    const { value } = (await service.ask("/list?maxDepth=1")) as { value: object };
    expect(value).toMatchObject({
      "java.lang": "1",
      "svc.mq": "1",
      "svc.http": "1",
      "puppetlabs.puppetdb.mq": "1",
      "puppetlabs.puppetdb.population": "1",
    });
  });

  it("shows names with two levels", async () => {
    const { value } = (await service.ask("/list?maxDepth=2")) as { value: Record<string, object> };
    expect(value["java.lang"]).toMatchObject({ "type=Memory": "1", "type=Threading": "1" });
    expect(value["svc.mq"]).toMatchObject({ "name=replace facts.5.seen": "1" });
  });

  it.each([
    ["/list/java.lang/type=Memory/attr/Verbose", { rw: false, type: "boolean", desc: "Verbose" }],
    [
      "/list/svc.mq/name=global.depth/attr",
      { Count: { rw: false, type: "long", desc: "Attribute exposed for management" } },
    ],
    ["/list/svc.mq/name=global.depth/class", "com.codahale.metrics.JmxReporter$JmxCounter"],
    [
      "/list/svc.mq/name=global.depth/op/objectName",
      { args: [], ret: "javax.management.ObjectName", desc: "Operation exposed for management" },
    ],
    ["/list/svc.mq/name=global.depth/not", {}],
    ["/list/nope", {}],
    ["/list/constructor", {}],
  ])("%s", async (path, value) => expect(await service.ask(path)).toMatchObject({ status: 200, value }));

  it("describes an MBean with what it has", async () => {
    const { value } = (await service.ask("/list/svc.mq/name=global.size")) as { value: object };
    expect(Object.keys(value)).toEqual(["op", "attr", "class", "desc"]);
  });
});

describe("search and version", () => {
  it.each([
    ["/search/*:type=Memory", ["java.lang:type=Memory"]],
    ["/search/nope:*", []],
    ["/search/svc.mq:name=global.d*", ["svc.mq:name=global.depth"]],
  ])("%s", async (path, value) => expect(await service.ask(path)).toMatchObject({ value, status: 200 }));

  it("keeps the order in which a name was written, if asked", async () => {
    const path = "/search/java.lang:type=GarbageCollector,name=Scavenge";
    expect(await service.ask(path)).toMatchObject({ value: ["java.lang:name=Scavenge,type=GarbageCollector"] });
    expect(await service.ask(`${path}?canonicalNaming=false`)).toMatchObject({
      request: { mbean: "java.lang:type=GarbageCollector,name=Scavenge" },
      value: ["java.lang:type=GarbageCollector,name=Scavenge"],
    });
  });

  it.each(["", "/", "/version", "/VERSION"])("GET /metrics/v2%s tells the protocol", async (path) => {
    const { request, value } = (await service.ask(path)) as { request: object; value: Record<string, unknown> };
    expect(request).toEqual({ type: "version" });
    expect(Object.keys(value)).toEqual(["agent", "protocol", "config", "info"]);
    expect(value).toMatchObject({ agent: "1.7.1", protocol: "7.2", info: { product: "census" } });
    expect(Object.values(value["config"] as object).every((setting) => typeof setting === "string")).toBe(true);
  });
});

describe("POST", () => {
  it.each(["/metrics/v2", "/metrics/v2/read", "/metrics/v2/read/java.lang:type=Nope"])(
    "to %s is answered by its body, whatever its content type",
    async (path) => {
      const body = { type: "read", mbean: "java.lang:type=Memory", attribute: "Verbose", name: "ignored" };
      expect(await post(body, path, { "content-type": "text/plain" })).toMatchObject({
        request: { mbean: "java.lang:type=Memory", attribute: "Verbose", type: "read" },
        value: false,
      });
    },
  );

  it("answers an array in its order, each with a status of its own", async () => {
    const answers = (await post([
      { type: "read", mbean: "java.lang:type=Memory", attribute: ["Verbose"] },
      { type: "read", mbean: "org.eclipse.jetty.util.thread:id=*,type=queuedthreadpool" },
      { type: "read", mbean: "java.lang:" },
      { type: "nope" },
      { type: "version" },
    ])) as { status: number; value?: unknown }[];
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 400, 400, 200]);
    expect(answers[0]).toMatchObject({ request: { attribute: ["Verbose"] }, value: { Verbose: false } });
  });

  it("follows a path, and options of its own", async () => {
    const body = { type: "read", mbean: "java.lang:type=Memory", attribute: "HeapMemoryUsage", path: "used" };
    expect(await post(body)).toMatchObject({ request: { path: "used" }, value: expect.any(Number) as number });
    const ignoring = {
      type: "read",
      mbean: "java.lang:type=Memory",
      attribute: ["Nope"],
      config: { ignoreErrors: true },
    };
    expect(await post(ignoring)).toMatchObject({ status: 200 });
  });

  it.each([
    [{ mbean: "java.lang:type=Memory" }, "No type given"],
    [{ type: "read" }, "Objectname can not be null"],
    [[1], "Not a request within the list of requests [1]. Expected map, but found: 1"],
    ["x", 'Invalid JSON Request "x"'],
  ])("of %j is refused", async (body, message) => {
    expect(await post(body)).toEqual({
      error_type: javaArgument,
      error: `${javaArgument} : ${message}`,
      status: 400,
    });
  });

  it("of no JSON is refused", async () => {
    const { status, text } = await service.send("POST", "/metrics/v2", "{");
    expect(status).toBe(200);
    expect(text).toContain(`${javaArgument} : Invalid JSON request`);
  });

  it("does not pass requests on", async () => {
    const target = { url: "service:jmx:rmi:///jndi/rmi://elsewhere/jmxrmi" };
    expect(await post({ type: "read", mbean: "java.lang:type=Memory", target })).toMatchObject({
      status: 403,
      error: expect.stringContaining("Requests to other servers are not passed on"),
    });
  });
});
