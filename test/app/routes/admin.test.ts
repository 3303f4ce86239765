import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Submission } from "#storage/ingest/submission.ts";
import type { MaintenanceEvent } from "#storage/lifecycle/events.ts";
import { days } from "#storage/time.ts";
import type { Store } from "#storage/store.ts";
import { serve, type Served } from "#test/app/fixture-service.ts";
import type { Answer } from "#test/conformance/recording.ts";
import { a, emptyStore, fieldOf, submitted } from "#test/fixture-store.ts";

const JSON_TYPE = "application/json;charset=utf-8";

let store: Store;
let service: Served;
let events: MaintenanceEvent[];
let started: PromiseWithResolvers<void>;
beforeEach(async () => {
  events = [];
  started = Promise.withResolvers();
  const onMaintenance = (event: MaintenanceEvent): void => {
    events.push(event);
    if (event.kind === "started") started.resolve();
  };
  store = await emptyStore({ onMaintenance, retention: { nodeTtl: days(1) } });
  service = await serve(store);
});
afterEach(() => service.close());

function post(
  body: unknown,
  headers: Record<string, string> = { "content-type": "application/json" },
): Promise<Answer> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return service.send("POST", "/pdb/admin/v1/cmd", text, headers);
}

const clean = (payload: unknown): unknown => ({ command: "clean", version: 1, payload });
const limited = (limit: unknown): unknown => ["purge_nodes", { batch_limit: limit }];
const begun = (): string[] => events.flatMap((event) => (event.kind === "started" ? [event.operation] : []));
const nodes = (): Promise<string[]> => fieldOf(store, "nodes", "certname");

describe("clean (reference/lifecycle.md §7.1)", () => {
  const everything = [
    "expire_nodes",
    "purge_nodes",
    "purge_reports",
    "gc_packages",
    "other",
    "gc_catalogs",
    "gc_fact_paths",
  ];

  it.each<[payload: unknown, operations: string[]]>([
    [[], everything],
    [null, everything],
    [["expire_nodes"], ["expire_nodes"]],
    [
      ["gc_catalogs", "gc_packages"],
      ["gc_packages", "gc_catalogs"],
    ],
    [["gc_packages", "gc_packages"], ["gc_packages"]],
    [["purge_resource_events"], ["purge_resource_events"]],
    [["purge_resource_events", "purge_reports"], ["purge_reports"]],
    [
      [["purge_nodes", { batch_limit: 7 }], "other"],
      ["purge_nodes", "other"],
    ],
  ])("%j runs %j", async (payload, operations) => {
    const answer = await post(clean(payload));
    expect(answer).toMatchObject({ status: 200, headers: { "content-type": JSON_TYPE } });
    expect(answer.text).toBe('{\n  "ok" : true\n}');
    expect(begun()).toEqual(operations);
  });

  it.each<[payload: unknown, left: number]>([
    [["purge_nodes"], 0],
    [[], 0],
    [[limited(0)], 4],
    [[limited(3)], 1],
    // The last one named takes precedence.
    [[limited(1), limited(2)], 2],
    [[limited(1), "purge_nodes"], 0],
    [["purge_nodes", limited(1)], 3],
  ])("%j keeps %i of 4 nodes that are due", async (payload, left) => {
    await submitted(store, ...[1, 2, 3, 4].map((n) => a.deactivation(`node-${n}`, "2026-01-01T00:00:00Z")));
    expect(await post(clean(payload))).toMatchObject({ status: 200 });
    expect(await nodes()).toHaveLength(left);
  });

  it("uses the configured times", async () => {
    await submitted(store, a.facts("old", { producer_timestamp: "2026-11-19T23:00:00Z" }));
    await submitted(store, a.facts("new", { producer_timestamp: "2026-11-20T23:00:00Z" }));
    await post(clean(["expire_nodes"]));
    expect(await fieldOf(store, "nodes", "certname", ["null?", "expired", false])).toEqual(["old"]);
  });

  it("is refused while another is in progress", async () => {
    const release = Promise.withResolvers<void>();
    // An import keeps maintenance from its tables until it is over.
    const importing = store.importAll(heldUp(release.promise));
    const first = post(clean(["expire_nodes"]));
    await started.promise;
    const second = await post(clean([]));
    expect(second).toMatchObject({ status: 409, headers: { "content-type": JSON_TYPE } });
    expect(JSON.parse(second.text)).toEqual({
      kind: "conflict",
      msg: "Another cleanup is already in progress",
      details: null,
    });
    release.resolve();
    await importing;
    expect(await first).toMatchObject({ status: 200 });
    expect(await post(clean(["gc_packages"]))).toMatchObject({ status: 200 });
  });
});

async function* heldUp(until: Promise<void>): AsyncGenerator<Submission> {
  await until;
  yield a.facts("web");
}

describe("delete", () => {
  it.each(["web", "nosuch", 'it\'s "here"'])("returns the name of %s", async (certname) => {
    await submitted(store, a.facts("web"), a.report("web"), a.facts("db"));
    const answer = await post({ command: "delete", version: 1, payload: { certname } });
    expect(answer).toMatchObject({ status: 200, headers: { "content-type": JSON_TYPE } });
    expect(answer.text).toBe(`{\n  "deleted" : ${JSON.stringify(certname)}\n}`);
    expect(await nodes()).toEqual(certname === "web" ? ["db"] : ["db", "web"]);
  });
});

