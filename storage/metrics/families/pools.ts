import type { Family, Instruments, Registry } from "../registry.ts";

/** The connections of a pool at this moment. */
export interface Pool {
  readonly active: number;
  readonly idle: number;
  /** those that wait for one */
  readonly pending: number;
  readonly total: number;
  readonly max: number;
  readonly min: number;
}

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

/** For the pool to write to: milliseconds a connection was used, took to be made and was waited for. */
export type PoolInstruments = Instruments<typeof items>;

/** Makes the metrics of a pool of connections to the engine (`reference/metrics.md §5.4`). */
export function poolMetrics(
  registry: Registry,
  name: "PDBReadPool" | "PDBWritePool",
  look: () => Pool,
): PoolInstruments {
  for (const [gauge, of] of gauges) registry.gauge("database", `${name}.pool.${gauge}`, () => look()[of]);
  return registry.family("database", items, `${name}.pool.`);
}
