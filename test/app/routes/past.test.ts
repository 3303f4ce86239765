import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseJson } from "#storage/json.ts";
import { queryPath, serve, type Served } from "#test/app/fixture-service.ts";
import { a, emptyStore, time } from "#test/fixture-store.ts";
import type { Timed } from "#test/storage/history/random-commands.ts";
import { TimedStore } from "#test/storage/history/timed-store.ts";
import { event, fileResource, reportResource } from "#test/storage/wire/payloads.ts";

const [first, second, third] = ["2026-11-20T10:00:00Z", "2026-11-20T11:00:00Z", "2026-11-20T12:00:00Z"] as const;
const [before, between, end] = ["2026-11-20T09:00:00Z", "2026-11-20T11:30:00Z", "2026-11-20T13:00:00Z"] as const;

function sent(at: string, kernel: string, mode: string, environment: string): Timed[] {
  const base = { producer_timestamp: at, environment, producer: "puppet" };
  const resources = [fileResource({ title: "/etc/motd", parameters: { mode } })];
  return [
    { at, submission: a.facts("web", { ...base, values: { kernel, memory: { total: 1 } } }) },
    { at, submission: a.catalog("web", { ...base, resources, edges: [] }) },
    {
      at,
      submission: a.report("web", {
        ...base,
        start_time: at,
        end_time: at,
        resources: [reportResource({ events: [event({ timestamp: at })] })],
      }),
    },
  ];
}

const commands: Timed[] = [
  { at: first, submission: a.facts("old", { producer_timestamp: first, environment: "production" }) },
  ...sent(second, "5.10", "0600", "testing"),
  ...sent(third, "6.1", "0644", "production"),
  { at: third, submission: a.deactivation("old", third) },
  { at: third, submission: a.facts("new", { producer_timestamp: third, environment: "production" }) },
];

let service: Served;
beforeAll(async () => {
  const timed = await TimedStore.open();
  await timed.goOn(commands, time(end));
  await timed.store.lifecycle.clean({ operations: new Set(["other"]), purgeLimit: null });
  service = await serve(timed.store, { queries: { sql: true } });
});
afterAll(() => service.close());

async function answer(path: string, parameters: Record<string, unknown>): Promise<unknown> {
  const { status, text: body } = await service.get(queryPath(path, parameters));
  expect({ status, body }).toMatchObject({ status: 200 });
  return parseJson(body);
}

