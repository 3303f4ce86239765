import type { Store } from "./store.ts";
import type { StoreOptions } from "./store-options.ts";
import { openDatabase } from "./store-database.ts";

/**
 * Opens a store as `Store.open` does, and loads what a store is made of while the engine, which is on threads of its own,
 * starts: for those who start with nothing else to do.
 * @throws as `Store.open`
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const opening = openDatabase(options);
  // It is waited for below; until then nobody would hear that it failed.
  opening.catch(() => undefined);
  await new Promise((resolve) => setImmediate(resolve));
  const { Store } = await import("./store.ts");
  return Store.over(await opening, options);
}