describe("an invalid request is refused", () => {
  const kinds = "Valid commands types are: 'clean' and 'delete'";

  it.each<[body: string, detail: string]>([
    ["", kinds],
    ["[]", kinds],
    ["null", kinds],
    ['"clean"', kinds],
    ["{}", kinds],
    ['{"command":"bogus","version":1,"payload":[]}', kinds],
    ['{"command":["clean"],"version":1,"payload":[]}', kinds],
    // recorded: commands-025, commands-028
    ['{"command":"clean","version":1,"payload":["bogus"]}', "nil"],
    ['{"command":"clean","version":2,"payload":[]}', "nil"],
    ['{"command":"clean","version":1.0,"payload":[]}', "nil"],
    ['{"command":"clean","version":"1","payload":[]}', "nil"],
    ['{"command":"clean","payload":[]}', "nil"],
    ['{"command":"clean","version":1}', "nil"],
    ['{"command":"clean","version":1,"payload":[],"more":1}', "nil"],
    ['{"command":"clean","version":1,"payload":{}}', "nil"],
    ['{"command":"clean","version":1,"payload":"purge_nodes"}', "nil"],
    ['{"command":"clean","version":1,"payload":[null]}', "nil"],
    ['{"command":"clean","version":1,"payload":[[]]}', "nil"],
    ['{"command":"clean","version":1,"payload":[["purge_nodes"]]}', "nil"],
    ['{"command":"clean","version":1,"payload":[["purge_nodes",{}]]}', "nil"],
    [
      '{"command":"clean","version":1,"payload":[["purge_nodes",{"batch_limit":-1}]]}',
      "batch_limit must be 0 or more, not -1",
    ],
    ['{"command":"clean","version":1,"payload":[["purge_nodes",{"batch_limit":1.5}]]}', "nil"],
    ['{"command":"clean","version":1,"payload":[["purge_nodes",{"batch_limit":"1"}]]}', "nil"],
    ['{"command":"clean","version":1,"payload":[["purge_nodes",{"batch_limit":1,"more":1}]]}', "nil"],
    ['{"command":"clean","version":1,"payload":[["purge_nodes",{"batch_limit":1},2]]}', "nil"],
    ['{"command":"clean","version":1,"payload":[["purge_reports",{"batch_limit":1}]]}', "nil"],
    ['{"command":"delete","version":1,"payload":{}}', "nil"],
    ['{"command":"delete","version":1,"payload":null}', "nil"],
    ['{"command":"delete","version":1,"payload":["web"]}', "nil"],
    ['{"command":"delete","version":1,"payload":{"certname":1}}', "nil"],
    ['{"command":"delete","version":1,"payload":{"certname":"web","more":1}}', "nil"],
    ['{"command":"delete","version":2,"payload":{"certname":"web"}}', "nil"],
    // PuppetDB fails here.
    ["junk", "expected a JSON object with the keys command, version and payload"],
  ])("%s", async (body, detail) => {
    await submitted(store, a.facts("web"));
    const answer = await post(body);
    expect(answer).toMatchObject({ status: 400, headers: { "content-type": JSON_TYPE } });
    expect(JSON.parse(answer.text)).toEqual({ error: `Invalid command ${JSON.stringify(body)}: ${detail}` });
    expect(events).toEqual([]);
    expect(await nodes()).toEqual(["web"]);
  });

  it("a form, whose fields PuppetDB removes from the body", async () => {
    const answer = await post(clean([]), { "content-type": "application/x-www-form-urlencoded" });
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text)).toEqual({ error: `Invalid command "": ${kinds}` });
  });

  it.each(["GET", "PUT", "DELETE"])("%s", async (method) => {
    const answer = await service.send(method, "/pdb/admin/v1/cmd");
    expect(answer).toMatchObject({ status: 404, text: "Not Found" });
  });
});

it.each<[header: string, value: string]>([
  ["content-type", "text/plain"],
  ["content-type", ""],
  ["accept", "text/html"],
])("%s is ignored, such as %j", async (header, value) => {
  expect(await post(clean(["gc_packages"]), { [header]: value })).toMatchObject({ status: 200 });
});

describe("summary statistics (reference/lifecycle.md §7.3)", () => {
  it.each(["GET", "POST", "DELETE"])("are returned for %s", async (method) => {
    const answer = await service.send(method, "/pdb/admin/v1/summary-stats?nonsense=1");
    expect(answer).toMatchObject({ status: 200, headers: { "content-type": JSON_TYPE } });
    const { version, ...figures } = JSON.parse(answer.text) as Record<string, unknown>;
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    // The keys that were recorded: services-024
    expect(Object.keys(figures).sort()).toEqual([
      "database_usage",
      "fact_path_counts_by_depth",
      "file_resources_per_catalog",
      "file_resources_per_catalog_with_source",
      "index_usage",
      "node_activity",
      "num_distinct_edges_source_target",
      "num_resources_per_file",
      "num_resources_per_node",
      "report_log_size_dist",
      "report_metric_size_dist",
      "table_usage",
    ]);
    for (const rows of Object.values(figures)) expect(rows).toBeInstanceOf(Array);
    expect(figures["node_activity"]).toEqual([]);
    expect(figures["num_resources_per_node"]).toEqual([{ quantiles: null }]);
    expect(answer.text.startsWith("{\n  ")).toBe(true);
  });
});
