import type { DuckDBConnection } from "@duckdb/node-api";

/** Full names of stored tables. */
export type FullName = (table: string) => string;

/** A temporary table or view with the name of a stored table, which it hides from the statements of a connection. */
export interface OverlayTable {
  readonly name: string;
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

/** The tables of an overlay on one connection. */
export class OverlaidConnection {
  readonly #connection: DuckDBConnection;
  readonly #tables: readonly OverlayTable[];
  #made = 0;

  constructor(connection: DuckDBConnection, { tables }: Overlay) {
    this.#connection = connection;
    this.#tables = tables;
  }

  /** Makes the tables that are not made yet. */
  async prepare(): Promise<void> {
    if (this.#made === this.#tables.length) return;
    const table = await this.#fullNames();
    for (const { statements } of this.#tables.slice(this.#made)) {
      await this.#connection.run(statements(table).join("; "));
      this.#made++;
    }
  }

  async #fullNames(): Promise<FullName> {
    const read = await this.#connection.runAndReadAll("SELECT current_database()");
    const database = String(read.getRows()[0]?.[0]).replaceAll('"', '""');
    return (table) => `"${database}".main.${table}`;
  }
}
