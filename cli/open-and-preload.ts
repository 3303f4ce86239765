import type { Store } from "#storage/store.ts";
import type * as Listening from "./listening.ts";

/** A store, and the module that serves it. */
export interface ServableStore {
  readonly store: Store;
  readonly listening: typeof Listening;
}

/**
 * Opens a store and meanwhile loads the code that serves it. The engine starts on its own threads while this one would
 * only wait.
 * @throws what `open` throws
 */
export async function openAndPreload(open: () => Promise<Store>): Promise<ServableStore> {
  const opening = open();
  const loading = preloadListening();
  // If the store cannot be opened, ignore how the loading ends.
  loading.catch(() => undefined);
  const store = await opening;
  try {
    return { store, listening: await loading };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Loads the code that serves a store, in pieces, so that the engine gets its next instructions in between. */
export async function preloadListening(): Promise<typeof Listening> {
  await yieldToEvents();
  const { loadListener } = await import("#app/listeners/plain.ts");
  await loadListener();
  await yieldToEvents();
  await import("#app/http/adapter.ts");
  await yieldToEvents();
  return import("./listening.ts");
}

/** Resolves after pending events have been handled. */
async function yieldToEvents(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
