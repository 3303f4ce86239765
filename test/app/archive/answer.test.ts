import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { H3 } from "h3";
import { toNodeHandler } from "h3/node";
import { afterAll, beforeAll, expect, it } from "vitest";
import { archiveAnswer } from "#app/archive/answer.ts";
import type { Sending } from "#app/http/streamed.ts";
import type { WrittenMember } from "#storage/archive/written-member.ts";

async function* failing(): AsyncGenerator<WrittenMember> {
  for (let n = 0; n < 2000; n++) yield { name: `m${n}`, body: `${Math.sin(n)}`.repeat(500) };
  throw new Error("the source broke");
}

async function* none(): AsyncGenerator<WrittenMember> {
  const members = await Promise.resolve<WrittenMember[]>([]);
  if (members.length === 0) throw new Error("nothing to read");
  yield* members;
}

const faults: unknown[] = [];
const onFault = (error: unknown): unknown => faults.push(error);
const begin = (): Sending => ({ idleMs: 10_000, waits: () => undefined, over: () => undefined });
const app = new H3({ silent: true })
  .get("/late", () => archiveAnswer(failing(), { headers: {}, begin, onFault }))
  .get("/early", () => archiveAnswer(none(), { headers: {}, begin, onFault }));
const server = createServer(toNodeHandler(app) as RequestListener);
let url = "";

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

it("an archive that fails in its middle ends with the connection, not as if it were whole", async () => {
  const answer = await fetch(`${url}/late`);
  expect(answer.status).toBe(200);
  await expect(answer.arrayBuffer()).rejects.toThrow("terminated");
  expect(faults).toMatchObject([{ message: "the source broke" }]);
});

it("one that fails before its first member is no archive", async () => {
  expect((await fetch(`${url}/early`)).status).toBe(500);
});
