import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { queryPath, serve, type Served } from "#test/app/fixture-service.ts";
import { largeStore } from "#test/app/large-store.ts";

let service: Served;
beforeAll(async () => {
  service = await serve(await largeStore());
});
afterAll(() => service.close());

it("a response that times out after its first row ends with a closed connection", async () => {
  const outgoing = request(service.url + queryPath("/facts", { timeout: "3" })).end();
  const [response] = (await once(outgoing, "response")) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  await expect(readSlowly(response)).rejects.toMatchObject({ code: "ECONNRESET" });
});

/** Takes many seconds for what comes in a part of one. */
async function readSlowly(response: IncomingMessage): Promise<void> {
  for await (const _ of response) await new Promise((resolve) => setTimeout(resolve, 100));
}
