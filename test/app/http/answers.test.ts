import { type IncomingHttpHeaders, request } from "node:http";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { a, emptyStore } from "#test/fixture-store.ts";
import { queryPath, serve, type Served } from "#test/app/fixture-service.ts";

/** Longer than what is gathered before it is sent. */
const long = "€".repeat(100_000);

let service: Served;
beforeAll(async () => {
  const store = await emptyStore();
  const values = { kernel: "Linux", long, ...Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`f${n}`, n])) };
  await store.submit(a.facts("alpha", { values }));
  service = await serve(store);
});
afterAll(() => service.close());

const get = (path: string, encoding?: string): Promise<{ headers: IncomingHttpHeaders; body: Buffer }> =>
  new Promise((resolve, reject) => {
    const headers = encoding === undefined ? {} : { "accept-encoding": encoding };
    request(service.url + path, { headers }, (response) => {
      response.toArray().then((chunks) => resolve({ headers: response.headers, body: Buffer.concat(chunks) }), reject);
    })
      .once("error", reject)
      .end();
  });

describe.each([undefined, "gzip"])("rows, Accept-Encoding %s", (encoding) => {
  it.each<[what: string, query: unknown, rows: number]>([
    ["none", ["=", "name", "none"], 0],
    ["one", ["=", "name", "kernel"], 1],
    ["a few", ["~", "name", "^f1.$"], 10],
    ["one that is longer than a piece", ["=", "name", "long"], 1],
    ["many pieces of them", ["~", "name", "."], 3002],
  ])("%s", async (_what, query, rows) => {
    const { headers, body } = await get(queryPath("/facts", { query }), encoding);
    expect(headers["content-encoding"]).toBe(encoding);
    const answer = JSON.parse((encoding === undefined ? body : gunzipSync(body)).toString()) as { value: unknown }[];
    expect(answer).toHaveLength(rows);
    for (const { value } of answer) expect([long, "Linux"].includes(String(value)) || Number(value) >= 0).toBe(true);
  });
});

it("an answer that fits into a piece says how long it is", async () => {
  const { headers, body } = await get(queryPath("/facts/kernel"));
  expect(headers["content-length"]).toBe(String(body.length));
  expect((await get(queryPath("/facts"))).headers["content-length"]).toBeUndefined();
});
