import type { OpenReplicatedLog } from "./queue/entry.ts";
import type { CommandListener } from "./queue/events.ts";
import type { FactsBlocklist } from "./ingest/facts-blocklist.ts";
import type { MaintenanceListener } from "./lifecycle/events.ts";
import type { Retention } from "./lifecycle/retention.ts";
import type { Clock } from "./time.ts";
import type { CommandBounds } from "./wire/bounds.ts";

/** Options for opening a store. */
export interface StoreOptions {
  /** Opens the log that this store follows together with others; absent: its commands are its own. */
  readonly commandLog?: OpenReplicatedLog;
  /** Milliseconds between comparisons with the other stores of the log; default: they are compared on request only. */
  readonly compareInterval?: number;
  /** The data directory; absent = in memory, deleted when it is closed. */
  readonly directory?: string;
  /** Only in memory: the folder that `writeBase` made from another store, whose content this one begins with. */
  readonly base?: string;
  readonly clock?: Clock;
  /** Default: the defaults of a server. */
  readonly retention?: Partial<Retention>;
  /** Paths of facts whose changes are not recorded, besides those declared in `history/volatile-facts.ts`. */
  readonly volatileFacts?: readonly string[];
  /** Facts that are not stored. */
  readonly factsBlocklist?: FactsBlocklist;
  /**
   * Whether `corrective_change` of reports and events is stored; default: no, as the open-source edition of PuppetDB.
   */
  readonly storesCorrectiveChange?: boolean;
  /** Whether event counts separate corrective changes from intentional ones; default: if they are stored. */
  readonly countsCorrectiveChange?: boolean;
  /** The limits of one command; default for each: that of a server. */
  readonly bounds?: Partial<CommandBounds>;
  /** Threads that prepare commands; absent: one per core, up to four. */
  readonly preparingThreads?: number | undefined;
  /**
   * For queries only: nothing in the directory is changed, including the queue, and other readers may open it too.
   * Commands are refused. Default: no.
   */
  readonly readOnly?: boolean;
  /** Whether a store of an older version may be changed; default: yes. */
  readonly mayMigrate?: boolean;
  /** Receives every event of a command. */
  readonly onCommand?: CommandListener;
  /** Receives every event of maintenance. */
  readonly onMaintenance?: MaintenanceListener;
  /** Whether to open a directory that is known to have lost data; default: no. */
  readonly acceptsLoss?: boolean;
  /** Called when only another process can recover from an error of the file. */
  readonly onGivenUp?: (reason: string) => void;
  /** Receives a sentence for each problem that was found and repaired in the directory. */
  readonly onNotice?: (text: string) => void;
}
