import { once } from "node:events";
import { request } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startService } from "#app/service.ts";
import type { JsonObject } from "#storage/json.ts";
import { a, emptyStore } from "#test/fixture-store.ts";
import { queryPath, serve, type Served } from "#test/app/fixture-service.ts";

/** 20 nodes with 1,000 facts of 1,000 characters: a response of 20 MB, more than the buffers of a socket contain. */
const NODES = 20;
const FACTS = 1000;

let service: Served;
beforeAll(async () => {
  const store = await emptyStore();
  const values: JsonObject = Object.fromEntries(
    Array.from({ length: FACTS }, (_, n) => [`fact_${n}`, `${n} `.padEnd(1000, "x")]),
  );
  await Promise.all(Array.from({ length: NODES }, (_, n) => store.submit(a.facts(`node-${n}`, { values }))));
  service = await serve(store);
});
afterAll(() => service.close());

/** Reads the first piece of an answer and hangs up. */
async function hangUp(headers: Record<string, string> = {}): Promise<void> {
  const outgoing = request(service.url + queryPath("/facts"), { headers });
  outgoing.on("error", () => undefined);
  outgoing.end();
  const [response] = (await once(outgoing, "response")) as [NodeJS.ReadableStream & { destroy(): void }];
  response.on("error", () => undefined);
  await once(response, "data");
  response.destroy();
  outgoing.destroy();
}

describe("a large response", () => {
  it("arrives completely", async () => {
    const answer = await service.get(queryPath("/facts"), { "accept-encoding": "gzip" });
    const rows = JSON.parse(answer.text) as { certname: string; name: string }[];
    expect(rows).toHaveLength(NODES * FACTS);
    expect(new Set(rows.map(({ certname, name }) => `${certname} ${name}`)).size).toBe(NODES * FACTS);
  });

  it.each([{}, { "accept-encoding": "gzip" }])(
    "of %j that the client does not read does not block the service",
    async (headers) => {
      // More than the idle connections that are kept.
      await Promise.all(Array.from({ length: 12 }, () => hangUp(headers)));
      const answer = await service.get(queryPath("/nodes", { include_total: "true", limit: "1" }));
      expect(answer).toMatchObject({ status: 200, headers: { "x-records": String(NODES) } });
      expect(service.faults).toEqual([]);
    },
  );

  it("does not block other requests while it is read slowly", async () => {
    const outgoing = request(service.url + queryPath("/facts"));
    outgoing.end();
    const [response] = (await once(outgoing, "response")) as [NodeJS.ReadableStream & { destroy(): void }];
    response.pause();
    expect(await service.get(queryPath("/nodes/node-7"))).toMatchObject({ status: 200 });
    response.on("error", () => undefined);
    response.destroy();
  });
});

describe("a time limit", () => {
  it("that ends before the first row is reported as an error", async () => {
    const answer = await service.get(queryPath("/facts", { timeout: "0.000001", origin: "here" }));
    expect(answer).toMatchObject({ status: 500, headers: { "content-type": "text/plain;charset=utf-8" } });
    expect(answer.text).toMatch(/from "here" exceeded timeout/);
  });

  it.each(["0", "60", "1000000000"])("of %s s is long enough", async (timeout) => {
    expect(await service.get(queryPath("/nodes", { timeout }))).toMatchObject({ status: 200 });
  });
});

describe("closing", () => {
  it("completes running responses and accepts no new requests", async () => {
    const other = await serve(await emptyStore());
    const running = other.get(queryPath("/nodes"));
    expect(await running).toMatchObject({ status: 200, text: "[]" });
    await other.close();
    await expect(other.get(queryPath("/nodes"))).rejects.toThrow("ECONNREFUSED");
  });
});

describe("an address in use", () => {
  it("is refused in one line", async () => {
    const holder = createServer();
    holder.listen(0, "127.0.0.1");
    await once(holder, "listening");
    const { port } = holder.address() as AddressInfo;
    const store = await emptyStore();
    await expect(startService({ store, plain: { host: "127.0.0.1", port } })).rejects.toMatchObject({
      code: "bad-file",
      message: expect.stringMatching(new RegExp(`^127\\.0\\.0\\.1:${port} is in use [^\\n]*--port$`)),
    });
    await store.close();
    holder.close();
  });
});
