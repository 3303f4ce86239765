import type { MaintenanceEvent } from "#storage/lifecycle/events.ts";
import type { Operation } from "#storage/lifecycle/operation.ts";
import type { Store } from "#storage/store.ts";
import type { StoreOptions } from "#storage/store-options.ts";
import { emptyStore } from "#test/fixture-store.ts";

/** A store whose maintenance is listened to; nothing runs by itself within a test. */
export interface Maintained extends AsyncDisposable {
  readonly store: Store;
  /** Events of maintenance, oldest first */
  readonly events: MaintenanceEvent[];
}

export async function maintainedStore(options: StoreOptions = {}): Promise<Maintained> {
  const events: MaintenanceEvent[] = [];
  const store = await emptyStore({ onMaintenance: (event) => events.push(event), ...options });
  return { store, events, [Symbol.asyncDispose]: () => store.close() };
}

/** Has operations done, without limits. */
export async function clean(store: Store, ...operations: readonly Operation[]): Promise<void> {
  await store.lifecycle.clean({ operations: new Set(operations), purgeLimit: null });
}
