import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Submission } from "#storage/ingest/submission.ts";
import { Store } from "#storage/store.ts";
import { fixedClock } from "#storage/time.ts";
import { a, NOW } from "#test/fixture-store.ts";
import { MemoryReplicatedLog } from "#test/storage/queue/replicated/memory-log.ts";
import { type Served, serve } from "./fixture-service.ts";

/** Milliseconds by which the second service is behind. */
const LAG = 400;

/** @param ms milliseconds before each look at the log */
async function open(log: MemoryReplicatedLog, ms: number): Promise<Store> {
  return Store.open({ clock: fixedClock(NOW), commandLog: log.opener({ size: () => 100, ms: () => ms }) });
}

async function send(service: Served, name: string, wait = ""): ReturnType<Served["send"]> {
  return service.send(
    "POST",
    `/pdb/cmd/v1?command=replace_facts&version=5&certname=${name}&producer-timestamp=2026-11-20T00:00:00Z${wait}`,
    a.facts(name).payload,
    { "content-type": "application/json" },
  );
}

async function names(service: Served, headers: Record<string, string> = {}) {
  const answer = await service.get("/pdb/query/v4/nodes", headers);
  const rows = JSON.parse(answer.text) as { certname: string }[];
  return { names: rows.map(({ certname }) => certname).sort(), position: answer.headers["x-census-position"] };
}

async function* one(): AsyncGenerator<Submission> {
  yield a.facts("three");
}

describe("two services that share a log, the second one slow", () => {
  const log = new MemoryReplicatedLog();
  let quick: Served;
  let slow: Served;
  beforeAll(async () => {
    [quick, slow] = [await serve(await open(log, 1)), await serve(await open(log, LAG))];
  });
  afterAll(async () => {
    await quick.close();
    await slow.close();
  });

  it("answer a command that is awaited once they have stored it themselves", async () => {
    const answer = await send(quick, "one", "&secondsToWaitForCompletion=10");
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('"processed" : true');
    expect(answer.headers["x-census-position"]).toBe("1");
    expect(await names(quick)).toEqual({ names: ["one"], position: "1" });
  });

  it("let a query wait for a position that another service has answered", async () => {
    const { headers } = await send(quick, "two");
    const position = headers["x-census-position"] ?? "";
    expect(position).toBe("2");
    expect((await names(slow)).names).not.toContain("two");
    expect(await names(slow, { "x-census-position": position })).toEqual({ names: ["one", "two"], position });
  });

  it("refuse a position that is none", async () => {
    const answer = await slow.get("/pdb/query/v4/nodes", { "x-census-position": "-1" });
    expect([answer.status, answer.text]).toEqual([
      400,
      "X-Census-Position must be a position that an answer of Census had, e.g. 18230",
    ]);
  });

  it("answer 503 if a position is not reached in time", async () => {
    const answer = await quick.get("/pdb/query/v4/nodes", { "x-census-position": "1000" });
    expect(answer.status).toBe(503);
    expect(answer.headers["retry-after"]).toBe("10");
    expect(answer.text).toBe("this server has not stored the log up to 1000 within 10 s: it is at 2");
  });

  it("report their positions in the status", async () => {
    const answer = await quick.get("/status/v1/services/puppetdb-status");
    expect(JSON.parse(answer.text)).toMatchObject({
      state: "running",
      status: { command_log: { log: log.identity, position: 2, behind: 0 } },
    });
  });

  it("delete a node on both", async () => {
    const body = JSON.stringify({ command: "delete", version: 1, payload: { certname: "two" } });
    const answer = await quick.send("POST", "/pdb/admin/v1/cmd", body, { "content-type": "application/json" });
    expect([answer.status, answer.text]).toEqual([200, '{\n  "deleted" : "two"\n}']);
    expect((await names(quick)).names).toEqual(["one"]);
    expect((await names(slow, { "x-census-position": "3" })).names).toEqual(["one"]);
  });

  it("import an archive's commands into both, and none directly", async () => {
    const store = await open(log, 1);
    await expect(store.importAll(one())).rejects.toMatchObject({ code: "conflict" });
    expect(await store.acceptAll(one())).toBe(1);
    await store.close();
    expect((await names(slow, { "x-census-position": "4" })).names).toEqual(["one", "three"]);
  });
});
