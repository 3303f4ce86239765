import type { IncomingMessage } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { queryPath, serve, type Served } from "#test/app/fixture-service.ts";
import { bytesOf, idleClient } from "#test/app/idle-client.ts";
import { NOISE, noisyStore } from "#test/app/noisy-store.ts";

const EXPORT = "/pdb/admin/v1/archive";

let service: Served;
beforeAll(async () => {
  const store = await noisyStore();
  service = await serve(store, { answers: { longAnswers: 2, exports: 1 }, queries: { idleMs: 3000 } });
});
afterAll(() => service.close());

/** A client that reads the head of an export and nothing of its body. */
const idler = (): Promise<IncomingMessage> => idleClient(service.url + EXPORT);

it("closes the connection of a client that does not read its export, and serves the next one", async () => {
  const first = await idler();
  expect(first.statusCode).toBe(200);
  // It waits for the only place for exports, for as long as the first has it.
  const second = await idler();
  expect(second.statusCode).toBe(200);
  expect(await bytesOf(second)).toBeGreaterThan(NOISE / 2);
  await expect(bytesOf(first)).rejects.toMatchObject({ code: "ECONNRESET" });
});

it("answers long and short queries while a client does not read its export", async () => {
  const earlier = service.faults.length;
  const idle = await idler();
  const answers = [queryPath("/nodes"), queryPath("/facts"), queryPath("/facts")].map((path) => service.get(path));
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200]);
  idle.destroy();
  expect(service.faults.slice(earlier)).toEqual([]);
});

it("serves the next client once one leaves its export", async () => {
  const earlier = service.faults.length;
  for (let turn = 0; turn < 4; turn++) (await idler()).destroy();
  const response = await idler();
  expect(await bytesOf(response)).toBeGreaterThan(NOISE / 2);
  expect(service.faults.slice(earlier)).toEqual([]);
});
