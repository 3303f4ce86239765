import type { JsonObject } from "#storage/json.ts";
import type { Store } from "#storage/store.ts";
import { a, emptyStore } from "#test/fixture-store.ts";

const [NODES, FACTS, LENGTH] = [4, 500, 10_000];

/** Minimum bytes of a response with all facts of {@link largeStore}: more than the buffers of sockets contain. */
export const largeResponse: number = NODES * FACTS * LENGTH;

/** A store with 20 MB of facts, of `node-0` and so on. */
export async function largeStore(): Promise<Store> {
  const store = await emptyStore();
  const values: JsonObject = Object.fromEntries(
    Array.from({ length: FACTS }, (_, n) => [`fact_${n}`, `${n} `.padEnd(LENGTH, "x")]),
  );
  for (let n = 0; n < NODES; n++) await store.submit(a.facts(`node-${n}`, { values }));
  return store;
}
