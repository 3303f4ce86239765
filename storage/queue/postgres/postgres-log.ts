import type { FollowingStore, LogPosition } from "../entry.ts";
import {
  JointLog,
  joinedPosition,
  type LogParts,
  MAX_OUTAGE,
  observedPosition,
  type Observing,
  positionIn,
} from "../shared/joint-log.ts";
import { checkObserver, type LogSettings } from "../shared/membership.ts";
import type { Address } from "./address.ts";
import { Appender } from "./appender.ts";
import { Cluster } from "./cluster.ts";
import { PostgresRegistry } from "./registry.ts";
import { PostgresSource } from "./source.ts";
import { checkPosition, existingState, join, PATIENCE, turnDay } from "./tables.ts";

export interface PostgresLogOptions extends Pick<LogParts, "server" | "onNotice"> {
  readonly address: Address;
  /** Days for which entries are kept. */
  readonly days: number;
  /** Settings that decide what is stored: they are the same wherever the log is followed. */
  readonly settings: LogSettings;
  /** Undefined: it is one of the servers of the log. */
  readonly observing?: Observing | undefined;
  /** Milliseconds for which commands wait while the log is out of reach; default: a minute. */
  readonly maxOutage?: number;
}

/**
 * A log in a PostgreSQL database. Entries are numbered by a sequence, under a lock that lasts until they are committed: so the
 * order of the numbers is that of the commits, and nobody reads past a number that is filled later.
 */
export class PostgresLog extends JointLog {
  /**
   * Opens the log for a store; creates its tables if there are none.
   * @throws CensusError "bad-file" if the store may not follow it, "unavailable" if it is out of reach and the store is not
   * known to follow it
   */
  static async open(store: FollowingStore, options: PostgresLogOptions): Promise<PostgresLog> {
    const { address, days, maxOutage = MAX_OUTAGE, server, observing, onNotice } = options;
    const cluster = new Cluster(address);
    const last = observing === undefined ? store.position : observing.last;
    const position = await joinedPosition({ last, join: () => joined(cluster, store, options), onNotice });
    const isMember = observing === undefined;
    return new PostgresLog(position, {
      server,
      onNotice,
      openSource: (wake) => PostgresSource.open(cluster, wake),
      openRegistry: isMember ? () => PostgresRegistry.open(cluster) : undefined,
      appender: isMember ? (outage) => new Appender(cluster, { days, maxOutage, outage }) : undefined,
    });
  }
}

async function joined(
  cluster: Cluster,
  store: FollowingStore,
  { days, settings, observing }: PostgresLogOptions,
): Promise<LogPosition> {
  const connection = await cluster.connect();
  try {
    if (observing !== undefined) {
      const state = await existingState(connection);
      checkObserver(state, settings);
      return observedPosition(state, observing);
    }
    const position = positionIn(await join(connection, store, settings), store.position);
    await turnDay(connection, days);
    if (position === store.position) await checkPosition(connection, position, PATIENCE);
    return position;
  } finally {
    await connection.close();
  }
}
