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

/** @param pause how long to wait before anything but the head is read, ms */
const get = (path: string, encoding?: string, pause = 0): Promise<{ headers: IncomingHttpHeaders; body: Buffer }> =>
  new Promise((resolve, reject) => {
    const headers = encoding === undefined ? {} : { "accept-encoding": encoding };
    request(service.url + path, { headers }, (response) => {
      setTimeout(() => {
        response
          .toArray()
          .then((chunks) => resolve({ headers: response.headers, body: Buffer.concat(chunks) }), reject);
      }, pause);
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

it("a response in one piece has a Content-Length", async () => {
  const { headers, body } = await get(queryPath("/facts/kernel"));
  expect(headers["content-length"]).toBe(String(body.length));
  expect((await get(queryPath("/facts"))).headers["content-length"]).toBeUndefined();
});

it("simultaneous responses, some to slow readers, are not mixed up", async () => {
  const requests = Array.from({ length: 24 }, (_, n) => ({ n, query: ["~", "name", `^f[0-9]*${n % 10}$`] }));
  const once = new Map<number, string>();
  for (const { n, query } of requests.slice(0, 10))
    once.set(n, (await get(queryPath("/facts", { query }))).body.toString());
  expect(new Set(once.values()).size).toBe(10);
  const answers = requests.map(async ({ n, query }) => {
    const encoding = n % 3 === 0 ? "gzip" : undefined;
    const { body } = await get(queryPath("/facts", { query }), encoding, n % 4 === 0 ? 20 : 0);
    return { n, text: (encoding === undefined ? body : gunzipSync(body)).toString() };
  });
  for (const { n, text } of await Promise.all(answers)) expect(text).toBe(once.get(n % 10));
});

it("a pretty response does not change simultaneous compact ones", async () => {
  const path = queryPath("/facts", { query: ["~", "name", "^f"] });
  const compact = (await get(path)).body.toString();
  const facts: unknown = JSON.parse(compact);
  for (let n = 0; n < 5; n++) {
    const [first, readable, second] = await Promise.all([get(path), get(`${path}&pretty=true`), get(path)]);
    expect(JSON.parse(readable.body.toString())).toStrictEqual(facts);
    expect([first.body.toString(), second.body.toString()]).toStrictEqual([compact, compact]);
  }
});

it("clients that close the connection early do not affect later requests", async () => {
  for (let n = 0; n < 60; n++) {
    await new Promise<void>((resolve) => {
      const client = request(service.url + queryPath("/facts"), (response) =>
        response.once("data", () => client.destroy()),
      );
      client
        .once("error", () => undefined)
        .once("close", resolve)
        .end();
      // Some leave at once, some when the request has arrived, some when they have read a part.
      if (n % 3 < 2) setTimeout(() => client.destroy(), (n % 3) * (n % 10));
    });
  }
  expect(JSON.parse((await get(queryPath("/facts/kernel"))).body.toString())).toHaveLength(1);
});
