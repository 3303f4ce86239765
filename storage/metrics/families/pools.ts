import type { Database } from "../../engine/database.ts";
import type { Pool, PoolName } from "../../engine/pool.ts";
import type { Family, Instruments, Registry } from "../registry.ts";

const gauges: readonly (readonly [name: string, of: keyof Pool])[] = [
  ["ActiveConnections", "active"],
  ["IdleConnections", "idle"],
  ["PendingConnections", "pending"],
  ["TotalConnections", "total"],
  ["MaxConnections", "max"],
  ["MinConnections", "min"],
];

const items = {
  Usage: "histogram",
  ConnectionCreation: "histogram",
  Wait: "timer",
  ConnectionTimeoutRate: "meter",
} as const satisfies Family;

/** Timers that the pool writes to: milliseconds for which a connection was used, opened and waited for. */
type PoolInstruments = Instruments<typeof items>;

/** The names of the pools in metrics. */
const names = { read: "PDBReadPool", write: "PDBWritePool" } as const satisfies Record<PoolName, string>;

/** Makes the metrics of the pools of connections to the engine (`reference/metrics.md §5.4`). */
export function poolMetrics(registry: Registry, database: Database): void {
  const instruments = Object.fromEntries(
    Object.entries(names).map(([pool, name]) => {
      const look = (): Pool => database.pool(pool as PoolName);
      for (const [gauge, of] of gauges) registry.gauge("database", `${name}.pool.${gauge}`, () => look()[of]);
      return [pool, registry.family("database", items, `${name}.pool.`)];
    }),
  ) as Record<PoolName, PoolInstruments>;
  database.poolListener = {
    created: (pool, ms) => instruments[pool].ConnectionCreation.update(ms),
    waited: (pool, ms) => instruments[pool].Wait.update(ms),
    used: (pool, ms) => instruments[pool].Usage.update(ms),
  };
}
