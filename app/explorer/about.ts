import type { Store } from "#storage/store.ts";
import { type Clock, formatTimestamp } from "#storage/time.ts";
import { shownOrigin } from "../status/origin-status.ts";
import type { QuerySettings } from "../query/settings.ts";
import { interfaceVersion, version } from "../version.ts";
import type { About, AboutService, AboutStore } from "./api/shapes.ts";
import type { ComparedArchive, ExplorerSource } from "./services.ts";
import type { ExplorerSettings } from "./settings.ts";

/** @param queries the time limit of queries */
export function aboutService(
  source: ExplorerSource,
  { silentAfter, sql, site }: ExplorerSettings,
  { timeoutDefaultMs }: Pick<QuerySettings, "timeoutDefaultMs">,
): AboutService {
  return {
    version,
    interface: interfaceVersion,
    source,
    settings: {
      silentAfter: silentAfter === "interval" ? null : silentAfter / 1000,
      queryTimeout: timeoutDefaultMs === 0 ? null : timeoutDefaultMs / 1000,
      sql,
      site: site !== undefined,
    },
  };
}

export function aboutTime(clock: Clock): Pick<About, "now" | "clock"> {
  return { now: formatTimestamp(clock.now()), clock: clock.isFixed === true ? "fixed" : "running" };
}

/** @returns null where nothing is compared */
export function aboutAgainst(against: ComparedArchive | undefined): About["against"] {
  return against === undefined ? null : { name: against.name, now: formatTimestamp(against.store.clock.now()) };
}

export async function aboutStore(store: Store): Promise<AboutStore> {
  const { cleaning, lastRun } = store.lifecycle;
  return {
    commandsWaiting: store.queueDepth,
    origins: store.origins.statuses.map((status) => shownOrigin(status, store.clock)),
    bytes: (await store.fileSize()) ?? null,
    maintenance: {
      running: cleaning === "" ? null : cleaning,
      last: lastRun === undefined ? null : formatTimestamp(lastRun),
    },
  };
}
