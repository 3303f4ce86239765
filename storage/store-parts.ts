import { join } from "node:path";
import type { Database } from "./engine/database.ts";
import { VolatilePaths } from "./history/volatile-facts.ts";
import { Backups } from "./backup.ts";
import { Disk } from "./durability/disk.ts";
import { FollowedLog } from "./followed-log.ts";
import { Ingester } from "./ingest/ingester.ts";
import { IssueStore } from "./issues/issue-store.ts";
import type { MaintenanceListener } from "./lifecycle/events.ts";
import { Lifecycle } from "./lifecycle/lifecycle.ts";
import type { Retention } from "./lifecycle/retention.ts";
import { memoryBudget } from "./memory/budget.ts";
import { StoreMetrics } from "./metrics/store-metrics.ts";
import { NodeIndex } from "./nodes/node-index.ts";
import { Origins } from "./origins/origins.ts";
import { PastQueries } from "./query/past-queries.ts";
import { Queries, type QueriesOptions } from "./query/queries.ts";
import { type Consumer, QueueConsumer } from "./queue/consumer.ts";
import { queueFolder } from "./queue/folder.ts";
import type { LoggedMaintenance } from "./queue/entry.ts";
import type { CommandListener } from "./queue/events.ts";
import { ReplicatedConsumer } from "./queue/replicated/consumer.ts";
import type { Queue } from "./queue/open.ts";
import { SavedState } from "./saved-state.ts";
import { StoreMemory } from "./store-memory.ts";
import type { StoreOptions } from "./store-options.ts";
import type { Clock } from "./time.ts";
import { Traits } from "./traits/traits.ts";
import { boundsOfAccepted, boundsWithin, type CommandBounds } from "./wire/bounds.ts";

/** The options of a store with the defaults that all of its parts need. */
export type PartOptions = Omit<StoreOptions, "retention"> & { readonly clock: Clock; readonly retention: Retention };

/** What a store consists of. */
export interface StoreParts {
  readonly database: Database;
  readonly queue: Queue;
  /** The limits of one command. */
  readonly bounds: CommandBounds;
  readonly ingester: Ingester;
  readonly consumer: Consumer;
  readonly queries: Queries;
  readonly past: PastQueries;
  readonly issues: IssueStore;
  readonly traits: Traits;
  readonly lifecycle: Lifecycle;
  readonly metrics: StoreMetrics;
  readonly memory: StoreMemory;
  readonly origins: Origins;
  readonly saved: SavedState;
  readonly backups: Backups;
  /** Whether the data directory can be written; undefined: there is none, or it is only read. */
  readonly disk: Disk | undefined;
  /** Undefined: the store has a queue of its own. */
  readonly followedLog: FollowedLog | undefined;
}

/** Makes the parts of a store and connects them; nothing is processed yet. */
export function storeParts(database: Database, queue: Queue, options: PartOptions): StoreParts {
  const { clock, retention, onCommand, onMaintenance, onNotice = () => undefined } = options;
  const { storesCorrectiveChange = false } = options;
  const { log, replicated, deadLetters, attempts, unfinished } = queue;
  const bounds = boundsWithin(options.bounds ?? {}, memoryBudget());
  const nodes = new NodeIndex();

  const ingester = new Ingester(database, {
    nodes,
    clock,
    retention,
    queue: queue.identity,
    factsBlocklist: options.factsBlocklist,
    // What another process has accepted must be stored, whatever the memory of this machine.
    bounds: replicated === undefined ? bounds : boundsOfAccepted,
    isFollowing: replicated !== undefined,
    markOf: replicated && ((id) => replicated.markOf(id)),
    threads: options.preparingThreads,
    storesCorrectiveChange,
    history: retention.historyTtl > 0n ? { volatileFacts: options.volatileFacts ?? [] } : undefined,
  });
  const { progress, transactions } = ingester;

  const querying = {
    nodes,
    clock,
    purgeHorizon: () => clock.now() - retention.nodePurgeTtl,
    storesCorrective: storesCorrectiveChange,
    countsCorrective: options.countsCorrectiveChange ?? storesCorrectiveChange,
    ordersPages: replicated !== undefined,
  } satisfies QueriesOptions;
  const volatile = new VolatilePaths(options.volatileFacts);
  const queries = new Queries(database, { ...querying, isSteadyFact: (path) => !volatile.touches(path) });

  const followedLog = replicated && new FollowedLog(replicated, { database, progress, clock, onNotice });
  const maintain = async ({ id, asOf, change }: LoggedMaintenance): Promise<void> => {
    await lifecycle.apply(change, asOf, (tx) => progress.note(tx, id));
    if (change.kind === "compare") await followedLog?.beginComparing();
  };
  const disk = diskOf(options, () => consumer.isStalled);
  replicated?.reportProblem(() => disk?.problem);
  const onEvent: CommandListener = (event) => {
    if (event.kind === "refused" || event.kind === "stalled") disk?.failed(event.error);
    metrics.command(event);
    onCommand?.(event);
  };
  const consuming = { deadLetters, ingester, clock, onEvent, onNotice };
  const consumer =
    replicated === undefined
      ? new QueueConsumer({ ...consuming, log, attempts })
      : new ReplicatedConsumer({ ...consuming, log: replicated, maintain });

  const onMaintained: MaintenanceListener = (event) => {
    metrics.maintenance(event);
    onMaintenance?.(event);
  };
  const lifecycle = new Lifecycle({
    database,
    transactions,
    clock,
    retention,
    onMaintenance: onMaintained,
    shared:
      consumer instanceof ReplicatedConsumer
        ? { request: (change, turn) => consumer.requestMaintenance(change, turn) }
        : undefined,
    compareInterval: options.compareInterval,
  });
  const metrics = new StoreMetrics({
    clock,
    database,
    queue: consumer,
    log: followedLog && (() => followedLog.position),
    disk,
    left: unfinished,
    cleaning: () => lifecycle.cleaning,
  });
  void deadLetters?.list().then((letters) => metrics.lettersFound(letters));

  return {
    database,
    queue,
    bounds,
    ingester,
    consumer,
    queries,
    past: new PastQueries(database, querying),
    issues: new IssueStore(database, queries),
    traits: new Traits(database, queries),
    lifecycle,
    metrics,
    memory: new StoreMemory({ database, ingester, lifecycle, log }),
    origins: new Origins(database, ingester, nodes),
    saved: new SavedState({ database, transactions, consumer }),
    backups: new Backups(database),
    disk,
    followedLog,
  };
}

function diskOf(
  { directory, readOnly = false, onNotice = () => undefined }: PartOptions,
  isStalled: () => boolean,
): Disk | undefined {
  if (directory === undefined || readOnly) return undefined;
  return new Disk({ folders: [directory, join(directory, queueFolder)], isStalled, onNotice });
}
