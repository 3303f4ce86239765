import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NOW } from "#test/fixture-store.ts";
import { openJolokia, posted } from "#test/app/metrics/jolokia-site.ts";

let service: Awaited<ReturnType<typeof openJolokia>>;
beforeAll(async () => {
  service = await openJolokia();
});
afterAll(() => service[Symbol.asyncDispose]());

const post: (body: unknown, path?: string, headers?: Record<string, string>) => Promise<unknown> = (...given) =>
  posted(service, ...given);

const memoryKeys = ["init", "committed", "max", "used"];
const rates = ["MeanRate", "OneMinuteRate", "FiveMinuteRate", "FifteenMinuteRate", "RateUnit"];
const percentiles = ["50th", "75th", "95th", "98th", "99th", "999th"].map((nth) => `${nth}Percentile`);
const distribution = ["Min", "Max", "Mean", "StdDev", ...percentiles];

describe("read", () => {
  it("returns all attributes, in the recorded order of keys", async () => {
    const answer = await service.getJson("/read/java.lang:type=Memory");
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
  ])("returns the attributes of a %s, under both prefixes", async (_, name, attributes) => {
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
  ])("returns %s", async (_, path, value) => {
    expect(await service.getJson(`/read/java.lang:type=Memory${path}`)).toMatchObject({ value, status: 200 });
  });

  it("follows a path into a value", async () => {
    const answer = await service.getJson("/read/java.lang:type=Memory/HeapMemoryUsage/used");
    expect(answer).toMatchObject({
      request: { path: "used", mbean: "java.lang:type=Memory", attribute: "HeapMemoryUsage", type: "read" },
      value: expect.any(Number) as number,
    });
    expect(Object.keys(answer["request"] as object)).toEqual(["path", "mbean", "attribute", "type"]);
  });

  it.each(["/read/java.lang:*/HeapMemoryUsage/*/used", "/read/java.lang:*/HeapMemoryUsage/*/*/used"])(
    "filters the MBeans of a pattern: %s",
    async (path) => {
      expect(await service.getJson(path)).toMatchObject({
        value: { "java.lang:type=Memory": { HeapMemoryUsage: expect.any(Number) as number } },
        status: 200,
      });
    },
  );

  it("returns the MBeans of a pattern that have the attribute", async () => {
    const { value } = (await service.getJson("/read/java.lang:*/ThreadCount,Verbose")) as { value: object };
    expect(Object.keys(value)).toContain("java.lang:type=Memory");
    expect(Object.keys(value)).not.toContain("java.lang:type=Runtime");
    expect(Object.keys(value)).toEqual(Object.keys(value).toSorted());
  });

  it.each([
    "/read/svc.http:name=!/pdb!/cmd!/v1.200/Count",
    "/read/svc.http:name=%21%2Fpdb%21%2Fcmd%21%2Fv1.200/Count",
    "/read/puppetlabs.puppetdb.http:name=!/pdb!/cmd!/v1.200/Count",
    "/read/svc.http:name=commands.200/Count",
  ])("finds %s", async (path) => expect(await service.getJson(path)).toMatchObject({ value: 1 }));

  it.each([
    ["svc.database:PDBWritePool.TotalConnections", 1],
    ["svc.database:PDBWritePool.pool.TotalConnections", 1],
    ["puppetlabs.puppetdb.database:name=PDBWritePool.pool.MaxConnections", 1],
    ["svc.population:name=num-nodes", 0],
  ])("finds the gauge %s", async (name, value) => {
    expect(await service.getJson(`/read/${name}/Value`)).toMatchObject({ value });
  });

  it.each(["puppetlabs.puppetdb.dlo.global.filesize", "global.filesize"])(
    "finds the dead letters as %s",
    async (name) => {
      expect(await service.getJson(`/read/puppetlabs.puppetdb.dlo:name=${name}/Count`)).toMatchObject({ value: 7 });
    },
  );

  it("cuts a value to the requested limits", async () => {
    const deep = await service.getJson("/read/java.lang:type=Memory/HeapMemoryUsage,Verbose?maxDepth=1");
    expect(deep["value"]).toMatchObject({
      HeapMemoryUsage: expect.stringContaining("committed") as string,
      Verbose: false,
    });
    const few = await service.getJson("/read/java.lang:type=Memory/HeapMemoryUsage?maxCollectionSize=2");
    expect(Object.keys(few["value"] as object)).toEqual(["init", "committed"]);
    const objects = await service.getJson("/read/java.lang:type=Memory/HeapMemoryUsage?maxObjects=2");
    expect(objects["value"]).toMatchObject({ used: "[Object limit exceeded]" });
  });
});

describe("list", () => {
  it("returns every domain, under both prefixes", async () => {
    const { value } = (await service.getJson("/list?maxDepth=1")) as { value: object };
    expect(value).toMatchObject({
      "java.lang": "1",
      "svc.mq": "1",
      "svc.http": "1",
      "puppetlabs.puppetdb.mq": "1",
      "puppetlabs.puppetdb.population": "1",
    });
  });

  it("returns names with two levels", async () => {
    const { value } = (await service.getJson("/list?maxDepth=2")) as { value: Record<string, object> };
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
  ])("%s", async (path, value) => expect(await service.getJson(path)).toMatchObject({ status: 200, value }));

  it("describes an MBean with its attributes", async () => {
    const { value } = (await service.getJson("/list/svc.mq/name=global.size")) as { value: object };
    expect(Object.keys(value)).toEqual(["op", "attr", "class", "desc"]);
  });
});

describe("search and version", () => {
  it.each([
    ["/search/*:type=Memory", ["java.lang:type=Memory"]],
    ["/search/nope:*", []],
    ["/search/svc.mq:name=global.d*", ["svc.mq:name=global.depth"]],
  ])("%s", async (path, value) => expect(await service.getJson(path)).toMatchObject({ value, status: 200 }));

  it("keeps the order in which a name was written, on request", async () => {
    const path = "/search/java.lang:type=GarbageCollector,name=Scavenge";
    expect(await service.getJson(path)).toMatchObject({ value: ["java.lang:name=Scavenge,type=GarbageCollector"] });
    expect(await service.getJson(`${path}?canonicalNaming=false`)).toMatchObject({
      request: { mbean: "java.lang:type=GarbageCollector,name=Scavenge" },
      value: ["java.lang:type=GarbageCollector,name=Scavenge"],
    });
  });

  it.each(["", "/", "/version", "/VERSION"])("GET /metrics/v2%s returns the version of the protocol", async (path) => {
    const { request, value } = (await service.getJson(path)) as { request: object; value: Record<string, unknown> };
    expect(request).toEqual({ type: "version" });
    expect(Object.keys(value)).toEqual(["agent", "protocol", "config", "info"]);
    expect(value).toMatchObject({ agent: "1.7.1", protocol: "7.2", info: { product: "census" } });
    expect(Object.values(value["config"] as object).every((setting) => typeof setting === "string")).toBe(true);
  });
});
