import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { archiveStream } from "#app/archive/stream.ts";
import type { SendProgress } from "#app/http/piece-stream.ts";
import type { HttpResponse } from "#app/http/response.ts";
import { below, trialHandler } from "#test/app/http/trial-handler.ts";
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
const begin = (): SendProgress => ({ idleMs: 10_000, waits: () => undefined, over: () => undefined });
const archive = async (members: AsyncGenerator<WrittenMember>): Promise<HttpResponse> => ({
  status: 200,
  headers: {},
  body: await archiveStream(members, begin, (error) => faults.push(error)),
});
const handler = trialHandler(
  [
    {
      routes: [],
      fallbacks: [
        below("/late", "archive", () => archive(failing())),
        below("/early", "archive", () => archive(none())),
      ],
    },
  ],
  {},
);
const server = createServer((request, response) => void handler(request, response));
let url = "";

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

it("closes the connection when an archive fails after its first member, so that it does not look complete", async () => {
  const answer = await fetch(`${url}/late`);
  expect(answer.status).toBe(200);
  await expect(answer.arrayBuffer()).rejects.toThrow("terminated");
  expect(faults).toMatchObject([{ message: "the source broke" }]);
});

it("answers 500 when an archive fails before its first member", async () => {
  expect((await fetch(`${url}/early`)).status).toBe(500);
});
