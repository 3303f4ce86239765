import { availableParallelism } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { planned } from "#storage/engine/large-statements.ts";
import { populatedStore } from "#test/fixture-store.ts";
import { queryPath, serve, type Served } from "#test/app/fixture-service.ts";

/*
 * The engine cannot be interrupted while it plans a statement with many conditions. Here all places for such statements are in
 * use until a test releases them.
 */

const PLACES = Math.max(1, availableParallelism() - 1);
const LONG = "x".repeat(64 * 1024);

let service: Served;
beforeAll(async () => {
  service = await serve(await populatedStore(), { answers: { queries: 1 } });
});
afterAll(() => service.close());

let release: (() => void) | undefined;
afterEach(() => release?.());

function useAllPlaces(): void {
  const { promise, resolve } = Promise.withResolvers<void>();
  for (let place = 0; place < PLACES; place++) void planned(LONG, undefined, () => promise);
  release = resolve;
}

/** A body with a query of this number of conditions. @param first another one for each query: a repeated query would not wait */
const conditions = (count: number, first: number, parameters: Record<string, unknown>): string => {
  const query = ["or", ...Array.from({ length: count }, (_, index) => [">", ["fact", `f${first + index}`], 1])];
  return JSON.stringify({ query, ...parameters });
};
let queries = 0;
const headers = { "content-type": "application/json" };
const large = async (parameters: Record<string, unknown> = {}): Promise<number> => {
  return (await service.send("POST", queryPath("/nodes"), conditions(300, queries++, parameters), headers)).status;
};

describe("a query with many conditions", () => {
  it("waits for others of its kind without delaying small queries", async () => {
    useAllPlaces();
    let answered = 0;
    const waiting = Array.from({ length: 4 }, async () => large().finally(() => answered++));
    for (let count = 0; count < 5; count++) {
      expect((await service.get(queryPath("/nodes", { query: ["=", "certname", "a"] }))).status).toBe(200);
      await delay(20);
    }
    expect(answered).toBe(0);
    release?.();
    expect(await Promise.all(waiting)).toEqual([200, 200, 200, 200]);
  });

  it("waits when it is explained, and when its rows are counted", async () => {
    useAllPlaces();
    let answered = 0;
    const waiting = [
      large({ explain: "analyze" }).finally(() => answered++),
      large({ include_total: true }).finally(() => answered++),
    ];
    await delay(200);
    expect(answered).toBe(0);
    release?.();
    expect(await Promise.all(waiting)).toEqual([200, 200]);
  });

  it("keeps its place until it is planned, also when its client no longer waits", async () => {
    const planning = Promise.withResolvers<void>();
    const client = new AbortController();
    const first = Array.from({ length: PLACES }, async () => planned(LONG, client.signal, () => planning.promise));
    await delay(10);
    client.abort(new Error("the client left"));
    let isPlanned = false;
    const next = planned(LONG, undefined, () => Promise.resolve((isPlanned = true)));
    await delay(50);
    expect(isPlanned).toBe(false);
    planning.resolve();
    await Promise.all([...first, next]);
  });

  it("stops waiting when its client does", async () => {
    useAllPlaces();
    const client = new AbortController();
    const waiting = planned(LONG, client.signal, () => Promise.resolve("planned"));
    client.abort(new Error("the client left"));
    await expect(waiting).rejects.toThrow("the client left");
  });
});
