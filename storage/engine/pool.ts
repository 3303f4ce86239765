/** Connections to the engine: several for reading, one for writing. */
export type PoolName = "read" | "write";

/** The current connections of a pool. */
export interface Pool {
  readonly active: number;
  readonly idle: number;
  /** callers that wait for one */
  readonly pending: number;
  readonly total: number;
  /** For reading, the number that is kept open; there may be more. */
  readonly max: number;
  readonly min: number;
}

/** Called when connections are opened and used; times in ms. */
export interface PoolListener {
  created(pool: PoolName, ms: number): void;
  waited(pool: PoolName, ms: number): void;
  used(pool: PoolName, ms: number): void;
}
