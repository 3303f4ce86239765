import type { Database } from "../engine/database.ts";
import type { ReadOptions } from "../engine/statements.ts";
import type { Session } from "../engine/session.ts";
import type { ReplacedTables } from "../history/past-tables.ts";
import { isObject, parseJson } from "../json.ts";
import type { Timestamp } from "../time.ts";
import { onlyReads, SqlError, sqlError } from "./errors.ts";
import { checkStatement, isInvalid } from "./guard.ts";
import { checkLength, checkServerLimits } from "./server-limits.ts";
import { viewStatements } from "./views.ts";

export interface SqlOptions {
  /** Whether to show rows of deactivated and expired nodes. */
  readonly inactive?: boolean;
  /** The time whose state is read; undefined: the present one. */
  readonly asOf?: Timestamp | undefined;
  /** Whether statements come from clients of a server: then more is refused ({@link checkServerLimits}). */
  readonly isServed?: boolean;
}

/** Read-only SQL queries of a store's {@link views}. */
export class Sql {
  readonly #session: Session;
  readonly #isServed: boolean;

  private constructor(session: Session, isServed: boolean) {
    this.#session = session;
    this.#isServed = isServed;
  }

  /** @param past the tables of the state at the time of the options */
  static async open(
    database: Database,
    { inactive, isServed = false }: SqlOptions,
    past?: ReplacedTables,
  ): Promise<Sql> {
    const views = { ...(inactive === undefined ? {} : { inactive }), past };
    return new Sql(await database.session((name) => viewStatements(name, views)), isServed);
  }

  /**
   * Runs a SELECT and waits for its first rows; one at a time.
   * @returns rows as JSON texts; leaving the iteration ends it
   * @throws SqlError when the statement is invalid; the signal's reason
   */
  async run(sql: string, options: ReadOptions = {}): Promise<AsyncIterable<string[]>> {
    await this.#check(sql);
    const batches = withSqlErrors(this.#session.select(sql, options));
    const first = await batches.next();
    return resume(first, batches);
  }

  /** Rejects a statement before the engine plans it: planning alone can write files. */
  async #check(sql: string): Promise<void> {
    if (this.#isServed) checkLength(sql);
    const syntax = parseJson(await this.#session.syntax(sql));
    if (!isObject(syntax)) throw new SqlError(onlyReads);
    if (isInvalid(syntax)) {
      await this.#session.parse(sql).catch((error: unknown) => {
        throw sqlError(error);
      });
    }
    checkStatement(syntax, sql);
    if (this.#isServed) checkServerLimits(syntax);
  }

  close(): void {
    this.#session.close();
  }
}

async function* withSqlErrors(batches: AsyncIterable<string[]>): AsyncGenerator<string[], void> {
  try {
    yield* batches;
  } catch (error) {
    throw sqlError(error);
  }
}

async function* resume(
  first: IteratorResult<string[], void>,
  rest: AsyncGenerator<string[], void>,
): AsyncGenerator<string[]> {
  try {
    if (first.done === true) return;
    yield first.value;
    yield* rest;
  } finally {
    await rest.return();
  }
}
