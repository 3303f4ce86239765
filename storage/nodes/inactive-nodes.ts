import type { Database } from "../engine/database.ts";
import type { Nodes } from "./node-index.ts";

/** Which nodes are inactive in what is committed, told without asking the engine. */
export interface Inactive {
  /** A digit per node id, from 0 on: 1 for an inactive one. Ids that it is too short for are of active nodes. */
  readonly digits: string;
  /**
   * Whether that is so still. An answer that the engine began before this says yes saw the same nodes inactive: a change is
   * noted before it is committed.
   */
  holds(): boolean;
}

/** Longer digits are not told: each question has them with it. */
const LONGEST = 65_536;

/** What was so after a change, by the number of changes until then. */
interface Known {
  readonly digits: string;
  readonly change: number;
}

/** Knows which nodes are inactive, so that questions about active nodes need not join every row with its node. */
export class Activity {
  readonly #database: Database;
  readonly #nodes: Nodes;
  #known: Known | undefined;
  /** Transactions that may change it. */
  #underway = 0;
  #begun = 0;

  constructor(database: Database, nodes: Nodes) {
    this.#database = database;
    this.#nodes = nodes;
  }

  /** Undefined where it is not known or is just being changed, or there are too many nodes. */
  get inactive(): Inactive | undefined {
    const known = this.#known;
    if (known === undefined || known.digits.length > LONGEST || !this.#isNow(known)) return undefined;
    return { digits: known.digits, holds: () => this.#isNow(known) };
  }

  #isNow({ change }: Known): boolean {
    return this.#nodes.changesOfActivity === change;
  }

  /**
   * Runs a transaction, after which it is known what is committed.
   * @param transaction calls `done` once it will change nothing more
   */
  async during<T>(transaction: (done: () => void) => Promise<T>): Promise<T> {
    this.#underway++;
    this.#begun++;
    let after: Known | undefined;
    try {
      const result = await transaction(() => (after = this.#present(this.#nodes.inactive)));
      this.#known = after ?? this.#known;
      return result;
    } finally {
      this.#underway--;
    }
  }

  /** Looks it up where it is not known and nobody is changing it. */
  async learn(): Promise<void> {
    if (this.#underway > 0 || (this.#known !== undefined && this.#isNow(this.#known))) return;
    const begun = this.#begun;
    const sql = "SELECT id FROM nodes WHERE deactivated IS NOT NULL OR expired IS NOT NULL";
    const rows = await this.#database.rows<{ id: number }>(sql);
    if (this.#begun === begun) this.#known = this.#present(new Set(rows.map(({ id }) => id)));
  }

  #present(inactive: ReadonlySet<number> | undefined): Known | undefined {
    const change = this.#nodes.changesOfActivity;
    if (inactive === undefined || this.#known?.change === change) return this.#known;
    return { digits: digitsOf(inactive), change };
  }
}

function digitsOf(ids: ReadonlySet<number>): string {
  if (ids.size === 0) return "";
  const digits = Buffer.alloc([...ids].reduce((last, id) => Math.max(last, id), 0) + 1, "0");
  for (const id of ids) digits.write("1", id);
  return digits.toString("latin1");
}
