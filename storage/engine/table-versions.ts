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
  return wasNull === isNull ? column : nullness(column);
}

/** Which values of a column are null, as a part of its table. */
export function nullness(column: string): string {
  return `${column}${NULLNESS}`;
}

const NULLNESS = " IS NULL";

/** The tables of each view. */
export const viewTables: Readonly<Record<string, readonly string[]>> = {
  facts: ["short_facts", "long_facts"],
  fact_leaves: ["steady_leaves", "volatile_leaves"],
};

/**
 * What a statement reads: all of a stored table, or besides which rows there are only some parts: columns, and of which columns
 * only the {@link nullness}.
 */
export type Reads = ReadonlyMap<string, "all" | ReadonlySet<string>>;

/** Collects what a statement reads. */
export class ReadTables {
  readonly tables = new Map<string, "all" | Set<string>>();

  /** Notes that a table or a view is read. */
  add(name: string, parts: "all" | readonly string[]): void {
    for (const table of viewTables[name] ?? [name]) {
      const known = this.tables.get(table);
      if (parts === "all" || known === "all") this.tables.set(table, "all");
      else this.tables.set(table, new Set([...(known ?? []), ...parts]));
    }
  }
}

interface Counts {
  /** The number of changes. */
  changes: number;
  /** The number of changes that were not of some parts only. */
  wholeChanges: number;
  /** Changes of only some parts, by the name of the part. */
  readonly parts: Map<string, number>;
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

  /** Call before a transaction first alters a table. */
  altering(table: string): void {
    this.#of(table).altering++;
  }

  /** Call as soon as a transaction is committed or rolled back. */
  ended({ appended, altered, parts }: TableChanges): void {
    for (const table of new Set([...appended, ...altered])) noteChange(this.#of(table), parts?.get(table));
    for (const table of altered) {
      this.#of(table).alterations++;
      this.#of(table).altering--;
    }
  }

  /** Call when any table may have changed in any way. */
  noteAll(): void {
    this.#replacements++;
  }

  /** A text that changes with everything that a statement reads. */
  of(reads: Reads): string {
    const read = [...reads].map(([table, parts]) => `${table}=${changesOf(this.#tables.get(table), parts)}`);
    return [this.#replacements, ...read].join(" ");
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
      counts = { changes: 0, wholeChanges: 0, parts: new Map(), alterations: 0, altering: 0 };
      this.#tables.set(table, counts);
    }
    return counts;
  }
}

/** @param parts absent: any part may have changed; empty: none has */
function noteChange(counts: Counts, parts: ReadonlySet<string> | undefined): void {
  if (parts === undefined) counts.wholeChanges++;
  if (parts?.size !== 0) counts.changes++;
  for (const name of parts ?? []) counts.parts.set(name, (counts.parts.get(name) ?? 0) + 1);
}

/** A text that changes with the parts that a statement reads of a table. */
function changesOf(counts: Counts | undefined, parts: "all" | ReadonlySet<string>): string {
  if (counts === undefined) return "0";
  if (parts === "all") return String(counts.changes);
  const read = [...counts.parts].filter(([name]) => parts.has(name) || parts.has(columnOf(name)));
  return [counts.wholeChanges, ...read.map(([name, changes]) => `${name}:${changes}`)].join(",");
}

/** The column whose values, or whose nullness, a part is. */
export function columnOf(part: string): string {
  return part.endsWith(NULLNESS) ? part.slice(0, -NULLNESS.length) : part;
}
