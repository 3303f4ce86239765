import { keepEverything } from "#storage/lifecycle/retention.ts";
import type { StoreOptions } from "#storage/store-options.ts";

/**
 * How a store is opened that shows given content, such as an archive: nothing expires, and corrective changes are stored if
 * the content has them. Event counts stay those of the open-source edition of PuppetDB.
 */
export const contentOptions = {
  retention: keepEverything,
  storesCorrectiveChange: true,
  countsCorrectiveChange: false,
} as const satisfies StoreOptions;
