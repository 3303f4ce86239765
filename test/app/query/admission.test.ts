import type { IncomingMessage } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { queryPath, serve, type Served } from "#test/app/fixture-service.ts";
import { bytesOf, idleClient } from "#test/app/idle-client.ts";
import { largeResponse, largeStore } from "#test/app/large-store.ts";

let service: Served;
beforeAll(async () => {
  service = await serve(await largeStore(), { answers: { queries: 2, longAnswers: 1 }, queries: { idleMs: 3000 } });
});
afterAll(() => service.close());

/** A client that reads the head of a long response and nothing of its body. */
const idler = (path = queryPath("/facts")): Promise<IncomingMessage> => idleClient(service.url + path);

it("closes the connection of a client that does not read its response, and serves the next one", async () => {
  const first = await idler();
  expect(first.statusCode).toBe(200);
  // It waits for the only place for long answers, for as long as the first has it.
  const second = await idler();
  expect(second.statusCode).toBe(200);
  expect(await bytesOf(second)).toBeGreaterThan(largeResponse);
  await expect(bytesOf(first)).rejects.toMatchObject({ code: "ECONNRESET" });
});

it("answers short queries while clients do not read long responses", async () => {
  const idle = await idler();
  const waiting = [0, 1, 2].map(() => service.get(queryPath("/facts")));
  const short = await service.get(queryPath("/nodes", { query: ["=", "certname", "node-3"] }));
  expect(short.status).toBe(200);
  idle.destroy();
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(service.faults).toEqual([]);
});

it("serves the next client once one closes its connection", async () => {
  for (let turn = 0; turn < 4; turn++) (await idler()).destroy();
  expect((await service.get(queryPath("/facts"))).status).toBe(200);
});
