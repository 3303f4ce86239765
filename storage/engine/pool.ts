/** Connections to the engine: many to read with, one to write with. */
export type PoolName = "read" | "write";

/** The connections of a pool at this moment. */
export interface Pool {
  readonly active: number;
  readonly idle: number;
  /** those that wait for one */
  readonly pending: number;
  readonly total: number;
  /** For reading: so many are kept; there may be more. */
  readonly max: number;
  readonly min: number;
}

/** Told how connections are used, in ms. */
export interface PoolListener {
  created(pool: PoolName, ms: number): void;
  waited(pool: PoolName, ms: number): void;
  used(pool: PoolName, ms: number): void;
}
