/** The tables that a transaction changes. */
export interface TableChanges {
  /** Only rows were added to these. */
  readonly appended: ReadonlySet<string>;
  /** Rows of these were replaced or deleted. */
  readonly altered: ReadonlySet<string>;
  /** What was changed of a table where that is only some part of it: see {@link changedPart}, {@link VOLATILE}. */
  readonly parts?: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The rows of volatile facts, as a part of the tables of facts. */
export const VOLATILE = "volatile facts";

/** The part of a table that a changed value belongs to: the column's values, or also which of them are null. */
export function changedPart(column: string, wasNull: boolean, isNull: boolean): string {
  return wasNull === isNull ? column : `${column}${NULLNESS}`;
}

const NULLNESS = " IS NULL";

/** How statements name the view of facts where they read no volatile facts of it. */
export const STEADY_FACTS = "facts /* steady */";

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
  /** The number of changes that were not of some parts only. */
  wholeChanges: number;
  /** Changes of only some parts, by the name of the part. */
  readonly parts: Map<string, { readonly mention: RegExp; changes: number }>;
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
  ended({ appended, altered, parts }: TableChanges): void {
    this.#commits++;
    this.#committing = undefined;
    for (const table of new Set([...appended, ...altered])) noteChange(this.#of(table), parts?.get(table));
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
   * A text that changes with each table that one of our own statements reads; but not with a change of columns of nodes that it does
   * not name, or of volatile facts where it reads {@link STEADY_FACTS}.
   * @param without a table whose changes do not matter
   */
  of(sql: string, without?: string): string {
    // Without the view where it is known to read a part of it only.
    const rest = sql.replaceAll(STEADY_FACTS, "");
    const hasAllColumns = readsAllColumns(rest);
    const read = [...this.#tables].flatMap(([table, counts]) => {
      if (table === without || !counts.mention.test(sql)) return [];
      const readsAll = hasVolatileRows(table) ? counts.mention.test(rest) : hasAllColumns;
      return `${table}=${readsAll ? counts.changes : changesRead(counts, sql)}`;
    });
    return [this.#replacements, ...read].join(" ");
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
        wholeChanges: 0,
        parts: new Map(),
        alterations: 0,
        altering: 0,
      };
      this.#tables.set(table, counts);
    }
    return counts;
  }
}

/** @param parts absent: any part may have changed */
function noteChange(counts: Counts, parts: ReadonlySet<string> | undefined): void {
  counts.changes++;
  if (parts === undefined) counts.wholeChanges++;
  for (const name of parts ?? []) {
    const part = counts.parts.get(name) ?? { mention: mentionOf(name), changes: 0 };
    part.changes++;
    counts.parts.set(name, part);
  }
}

/** Whether a statement reads a part of a table that it mentions, and of which the parts are columns. */
export function readsPart(sql: string, part: string): boolean {
  return readsAllColumns(sql.replaceAll(STEADY_FACTS, "")) || mentionOf(part).test(sql);
}

/** Matches a part in a statement; a column's values not where they are only compared with null. */
function mentionOf(part: string): RegExp {
  return part.endsWith(NULLNESS)
    ? new RegExp(`\\b${part.slice(0, -NULLNESS.length)}\\b`)
    : new RegExp(`\\b${part}\\b(?! IS (?:NOT )?NULL)`);
}

/** Whether rows of volatile facts are a part of a table. */
function hasVolatileRows(table: string): boolean {
  return viewTables["facts"]?.includes(table) === true;
}

/** A text that changes with the parts that a statement reads of a table. */
function changesRead({ wholeChanges, parts }: Counts, sql: string): string {
  const read = [...parts].filter(([, { mention }]) => mention.test(sql));
  return [wholeChanges, ...read.map(([name, { changes }]) => `${name}:${changes}`)].join(",");
}

/** Whether a statement may read columns that it does not name. */
function readsAllColumns(sql: string): boolean {
  return sql.replaceAll("count(*)", "").includes("*");
}
