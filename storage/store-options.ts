import type { CommandListener } from "./queue/events.ts";
import type { FactsBlocklist } from "./ingest/facts-blocklist.ts";
import type { MaintenanceListener } from "./lifecycle/events.ts";
import type { Retention } from "./lifecycle/retention.ts";
import type { Clock } from "./time.ts";
import type { CommandBounds } from "./wire/bounds.ts";

/** How a store is opened. */
export interface StoreOptions {
  /** The data directory; absent = in memory, gone when closed. */
  readonly directory?: string;
  /** Only in memory: the folder that `writeBase` made of another store, whose content it begins with. */
  readonly base?: string;
  readonly clock?: Clock;
  /** What is not said is as a server does by default. */
  readonly retention?: Partial<Retention>;
  /** Facts that are not stored. */
  readonly factsBlocklist?: FactsBlocklist;
  /** Whether `corrective_change` of reports and events is stored; default: no, as the open-source edition of PuppetDB. */
  readonly storesCorrectiveChange?: boolean;
  /** Whether event counts separate corrective changes from intentional ones; default: if they are stored. */
  readonly countsCorrectiveChange?: boolean;
  /** What one command may become; what is not given is as by default. */
  readonly bounds?: Partial<CommandBounds>;
  /** Threads that prepare commands; absent: one per core, up to four. */
  readonly preparingThreads?: number | undefined;
  /**
   * Only to be asked: the directory is left as it is, the queue in it alone, and other readers may have it open as well.
   * Commands are refused. Default: no.
   */
  readonly readOnly?: boolean;
  /** Whether a store of an older version may be changed; default: yes. */
  readonly mayMigrate?: boolean;
  /** Told what happens to each command. */
  readonly onCommand?: CommandListener;
  /** Told what maintenance does. */
  readonly onMaintenance?: MaintenanceListener;
  /** Whether a directory is opened that is known to hold less than it did; default: no. */
  readonly acceptsLoss?: boolean;
  /** Told when a fault of the file can be cleared by another process alone. */
  readonly onGivenUp?: (reason: string) => void;
  /** Told, in a sentence each, what was found and mended in the directory. */
  readonly onNotice?: (text: string) => void;
}
