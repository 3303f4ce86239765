import type { Store } from "./store.ts";
import type { StoreOptions } from "./store-options.ts";
import { openDatabase } from "./store-database.ts";

/**
 * Opens a store as `Store.open` does, and loads the code of the store while the engine starts on threads of its own:
 * for callers that have nothing else to load meanwhile.
 * @throws as `Store.open`
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const opening = openDatabase(options);
  // It is awaited below; until then a rejection must not count as unhandled.
  opening.catch(() => undefined);
  await new Promise((resolve) => setImmediate(resolve));
  const { Store } = await import("./store.ts");
  return Store.over(await opening, options);
}
