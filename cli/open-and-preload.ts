import type { Store } from "#storage/store.ts";
import type * as Listening from "./listening.ts";

/** A store, and what serves it. */
export interface ServableStore {
  readonly store: Store;
  readonly listening: typeof Listening;
}

/**
 * Opens a store that is to be served, and loads meanwhile what serves it: the engine starts on threads of its own, and
 * this one would only wait.
 * @throws what `open` throws
 */
export async function openAndPreload(open: () => Promise<Store>): Promise<ServableStore> {
  const opening = open();
  const loading = load();
  // Who waits for a store that cannot be opened need not wait for this.
  loading.catch(() => undefined);
  const store = await opening;
  try {
    return { store, listening: await loading };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** In pieces: between them the engine is told what to do next, first of all to start. */
async function load(): Promise<typeof Listening> {
  await yieldToEvents();
  const { loadListener } = await import("#app/listeners/plain.ts");
  await loadListener();
  await yieldToEvents();
  await import("#app/framework.ts");
  await yieldToEvents();
  return import("./listening.ts");
}

/** Resolves when what has come in meanwhile has been seen to. */
async function yieldToEvents(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
