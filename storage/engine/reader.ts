import type { DuckDBConnection, DuckDBInstance, DuckDBPreparedStatement } from "@duckdb/node-api";
import { memoryBudget } from "../memory/budget.ts";

/** Statements that are kept; the one that was not used for longest goes first. */
const KEPT = 64;

/** Longer ones, in characters, hold long lists of their own and do not come again. */
const LONGEST_KEPT = 16_384;

/** Rows the engine makes before they are fetched. By default it is eight times this, and memory grows by much more. */
const BUFFER = "128KB";

/**
 * By default an operator gathers the rows of small chunks until they fill one. Where the rows of a chunk are few because they
 * are megabytes long, that takes memory that the engine does not count.
 */
const WITHOUT_GATHERING = "SET enable_caching_operators = false";

/** A connection for reading, with the statements that were prepared on it. */
export class Reader {
  readonly connection: DuckDBConnection;
  readonly #kept = new Map<string, DuckDBPreparedStatement>();

  private constructor(connection: DuckDBConnection) {
    this.connection = connection;
  }

  /** @param script what is run first besides, in the same go */
  static async open(instance: DuckDBInstance, ...script: readonly string[]): Promise<Reader> {
    const connection = await instance.connect();
    const settings = ["SET TimeZone = 'UTC'", `SET streaming_buffer_size = '${BUFFER}'`];
    if (memoryBudget().isWatched) settings.push(WITHOUT_GATHERING);
    await connection.run([...settings, ...script].join("; "));
    return new Reader(connection);
  }

  /**
   * The statement, which must have a parameter: such a statement is planned each time it is executed, for the values it
   * then has and in the transaction it then runs in. One without is planned when it is prepared, trusting the tables'
   * statistics of that moment, and after the next commit gives wrong answers or brings the process down.
   */
  async prepare(sql: string): Promise<DuckDBPreparedStatement> {
    const known = this.#kept.get(sql);
    const statement = known ?? (await this.connection.prepare(sql));
    if (statement.parameterCount === 0) throw new Error(`a statement without parameters cannot be kept: ${sql}`);
    if (sql.length > LONGEST_KEPT) return statement;
    this.#kept.delete(sql);
    this.#kept.set(sql, statement);
    if (this.#kept.size > KEPT) this.#forgetOldest();
    return statement;
  }

  #forgetOldest(): void {
    for (const [sql, statement] of this.#kept) {
      this.#kept.delete(sql);
      statement.destroySync();
      return;
    }
  }

  interrupt(): void {
    this.connection.interrupt();
  }

  /**
   * Interrupts the query that it has not read to its end, and closes it. What such a query has in memory would stay until the
   * collector comes across its result, which looks small to it; the next statement on the connection ends it.
   */
  async abandon(): Promise<void> {
    this.interrupt();
    await this.connection.run("SELECT 1").catch(() => undefined);
    this.close();
  }

  close(): void {
    this.connection.closeSync();
  }
}
