import type { FollowingStore, OpenSharedLog, SharedLog } from "./entry.ts";
import type { NamedLog } from "./named-log.ts";
import type { LogParts } from "./shared/joint-log.ts";
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

/** Opens a log for a store. The driver is loaded on demand. */
export function openerOf(log: NamedLog, { outbox, ...options }: LogOptions): OpenSharedLog {
  return async (store: FollowingStore): Promise<SharedLog> => {
    if (log.kind === "postgresql") {
      const { PostgresLog } = await import("./postgres/postgres-log.ts");
      return PostgresLog.open(store, { address: log.address, ...options });
    }
    const { JetStreamLog } = await import("./jetstream/jetstream-log.ts");
    return JetStreamLog.open(store, { address: log.address, outbox, ...options });
  };
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
