/** The tables that a transaction changes. */
export interface TableChanges {
  /** Only rows were added to these. */
  readonly appended: ReadonlySet<string>;
  /** Rows of these were replaced or deleted. */
  readonly altered: ReadonlySet<string>;
}

/** Names of the tables whose rows our own statements replace or delete. */
export function alteredTables(sql: string): string[] {
  const written = /\b(?:INSERT INTO|DELETE FROM|UPDATE|(?:CREATE|ALTER|DROP) TABLE)\s+"?(\w+)"?/g;
  return [...sql.matchAll(written)].flatMap(([, table]) => table ?? []);
}

/** The tables of each view. */
export const viewTables: Readonly<Record<string, readonly string[]>> = {
  facts: ["short_facts", "long_facts"],
  fact_leaves: ["steady_leaves", "volatile_leaves"],
};

interface Counts {
  /** Matches the table, or a view of it, in a statement. */
  readonly mention: RegExp;
  changes: number;
  /** The number of ended and of running transactions that altered it. */
  alterations: number;
  altering: number;
}

/**
 * Counts the transactions that changed each table, so that data read from tables can be cached until one of them
 * changes. Read versions before the tables.
 */
export class TableVersions {
  readonly #tables = new Map<string, Counts>();
  #replacements = 0;
  #commits = 0;
  /** What is being committed; absent: nothing. */
  #committing: TableChanges | undefined;

  /**
   * Changes with each commit; undefined during a commit. If it is equal before and after reading, everything read in
   * between is of the last committed state.
   */
  get moment(): number | undefined {
    return this.#committing === undefined ? this.#commits : undefined;
  }

  /** Call before a transaction is committed. */
  committing(changes: TableChanges): void {
    this.#committing = changes;
  }

  /** Call before a transaction first alters a table. */
  altering(table: string): void {
    this.#of(table).altering++;
  }

  /** Call as soon as a transaction is committed or rolled back. */
  ended({ appended, altered }: TableChanges): void {
    this.#commits++;
    this.#committing = undefined;
    for (const table of new Set([...appended, ...altered])) this.#of(table).changes++;
    for (const table of altered) {
      this.#of(table).alterations++;
      this.#of(table).altering--;
    }
  }

  /** Call when any table may have changed in any way. */
  noteAll(): void {
    this.#replacements++;
    this.#commits++;
  }

  /**
   * A text that changes with each table that one of our own statements reads.
   * @param without a table whose changes do not matter
   */
  of(sql: string, without?: string): string {
    const read = [...this.#tables].filter(([table, { mention }]) => table !== without && mention.test(sql));
    return [this.#replacements, ...read.map(([table, { changes }]) => `${table}=${changes}`)].join(" ");
  }

  /**
   * A text that changes with each of some tables. If it is equal before and after a statement begins, the statement sees
   * the tables as they were when it was first read.
   * @returns undefined while a transaction that changes one of them is being committed
   */
  ofTables(tables: readonly string[]): string | undefined {
    const { appended, altered } = this.#committing ?? {};
    if (tables.some((table) => appended?.has(table) === true || altered?.has(table) === true)) return undefined;
    return [this.#replacements, ...tables.map((table) => this.#tables.get(table)?.changes ?? 0)].join(" ");
  }

  /**
   * A text that changes when rows of a table are replaced or deleted, but not when rows are added. If it is equal
   * before and after reading, none of the read rows was replaced or deleted meanwhile.
   * @returns undefined while a transaction alters the table, whether it is committed yet or not
   */
  ofRows(table: string): string | undefined {
    const { alterations, altering } = this.#tables.get(table) ?? { alterations: 0, altering: 0 };
    return altering > 0 ? undefined : `${this.#replacements} ${alterations}`;
  }

  #of(table: string): Counts {
    let counts = this.#tables.get(table);
    if (counts === undefined) {
      const views = Object.keys(viewTables).filter((view) => viewTables[view]?.includes(table));
      counts = {
        mention: new RegExp(`\\b(?:${[table, ...views].join("|")})\\b`),
        changes: 0,
        alterations: 0,
        altering: 0,
      };
      this.#tables.set(table, counts);
    }
    return counts;
  }
}
