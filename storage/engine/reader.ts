import type { DuckDBConnection, DuckDBInstance, DuckDBPreparedStatement } from "@duckdb/node-api";
import { bound } from "./bind.ts";
import { OverlaidConnection, type Overlay } from "./overlay.ts";
import { OPERATOR_CACHE, readerSettings } from "./settings.ts";
import type { SqlValue } from "./sql-value.ts";

interface ReaderOptions {
  readonly script?: readonly string[];
  readonly overlay?: Overlay | undefined;
}

/** A connection for reading. */
export class Reader {
  readonly connection: DuckDBConnection;
  /** Absent: it reads the stored tables. */
  readonly overlaid: OverlaidConnection | undefined;

  private constructor(connection: DuckDBConnection, overlay: Overlay | undefined) {
    this.connection = connection;
    this.overlaid = overlay && new OverlaidConnection(connection, overlay);
  }

  /**
   * @param options.script further statements, run first in the same call
   * @param options.overlay what it reads in place of some tables
   */
  static async open(instance: DuckDBInstance, { script = [], overlay }: ReaderOptions = {}): Promise<Reader> {
    const connection = await instance.connect();
    await connection.run([...readerSettings, ...script].join("; "));
    return new Reader(connection, overlay);
  }

  /**
   * Runs a statement, which must have a parameter: then it is planned for its values and in its transaction. A statement without one
   * is planned when it is prepared, from the statistics at that time; after the next commit it returns wrong results or crashes
   * the process.
   */
  async with<T>(
    sql: string,
    values: readonly SqlValue[],
    work: (statement: DuckDBPreparedStatement) => Promise<T>,
  ): Promise<T> {
    const statement = await this.connection.prepare(sql);
    try {
      if (statement.parameterCount === 0) throw new Error(`a statement without parameters cannot be prepared: ${sql}`);
      return await work(bound(statement, values));
    } finally {
      statement.destroySync();
    }
  }

  /** Yields what `reading` yields, whose rows may have megabytes. */
  async *withoutOperatorCache<T>(reading: AsyncIterable<T>): AsyncGenerator<T> {
    await this.connection.run(OPERATOR_CACHE.off);
    yield* reading;
    await this.connection.run(OPERATOR_CACHE.usual);
  }

  interrupt(): void {
    this.connection.interrupt();
  }

  close(): void {
    this.connection.closeSync();
  }
}
