import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "#storage/json.ts";
import { serve, type Served } from "#test/app/fixture-service.ts";
import { populatedStore } from "#test/fixture-store.ts";

/*
 * What a heavy query takes of the thread that answers all others. Processor time of that thread is measured, not time, so that
 * other processes of the machine count little: where they use its caches and memory too, the same work takes twice as long, so the
 * best of some attempts is judged. The client has a thread of its own.
 */

const VALUES = 500_000;
/** Milliseconds of processor time that the event loop may be busy without looking at others. */
const AT_MOST = 100;
/** Milliseconds between two measurements of the event loop. */
const LOOK = 2;

const client = `
  const { parentPort, workerData: { url, query } } = require("node:worker_threads");
  const headers = { "content-type": "application/json" };
  fetch(url, { method: "POST", headers, body: JSON.stringify({ query }) })
    .then(async (response) => ({ status: response.status, rows: (await response.json()).length }))
    .then((answer) => parentPort.postMessage(answer));`;

let service: Served;
beforeAll(async () => {
  service = await serve(await populatedStore());
});
afterAll(() => service.close());

const list = <T>(value: (index: number) => T): T[] => Array.from({ length: VALUES }, (_, index) => value(index));

describe("a query with in and 500,000 values", () => {
  it.each<[what: string, entity: string, query: Json]>([
    ["certnames", "nodes", ["in", "certname", ["array", list((n) => `node${n}.example.com`)]]],
    ["titles", "resources", ["in", "title", ["array", list((n) => `/srv/${n}`)]]],
    ["values", "facts", ["in", "value", ["array", list((n) => `value ${n}`)]]],
    ["certnames that are denied", "nodes", ["not", ["in", "certname", ["array", list((n) => `node${n}`)]]]],
  ])("does not delay other requests: %s", { timeout: 60_000, retry: 3 }, async (_what, entity, query) => {
    const worker = new Worker(client, {
      eval: true,
      workerData: { url: `${service.url}/pdb/query/v4/${entity}`, query },
    });
    // The first measurement includes the start of the thread.
    await once(worker, "online");
    let longest = 0;
    let before = process.threadCpuUsage();
    const timer = setInterval(() => {
      const { user, system } = process.threadCpuUsage(before);
      longest = Math.max(longest, (user + system) / 1000);
      before = process.threadCpuUsage();
    }, LOOK);
    const [answer] = (await once(worker, "message")) as [{ status: number }];
    clearInterval(timer);
    expect(answer.status).toBe(200);
    expect(longest).toBeLessThan(AT_MOST);
  });
});
