import * as fc from "fast-check";
import type { Database } from "#storage/engine/database.ts";
import { cleanEverything } from "#storage/lifecycle/request.ts";
import { openDatabase } from "#storage/store-database.ts";
import { Store } from "#storage/store.ts";
import { fixedClock } from "#storage/time.ts";
import { a, NOW } from "#test/fixture-store.ts";

/** A store with facts and resources of some nodes, and changes of it. */

async function opened(): Promise<{ store: Store; database: Database }> {
  const options = { clock: fixedClock(NOW) };
  const database = await openDatabase(options);
  return { store: await Store.over(database, options), database };
}

let seconds = 0;

/** A time of its own, later than all before. */
function later(): string {
  return new Date(Date.parse("2026-11-20T10:00:00Z") + ++seconds * 1000).toISOString();
}

/** More than a stripe has. */
export const names = Array.from({ length: 70 }, (_, index) => `node-${index}`);

/** The last values that were sent, by the names of nodes. */
const loads = new Map<string, unknown>();

/** Sends a fact set with a value for `load`, and another one for `uptime`, which is volatile, than ever before. */
export async function sendFacts(store: Store, name: string, value: unknown): Promise<void> {
  loads.set(name, value);
  const at = later();
  await store.submit(a.facts(name, { producer_timestamp: at, values: { load: value, uptime: at } as never }));
}

/** Sends what was sent last, but for `uptime`. */
export async function sendFactsAgain(store: Store, name: string): Promise<void> {
  await sendFacts(store, name, loads.get(name) ?? 0);
}

export async function sendCatalog(
  store: Store,
  name: string,
  titles: readonly string[],
  ensure: unknown,
): Promise<void> {
  const common = { type: "File", exported: false, tags: [] };
  const resources = titles.map((title) => ({ ...common, title, parameters: { ensure } }));
  await store.submit(a.catalog(name, { producer_timestamp: later(), resources: resources as never, edges: [] }));
}

export async function populated(): Promise<{ store: Store; database: Database }> {
  const made = await opened();
  await Promise.all(names.map((name, index) => sendFacts(made.store, name, index % 3)));
  await Promise.all(
    names.map((name, index) => sendCatalog(made.store, name, index % 2 === 0 ? ["/a", "/b"] : ["/a"], "file")),
  );
  await made.store.save();
  return made;
}

const certname = fc.constantFrom(...names.filter((_, index) => index % 9 === 0), "new");
const value = fc.constantFrom(1, 1.5, "1", "", null, true, "x".repeat(2000), [1, 2]);
const titles = fc.subarray(["/a", "/b", "/ä", "/c"]);

/** Something that changes the store. */
export const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(certname, value).map(
      ([name, load]) =>
        async (store: Store) =>
          sendFacts(store, name, load),
    ),
  },
  { weight: 4, arbitrary: certname.map((name) => async (store: Store) => sendFactsAgain(store, name)) },
  {
    weight: 6,
    arbitrary: fc.tuple(certname, titles, value).map(
      ([name, some, ensure]) =>
        async (store: Store) =>
          sendCatalog(store, name, some, ensure),
    ),
  },
  { weight: 1, arbitrary: certname.map((name) => async (store: Store) => store.submit(a.deactivation(name, later()))) },
  { weight: 1, arbitrary: fc.constant(async (store: Store) => store.lifecycle.clean(cleanEverything)) },
);
