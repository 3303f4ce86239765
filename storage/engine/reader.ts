import type { DuckDBConnection, DuckDBInstance, DuckDBPreparedStatement } from "@duckdb/node-api";
import { bound } from "./bind.ts";
import { OverlaidConnection, type Overlay } from "./overlay.ts";
import type { SqlValue } from "./sql-value.ts";

/**
 * Size of the rows that the engine produces in advance. Its default is eight times this, and memory grows by much more.
 */
const RESULT_BUFFER = "128KB";

/**
 * By default an operator collects rows of small chunks until they fill one. Where a chunk has few rows because they
 * have megabytes, this needs memory that the engine does not count.
 */
const NO_OPERATOR_CACHE = "SET enable_caching_operators = false";

/**
 * Most keys of a join for which the engine reads only the row groups in whose bounds one of the keys is. For more, it reads all rows
 * between the least key and the greatest: by default for more than 50. The resources of a node are among the first and among the
 * last of the dictionary, which with 100,000 nodes is 190 ms instead of 40. But the engine compares the bounds of every block with
 * each key, and where there are no more nodes than this, these are such keys: a fact of 950 nodes takes 4.2 ms instead of 2.9.
 */
const KEYS_OF_JOIN = { usual: 50, large: 2000 } as const;

interface ReaderOptions {
  readonly script?: readonly string[];
  readonly overlay?: Overlay | undefined;
}

/** A connection for reading. */
export class Reader {
  readonly connection: DuckDBConnection;
  /** Absent: it reads the stored tables. */
  readonly overlaid: OverlaidConnection | undefined;
  #keysOfJoin: number = KEYS_OF_JOIN.usual;

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
    const settings = [
      "SET TimeZone = 'UTC'",
      `SET streaming_buffer_size = '${RESULT_BUFFER}'`,
      `SET dynamic_or_filter_threshold = ${KEYS_OF_JOIN.usual}`,
    ];
    await connection.run([...settings, ...script].join("; "));
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

  /** @param nodes how many the store has, where that is known; joins with the keys of fewer are for few of its rows */
  async prepareFor(nodes = 0): Promise<void> {
    const keys = nodes > KEYS_OF_JOIN.large ? KEYS_OF_JOIN.large : KEYS_OF_JOIN.usual;
    if (keys === this.#keysOfJoin) return;
    await this.connection.run(`SET dynamic_or_filter_threshold = ${keys}`);
    this.#keysOfJoin = keys;
  }

  /** Yields what `reading` yields, whose rows may have megabytes. */
  async *withoutOperatorCache<T>(reading: AsyncIterable<T>): AsyncGenerator<T> {
    await this.connection.run(NO_OPERATOR_CACHE);
    yield* reading;
    await this.connection.run("RESET enable_caching_operators");
  }

  interrupt(): void {
    this.connection.interrupt();
  }

  /**
   * Interrupts a query that was not read to its end, and closes the connection. The query's memory would otherwise stay
   * until the garbage collector finds its result, which looks small to it. The next statement on the connection frees
   * it.
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
