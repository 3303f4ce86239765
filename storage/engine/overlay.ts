import type { DuckDBConnection } from "@duckdb/node-api";

/** Full names of stored tables. */
export type FullName = (table: string) => string;

/** A temporary table or view with the name of a stored table, which it hides from the statements of a connection. */
export interface OverlayTable {
  readonly name: string;
  /** Other tables of the overlay that it reads. */
  readonly reads?: readonly string[];
  /** The statements that make it. */
  readonly statements: (table: FullName) => readonly string[];
}

/** Temporary tables in place of stored ones. Connections that have them are used for nothing else. */
export interface Overlay {
  /** The same for connections that may be used for each other. */
  readonly key: string;
  /** Each after those that it reads. */
  readonly tables: readonly OverlayTable[];
}

/** The tables of an overlay on one connection, each made when a statement first reads it. */
export class OverlaidConnection {
  readonly #connection: DuckDBConnection;
  readonly #overlay: Overlay;
  readonly #mention: RegExp;
  readonly #made = new Set<string>();
  #table: FullName | undefined;

  constructor(connection: DuckDBConnection, overlay: Overlay) {
    this.#connection = connection;
    this.#overlay = overlay;
    this.#mention = new RegExp(`\\b(?:${overlay.tables.map(({ name }) => name).join("|")})\\b`, "g");
  }

  /** Makes the tables that a statement reads. */
  async prepare(sql: string): Promise<void> {
    const names = new Set<string>(sql.match(this.#mention));
    for (const { name, reads = [] } of this.#overlay.tables.toReversed()) {
      if (names.has(name)) reads.forEach((read) => names.add(read));
    }
    for (const { name, statements } of this.#overlay.tables) {
      if (!names.has(name) || this.#made.has(name)) continue;
      this.#table ??= await this.#fullNames();
      await this.#connection.run(statements(this.#table).join("; "));
      this.#made.add(name);
    }
  }

  /** Makes all tables. */
  async prepareAll(): Promise<void> {
    await this.prepare(this.#overlay.tables.map(({ name }) => name).join(" "));
  }

  async #fullNames(): Promise<FullName> {
    const read = await this.#connection.runAndReadAll("SELECT current_database()");
    const database = String(read.getRows()[0]?.[0]).replaceAll('"', '""');
    return (table) => `"${database}".main.${table}`;
  }
}
