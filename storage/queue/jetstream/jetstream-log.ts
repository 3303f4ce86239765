import { join } from "node:path";
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
import { patiently } from "./connection.ts";
import { Outbox } from "./outbox.ts";
import { JetStreamRegistry, removeOldServers } from "./registry.ts";
import { JetStreamSource, LossWatch } from "./source.ts";
import { StateStream } from "./state-stream.ts";
import { checkPosition, infoOf, joinLog, missing, stateOf } from "./streams.ts";

export interface JetStreamLogOptions extends Pick<LogParts, "server" | "onNotice"> {
  readonly address: Address;
  /** Days for which entries are kept. */
  readonly days: number;
  /** Settings that decide what is stored: they are the same wherever the log is followed. */
  readonly settings: LogSettings;
  /**
   * A folder of the data directory, and for how many ms entries are kept there after JetStream has acknowledged them;
   * undefined: they are not.
   */
  readonly outbox: { readonly folder: string; readonly ms: number } | undefined;
  /** Undefined: it is one of the servers of the log. */
  readonly observing?: Observing | undefined;
  /** Milliseconds for which commands wait while the log is out of reach; default: a minute. */
  readonly maxOutage?: number;
}

/**
 * A log in a stream of NATS JetStream: an entry's id is its sequence there. JetStream acknowledges an entry once a majority of its
 * servers have it in memory, so it is in an outbox on this machine's disk before it is published.
 */
export class JetStreamLog extends JointLog {
  /**
   * Opens the log for a store; creates its streams if there are none.
   * @throws CensusError "bad-file" if the store may not follow it, "unavailable" if it is out of reach and the store is not
   * known to follow it
   */
  static async open(store: FollowingStore, options: JetStreamLogOptions): Promise<JetStreamLog> {
    const { address, maxOutage = MAX_OUTAGE, server, observing, onNotice } = options;
    const last = observing === undefined ? store.position : observing.last;
    const position = await joinedPosition({ last, join: () => joined(store, options), onNotice });
    const isMember = observing === undefined;
    const outbox = isMember && options.outbox ? await outboxOf(options.outbox, position) : undefined;
    const watch = new LossWatch();
    return new JetStreamLog(position, {
      server,
      onNotice,
      openSource: (wake) => JetStreamSource.open(address, watch, wake),
      openRegistry: isMember ? () => JetStreamRegistry.open(address) : undefined,
      appender: isMember
        ? (outage, seen) => new Appender(address, { outbox, seen, maxOutage, outage, onNotice })
        : undefined,
    });
  }
}

/** What was added to another log is not added to this one. */
async function outboxOf(
  { folder, ms }: { readonly folder: string; readonly ms: number },
  { log }: LogPosition,
): Promise<Outbox> {
  return Outbox.open({ folder: join(folder, log), ms });
}

async function joined(
  store: FollowingStore,
  { address, days, settings, observing }: JetStreamLogOptions,
): Promise<LogPosition> {
  return patiently(address, async (connection) => {
    if (observing !== undefined) {
      const state = await stateOf(connection, address);
      if (state === undefined) throw missing();
      checkObserver(state, settings);
      return observedPosition(state, observing);
    }
    const position = positionIn(await joinLog(connection, address, { store, settings, days }), store.position);
    await removeOldServers(new StateStream(connection, address), days);
    const end = (await infoOf(connection, address))?.state.last_seq ?? 0;
    // Entries that are missing at the end may be in the outbox of this server, or of another one.
    if (position === store.position && position.id <= end) await checkPosition(connection, address, position);
    return position;
  });
}
