import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { JsonObject } from "#storage/json.ts";
import { queryPath, serve, type Served } from "#test/app/fixture-service.ts";
import { a, emptyStore } from "#test/fixture-store.ts";

/** An answer of 20 MB, more than sockets hold. */
const [NODES, FACTS] = [20, 1000];

let service: Served;
beforeAll(async () => {
  const store = await emptyStore();
  const values: JsonObject = Object.fromEntries(
    Array.from({ length: FACTS }, (_, n) => [`fact_${n}`, `${n} `.padEnd(1000, "x")]),
  );
  for (let n = 0; n < NODES; n++) await store.submit(a.facts(`node-${n}`, { values }));
  service = await serve(store);
});
afterAll(() => service.close());

it("an answer whose time is up after its first row ends with the connection, not as if it were whole", async () => {
  const outgoing = request(service.url + queryPath("/facts", { timeout: "1.5" })).end();
  const [response] = (await once(outgoing, "response")) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  await expect(readSlowly(response)).rejects.toMatchObject({ code: "ECONNRESET" });
});

/** Takes many seconds for what comes in a part of one. */
async function readSlowly(response: IncomingMessage): Promise<void> {
  for await (const _ of response) await new Promise((resolve) => setTimeout(resolve, 100));
}
