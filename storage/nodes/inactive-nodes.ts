import type { Database } from "../engine/database.ts";
import type { NodeIndex } from "./node-index.ts";

/** The inactive nodes after a transaction. */
export interface InactiveSnapshot {
  /** A digit per node id, from 0 on: 1 for an inactive node. Nodes with larger ids are active. */
  readonly digits: string;
  /**
   * Whether the same nodes are inactive now. A query that the engine began before this returns true saw them inactive,
   * since a change is recorded before it is committed.
   */
  isCurrent(): boolean;
}

/** Longer digits are not used, because every query would have them as a parameter. */
const MAX_DIGITS = 65_536;

interface Committed {
  readonly digits: string | undefined;
  /** {@link NodeIndex.inactiveVersion} at that time. */
  readonly version: number;
}

/** Tracks which nodes are inactive, so that queries about active nodes need not join every row with its node. */
export class InactiveNodes {
  readonly #database: Database;
  readonly #index: NodeIndex;
  #committed: Committed | undefined;
  /** Transactions that may change it. */
  #running = 0;
  #begun = 0;

  constructor(database: Database, index: NodeIndex) {
    this.#database = database;
    this.#index = index;
  }

  /** Changes whenever other nodes become inactive or active, before that is committed. */
  get version(): number {
    return this.#index.inactiveVersion;
  }

  /** Undefined while it is not known, is being changed, or there are too many nodes. */
  get snapshot(): InactiveSnapshot | undefined {
    const committed = this.#committed;
    if (committed?.digits === undefined || !this.#isCurrent(committed)) return undefined;
    return { digits: committed.digits, isCurrent: () => this.#isCurrent(committed) };
  }

  /**
   * Runs a transaction; once it is committed, the snapshot shows its changes.
   * @param transaction calls `changesEnd` after its last change
   */
  async during<T>(transaction: (changesEnd: () => void) => Promise<T>): Promise<T> {
    this.#running++;
    this.#begun++;
    let after: Committed | undefined;
    try {
      const result = await transaction(() => (after = this.#present(this.#index.inactive)));
      this.#committed = after ?? this.#committed;
      return result;
    } finally {
      this.#running--;
    }
  }

  /** Reads from the database which nodes are inactive, unless that is known or being changed. */
  async load(): Promise<void> {
    if (this.#running > 0 || (this.#committed !== undefined && this.#isCurrent(this.#committed))) return;
    const begun = this.#begun;
    const sql = "SELECT id FROM nodes WHERE deactivated IS NOT NULL OR expired IS NOT NULL";
    const rows = await this.#database.rows<{ id: number }>(sql);
    if (this.#begun === begun) this.#committed = this.#present(new Set(rows.map(({ id }) => id)));
  }

  #isCurrent({ version }: Committed): boolean {
    return this.#index.inactiveVersion === version;
  }

  #present(inactive: ReadonlySet<number> | undefined): Committed | undefined {
    const version = this.#index.inactiveVersion;
    if (inactive === undefined || this.#committed?.version === version) return this.#committed;
    return { digits: digitsOf(inactive), version };
  }
}

/** A digit per id up to the last of some: 1 for those. Undefined where there would be too many. */
export function digitsOf(ids: ReadonlySet<number>): string | undefined {
  if (ids.size === 0) return "";
  const length = [...ids].reduce((last, id) => Math.max(last, id), 0) + 1;
  if (length > MAX_DIGITS) return undefined;
  const digits = Buffer.alloc(length, "0");
  for (const id of ids) digits.write("1", id);
  return digits.toString("latin1");
}
