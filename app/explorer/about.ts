import type { Store } from "#storage/store.ts";
import { type Clock, formatTimestamp } from "#storage/time.ts";
import { type ShownOrigin, shownOrigin } from "../status/origin-status.ts";
import type { QuerySettings } from "../query/settings.ts";
import { interfaceVersion, version } from "../version.ts";
import type { ComparedArchive, ExplorerSource } from "./services.ts";
import type { ExplorerSettings } from "./settings.ts";

/** What the pages know of the service from the first moment on. */
export interface AboutService {
  readonly version: string;
  /** The version of PuppetDB's interface. */
  readonly interface: string;
  readonly source: ExplorerSource;
  readonly settings: {
    /** Seconds without a report after which a node is silent. */
    readonly silentAfter: number;
    /** Seconds that a query may take; null: no limit. */
    readonly queryTimeout: number | null;
    /** Whether the workbench runs SQL. */
    readonly sql: boolean;
    /** Whether there is a file of shared queries, views and links. */
    readonly site: boolean;
  };
}

/** What they know of the time. */
export interface AboutTime {
  /** ISO 8601; of an archive, when it was exported. */
  readonly now: string;
  readonly clock: "fixed" | "running";
}

/** What they know of the archive that the served one is compared with. */
export interface AboutAgainst {
  readonly name: string;
  /** When it was exported, ISO 8601. */
  readonly now: string;
}

/** What they know of the data. */
export interface AboutData {
  readonly counts: {
    /** Active ones. */
    readonly nodes: number;
    readonly inactive: number;
    /** Of the catalogs of active nodes. */
    readonly resources: number;
    readonly reports: number;
  };
  /** The earliest time whose state can be read, ISO 8601; null: no changes are recorded. */
  readonly history: string | null;
  /** When the oldest and the newest report were produced. */
  readonly span: { readonly reports: readonly [string, string] | null };
  readonly environments: readonly string[];
  readonly features: {
    /** Whether any node has packages. */
    readonly packages: boolean;
    /** Whether `corrective_change` is stored. */
    readonly correctiveChanges: boolean;
  };
}

/** What they know of the store at this moment: unlike the data, it changes without any command. */
export interface AboutStore {
  /** Commands that are accepted and not processed yet. */
  readonly commandsWaiting: number;
  /** How other servers are followed, of which this is a copy; none: it is not one. */
  readonly origins: readonly ShownOrigin[];
  /** Of the database file and its log; null in memory. */
  readonly bytes: number | null;
  readonly maintenance: {
    /** A description of the present work; null: there is none. */
    readonly running: string | null;
    /** When it ended the last time since the start, ISO 8601; null: not yet. */
    readonly last: string | null;
  };
}

/** @param queries the time limit of queries */
export function aboutService(
  source: ExplorerSource,
  { silentAfterMs, sql, site }: ExplorerSettings,
  { timeoutDefaultMs }: Pick<QuerySettings, "timeoutDefaultMs">,
): AboutService {
  return {
    version,
    interface: interfaceVersion,
    source,
    settings: {
      silentAfter: silentAfterMs / 1000,
      queryTimeout: timeoutDefaultMs === 0 ? null : timeoutDefaultMs / 1000,
      sql,
      site: site !== undefined,
    },
  };
}

export function aboutTime(clock: Clock): AboutTime {
  return { now: formatTimestamp(clock.now()), clock: clock.isFixed === true ? "fixed" : "running" };
}

/** @returns null where nothing is compared */
export function aboutAgainst(against: ComparedArchive | undefined): AboutAgainst | null {
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
