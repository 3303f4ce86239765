import type { DuckDBConnection } from "@duckdb/node-api";

/** Full names of stored tables. */
export type FullName = (table: string) => string;

/** Runs our own statements on one connection. */
export interface Script {
  run(...statements: readonly string[]): Promise<void>;
  /** The one value of a statement, a count; of one that makes a table of a SELECT, the number of its rows. */
  count(statement: string): Promise<number>;
}

/** A temporary table or view with the name of a stored table, which it hides from the statements of a connection. */
export interface OverlayTable {
  readonly name: string;
  /** Other tables of the overlay that it reads. */
  readonly reads?: readonly string[];
  /** The statements that make it. If they are run again, they replace it. */
  readonly statements: (table: FullName) => readonly string[];
  /** A table that is read faster, as long as nothing of what it was computed from changes; absent: there is none. */
  readonly computed?: ComputedTable;
}

/** What an overlay's table is read from while the store does not change. */
export interface ComputedTable {
  /** A text that changes when it must be computed again; undefined while that is being committed. */
  readonly version: () => string | undefined;
  /** Makes it in place of the other. */
  readonly make: (script: Script, table: FullName) => Promise<void>;
}

/** Temporary tables in place of stored ones. Connections that have them are used for nothing else. */
export interface Overlay {
  /** The same for connections that may be used for each other. */
  readonly key: string;
  /** Each after those that it reads. */
  readonly tables: readonly OverlayTable[];
}

/** How tables are made: computed ones are faster, the others can be made whatever the store does meanwhile. */
type Way = "computed" | "plain";

/** The store has changed since a table was computed, so that a statement may have read both states. */
class Outdated extends Error {}

const PLAIN = "plain";

/**
 * The tables of an overlay on one connection. They are made when a statement first reads them, and computed when a second one
 * reads them while nothing has changed: to compute a table takes some ten times as long as to make a view.
 */
export class OverlaidConnection {
  readonly #connection: DuckDBConnection;
  readonly #overlay: Overlay;
  readonly #mention: RegExp;
  #table: FullName | undefined;
  /** What each table was made from: a version, or nothing that changes. */
  readonly #made = new Map<string, string>();
  /** The last versions of computed tables that statements have read. */
  readonly #read = new Map<string, string>();

  constructor(connection: DuckDBConnection, overlay: Overlay) {
    this.#connection = connection;
    this.#overlay = overlay;
    this.#mention = new RegExp(`\\b(?:${overlay.tables.map(({ name }) => name).join("|")})\\b`, "g");
  }

  /**
   * Makes the tables that a statement reads. They are right for a statement that has begun when the returned function is
   * called, unless that throws {@link Outdated}.
   */
  async prepare(sql: string, way: Way): Promise<() => void> {
    const versions: (readonly [ComputedTable, string])[] = [];
    for (const table of this.#readBy(sql)) {
      const version = way === "plain" ? PLAIN : this.#versionOf(table);
      if (table.computed !== undefined && version !== PLAIN) versions.push([table.computed, version]);
      if (this.#made.get(table.name) === version) continue;
      this.#made.delete(table.name);
      await this.#make(table, version);
      this.#made.set(table.name, version);
    }
    return () => {
      if (versions.some(([{ version }, made]) => version() !== made)) throw new Outdated();
    };
  }

  /** The version of a computed table that is worth computing. */
  #versionOf({ name, computed }: OverlayTable): string {
    const version = computed?.version();
    if (version === undefined) return PLAIN;
    const isRepeated = this.#read.get(name) === version;
    this.#read.set(name, version);
    return isRepeated ? version : PLAIN;
  }

  /** Makes all tables so that they are right for each statement, whenever it is run. */
  async prepareAll(): Promise<void> {
    await this.prepare(this.#overlay.tables.map(({ name }) => name).join(" "), "plain");
  }

  #readBy(sql: string): OverlayTable[] {
    const names = new Set(sql.match(this.#mention));
    for (const { name, reads = [] } of this.#overlay.tables.toReversed()) {
      if (names.has(name)) reads.forEach((read) => names.add(read));
    }
    return this.#overlay.tables.filter(({ name }) => names.has(name));
  }

  async #make({ statements, computed }: OverlayTable, version: string): Promise<void> {
    const table = (this.#table ??= await this.#fullNames());
    if (computed === undefined || version === PLAIN) await this.#connection.run(statements(table).join("; "));
    else await computed.make(this.#script, table);
  }

  readonly #script: Script = {
    run: async (...statements) => {
      await this.#connection.run(statements.join("; "));
    },
    count: async (statement) => Number((await this.#connection.runAndReadAll(statement)).getRows()[0]?.[0] ?? 0),
  };

  async #fullNames(): Promise<FullName> {
    const read = await this.#connection.runAndReadAll("SELECT current_database()");
    const database = String(read.getRows()[0]?.[0]).replaceAll('"', '""');
    return (table) => `"${database}".main.${table}`;
  }
}

/** What a statement does when it has begun, so that it sees one state of the store; throws where that is another one. */
export type Begun = () => void;

/**
 * Reads a statement over the tables of an overlay: the computed ones, or if the store changes meanwhile the others.
 * @param overlaid undefined: the connection has none
 * @param read calls `begun` before it yields anything
 */
export async function* readOverlaid<T>(
  overlaid: OverlaidConnection | undefined,
  sql: string,
  read: (begun: Begun) => AsyncIterable<T>,
): AsyncGenerator<T> {
  if (overlaid === undefined) {
    yield* read(() => undefined);
    return;
  }
  try {
    yield* read(await overlaid.prepare(sql, "computed"));
  } catch (error) {
    if (!(error instanceof Outdated)) throw error;
    yield* read(await overlaid.prepare(sql, "plain"));
  }
}

/** The same for a result that is read at once: `begun` is called when it is there. */
export async function resultOverlaid<T>(
  overlaid: OverlaidConnection | undefined,
  sql: string,
  read: () => Promise<T>,
): Promise<T> {
  const once = async function* (begun: Begun): AsyncGenerator<T> {
    const result = await read();
    begun();
    yield result;
  };
  for await (const result of readOverlaid(overlaid, sql, once)) return result;
  throw new Error("a result is missing");
}
