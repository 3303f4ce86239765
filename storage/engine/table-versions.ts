/** Tables that a transaction changes. */
export interface TableChanges {
  /** They have more rows, and the others are as they were. */
  readonly appended: ReadonlySet<string>;
  /** Rows of them were replaced or deleted. */
  readonly altered: ReadonlySet<string>;
}

/** Names of the tables whose rows our own statements replace or delete. */
export function alteredTables(sql: string): string[] {
  const written = /\b(?:INSERT INTO|DELETE FROM|UPDATE|(?:CREATE|ALTER|DROP) TABLE)\s+"?(\w+)"?/g;
  return [...sql.matchAll(written)].flatMap(([, table]) => table ?? []);
}

/** The tables of each view. */
export const viewTables: Readonly<Record<string, readonly string[]>> = { facts: ["short_facts", "long_facts"] };

interface Counts {
  /** Finds the table, or a view of it, in a statement. */
  readonly mention: RegExp;
  changes: number;
  /** Transactions that altered it and have ended, and that have not. */
  alterations: number;
  altering: number;
}

/**
 * Counts the transactions that changed each table, so that what was read of some tables can be kept until one of them changes.
 * Versions must be read before the tables are.
 */
export class TableVersions {
  readonly #tables = new Map<string, Counts>();
  #replacements = 0;
  #commits = 0;
  #isCommitting = false;

  /**
   * Changes with each commit; undefined while one is under way. What one statement read between two equal ones is of the state that
   * was committed last, whatever else was found out of that in the same time.
   */
  get moment(): number | undefined {
    return this.#isCommitting ? undefined : this.#commits;
  }

  /** To be called before a transaction is committed. */
  committing(): void {
    this.#isCommitting = true;
  }

  /** To be called before a transaction first alters a table. */
  altering(table: string): void {
    this.#of(table).altering++;
  }

  /** To be called as soon as a transaction is committed or rolled back. */
  ended({ appended, altered }: TableChanges): void {
    this.#commits++;
    this.#isCommitting = false;
    for (const table of new Set([...appended, ...altered])) this.#of(table).changes++;
    for (const table of altered) {
      this.#of(table).alterations++;
      this.#of(table).altering--;
    }
  }

  /** Any table may have changed in any way. */
  noteAll(): void {
    this.#replacements++;
    this.#commits++;
  }

  /** A text that changes with each table that a statement of our own reads. */
  of(sql: string): string {
    const read = [...this.#tables].filter(([, { mention }]) => mention.test(sql));
    return [this.#replacements, ...read.map(([table, { changes }]) => `${table}=${changes}`)].join(" ");
  }

  /**
   * A text that changes when rows of a table are replaced or deleted, and stays as it is when rows are added. What was read
   * between two equal ones was read of rows of which none was.
   * @returns undefined while a transaction does so, whether that is committed yet or not
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
