import type { FollowingStore } from "../entry.ts";
import { JointLog, joinedPosition, type LogParts, MAX_OUTAGE } from "../shared/joint-log.ts";
import type { LogSettings } from "../shared/membership.ts";
import type { Address } from "./address.ts";
import { Appender } from "./appender.ts";
import { Connection } from "./connection.ts";
import { PostgresRegistry } from "./registry.ts";
import { PostgresSource } from "./source.ts";
import { checkPosition, join, PATIENCE, turnDay } from "./tables.ts";

export interface PostgresLogOptions extends Pick<LogParts, "server" | "onNotice"> {
  readonly address: Address;
  /** Days for which entries are kept. */
  readonly days: number;
  /** Settings that decide what is stored: they are the same wherever the log is followed. */
  readonly settings: LogSettings;
  /** Milliseconds for which commands wait while the log is out of reach; default: 30 seconds. */
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
    const { address, days, maxOutage = MAX_OUTAGE, server, onNotice } = options;
    const position = await joinedPosition(store.position, () => joined(store, options), onNotice);
    return new PostgresLog(position, {
      server,
      onNotice,
      openSource: (wake) => PostgresSource.open(address, wake),
      openRegistry: () => PostgresRegistry.open(address),
      appender: (outage) => new Appender(address, { days, maxOutage, outage }),
    });
  }
}

async function joined(store: FollowingStore, { address, days, settings }: PostgresLogOptions): Promise<string> {
  const { position } = store;
  const connection = await Connection.open(address);
  try {
    const identity = await join(connection, store, settings);
    await turnDay(connection, days);
    if (position?.log === identity) await checkPosition(connection, position, PATIENCE);
    return identity;
  } finally {
    await connection.close();
  }
}
