import type { FollowingStore, OpenSharedLog, SharedLog } from "./entry.ts";
import { type NamedLog, placeOf } from "./named-log.ts";
import type { LogParts, ObservedLog, Observing } from "./shared/joint-log.ts";
import type { LogSettings } from "./shared/membership.ts";
import type { LogOperation } from "./shared/operation.ts";

export interface LogOptions extends Pick<LogParts, "server" | "onNotice"> {
  /** Days for which entries are kept. */
  readonly days: number;
  /** Settings that decide what is stored: they are the same wherever the log is followed. */
  readonly settings: LogSettings;
  /** Where commands are kept until the servers of the log have them on disk; undefined: nowhere. */
  readonly outbox: { readonly folder: string; readonly ms: number } | undefined;
}

/**
 * Opens what a server follows: a log that it shares with others, or several, to which it adds nothing. Drivers are loaded on
 * demand.
 */
export function openerOf(logs: readonly NamedLog[], options: LogOptions): OpenSharedLog {
  return async (store: FollowingStore): Promise<SharedLog> => {
    const [only, ...others] = logs;
    if (only !== undefined && others.length === 0) return openLog(only, store, options);
    const { HubLog } = await import("./hub/hub-log.ts");
    return HubLog.open(
      store,
      logs.map((log) => ({ place: placeOf(log), open: (observing) => openLog(log, store, { ...options, observing }) })),
    );
  };
}

async function openLog(
  { kind, address }: NamedLog,
  store: FollowingStore,
  { outbox, ...options }: LogOptions & { readonly observing?: Observing },
): Promise<ObservedLog> {
  if (kind === "postgresql") {
    const { PostgresLog } = await import("./postgres/postgres-log.ts");
    return PostgresLog.open(store, { address, ...options });
  }
  const { JetStreamLog } = await import("./jetstream/jetstream-log.ts");
  return JetStreamLog.open(store, { address, outbox, ...options });
}

/**
 * Connects to a log for its operator.
 * @param days for which entries are kept
 * @throws CensusError "unavailable" where it cannot be reached
 */
export async function openOperation(log: NamedLog, days: number): Promise<LogOperation> {
  if (log.kind === "postgresql") {
    const { PostgresOperation } = await import("./postgres/operation.ts");
    return PostgresOperation.open(log.address, days);
  }
  const { JetStreamOperation } = await import("./jetstream/operation.ts");
  return JetStreamOperation.open(log.address, days);
}