describe("as_of returns what the store would have returned then", () => {
  it.each<[path: string, parameters: Record<string, unknown>, past: unknown, present: unknown]>([
    ["", { query: "nodes[certname] { order by certname }" }, ["old", "web"], ["new", "web"]],
    [
      "",
      { query: `["from", "nodes", ["extract", "certname"]]`, order_by: `[{"field": "certname"}]`, limit: 1 },
      ["old"],
      ["new"],
    ],
    ["", { query: `facts[certname] { value = "5.10" }` }, ["web"], []],
    ["/facts/kernel/5.10", {}, ["web"], []],
    ["/nodes/web/resources/File", { query: `["=", ["parameter", "mode"], "0600"]` }, ["web"], []],
    ["/catalogs/web/resources", {}, ["web"], ["web"]],
    ["/factsets/web/facts", {}, ["web"], ["web"]],
    ["/nodes/old/facts", {}, ["old"], []],
    ["/environments/testing/facts", { query: `["=", "name", "kernel"]` }, ["web"], []],
    ["/reports", {}, ["web"], ["web", "web"]],
    ["/events", {}, ["web"], ["web", "web"]],
  ])("%s %j", async (path, parameters, past, present) => {
    const names = async (more: Record<string, unknown>): Promise<unknown> => {
      const { status, text: body } = await service.get(queryPath(path, { ...parameters, ...more }));
      expect({ status, body }).toMatchObject({ status: 200 });
      return (parseJson(body) as { certname: string }[]).map(({ certname }) => certname);
    };
    expect(await names({ as_of: between })).toStrictEqual(past);
    expect(await names({})).toStrictEqual(present);
  });

  it("of single nodes, catalogs, fact sets and environments", async () => {
    const of = { as_of: between };
    expect(await answer("/nodes/old", of)).toMatchObject({ certname: "old", deactivated: null });
    expect(await answer("/nodes/web", of)).toMatchObject({
      catalog_environment: "testing",
      report_timestamp: "2026-11-20T11:00:00.000Z",
    });
    expect(await answer("/catalogs/web", of)).toMatchObject({
      environment: "testing",
      producer_timestamp: "2026-11-20T11:00:00.000Z",
    });
    expect(await answer("/factsets/web", of)).toMatchObject({ environment: "testing", hash: null });
    expect(await answer("/environments/testing", of)).toStrictEqual({ name: "testing" });
  });

  it("lists the nodes for other tools", async () => {
    const targets = async (parameters: string): Promise<unknown> => {
      const { status, text: body } = await service.get(`/pdb/ext/v1/inventory?${parameters}`);
      expect({ status, body }).toMatchObject({ status: 200 });
      return (parseJson(body) as { labels: Record<string, string> }[]).map(({ labels }) => labels);
    };
    const grouped = "group=environment&var=kernel";
    expect(await targets(`${grouped}&as_of=${between}`)).toStrictEqual([
      { certname: "old", environment: "production", kernel: "Linux" },
      { certname: "web", environment: "testing", kernel: "5.10" },
    ]);
    expect(await targets(grouped)).toStrictEqual([
      { certname: "new", environment: "production", kernel: "Linux" },
      { certname: "web", environment: "production", kernel: "6.1" },
    ]);
    const early = await service.get(`/pdb/ext/v1/inventory?as_of=${before}`);
    expect(early).toMatchObject({ status: 400 });
    expect(early.text).toContain("as_of: 2026-11-20T09:00:00.000Z is before the recorded history");
  });

  it.each(["/nodes/new", "/nodes/new/facts", "/catalogs/new", "/factsets/new", "/environments/nosuch/facts"])(
    "%s is not there",
    async (path) => {
      expect((await service.get(queryPath(path, { as_of: between }))).status).toBe(404);
    },
  );

  it("counts, in a POST as well", async () => {
    const body = JSON.stringify({ query: ["from", "resources", ["extract", [["function", "count"]]]], as_of: between });
    const headers = { "content-type": "application/json" };
    expect((await service.send("POST", queryPath(""), body, headers)).text).toBe('[{"count":1}]');
    expect(await answer("/event-counts", { summarize_by: "certname", as_of: between })).toMatchObject([
      { successes: 1 },
    ]);
    const total = await service.get(queryPath("/facts", { limit: 1, include_total: true, as_of: between }));
    expect(total.headers["x-records"]).toBe("3");
  });

  it("of SQL", async () => {
    const query = "SELECT certname, value FROM facts WHERE name = 'kernel' AND certname = 'web'";
    const rows = async (more: Record<string, string>): Promise<unknown> =>
      service.get(`/pdb/ext/v1/sql?${new URLSearchParams({ query, ...more }).toString()}`);
    expect(await rows({ as_of: between })).toMatchObject({ status: 200, text: '[{"certname":"web","value":"5.10"}]' });
    expect(await rows({})).toMatchObject({ status: 200, text: '[{"certname":"web","value":"6.1"}]' });
    expect(await rows({ as_of: before })).toMatchObject({
      status: 400,
      text: expect.stringContaining("earliest") as string,
    });
    expect(await rows({ as_of: "noon" })).toMatchObject({
      status: 400,
      text: expect.stringContaining("as_of") as string,
    });
  });

  it("follows what is stored and deleted meanwhile", async () => {
    const timed = await TimedStore.open();
    await timed.goOn(commands, time(end));
    const served = await serve(timed.store);
    const names = async (): Promise<string> =>
      (
        await served.get(
          queryPath("", { query: 'facts[certname, value] { name = "kernel" order by certname }', as_of: between }),
        )
      ).text;
    const past = await names();
    expect(past).toContain("5.10");
    await timed.goOn(sent("2026-11-20T14:00:00Z", "6.2", "0600", "production"), time("2026-11-20T15:00:00Z"));
    expect(await names()).toBe(past);
    await timed.store.lifecycle.deleteNode("web");
    expect(await names()).not.toContain("web");
    await served.close();
  });
});

describe("a time without an answer", () => {
  it.each([
    ["2026-11-20T13:00:01Z", "as_of: 2026-11-20T13:00:01.000Z is in the future; it is 2026-11-20T13:00:00.000Z now"],
    [
      before,
      `as_of: 2026-11-20T09:00:00.000Z is before the recorded history; the earliest time is 2026-11-20T10:00:00.000Z`,
    ],
    ["yesterday", "Illegal value 'yesterday' for :as_of; expected a time such as 2026-11-20T12:00:00Z."],
    ["2026-02-30", "Illegal value '2026-02-30' for :as_of; expected a time such as 2026-11-20T12:00:00Z."],
    ["18:00", "Illegal value '18:00' for :as_of; expected a time such as 2026-11-20T12:00:00Z."],
  ])("%s is a 400 that says why", async (as_of, message) => {
    for (const path of ["/nodes", "/nodes/web", "/nodes/web/facts"]) {
      expect(await service.get(queryPath(path, { as_of }))).toMatchObject({ status: 400, text: message });
    }
  });

  it("is any time where no changes are recorded", async () => {
    const served = await serve(await emptyStore());
    expect(await served.get(queryPath("/nodes", { as_of: between }))).toMatchObject({
      status: 400,
      text: "no past state can be queried, because no changes are recorded here: neither in archives without history nor with history-ttl = 0s",
    });
    await served.close();
  });
});
