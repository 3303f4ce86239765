import { randomBytes } from "node:crypto";
import { a, emptyStore } from "#test/fixture-store.ts";
import type { Store } from "#storage/store.ts";

const NODES = 20;

/** Bytes of facts in the store. */
export const NOISE = NODES * 1_000_000;

/** A store that cannot be compressed much, with more data than the buffers of a connection can contain. */
export async function noisyStore(): Promise<Store> {
  const store = await emptyStore();
  for (let n = 0; n < NODES; n++) await store.submit(a.facts(`node-${n}`, { values: { noise: noise() } }));
  return store;
}

function noise(): string {
  // Of 3 bytes 4 characters are made.
  return randomBytes((NOISE / NODES) * (3 / 4)).toString("base64");
}
