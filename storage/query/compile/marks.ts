import { listSql, numberListSql } from "./value-lists.ts";
import type { Writer } from "./writer.ts";
import { duckdb } from "../dialect/duckdb.ts";

/** The rows that memberships look for a match in. */
export interface MarkedRows {
  /** SQL of the keys that the outer row is found by. */
  readonly keys: readonly string[];
  /** SQL of the same in the rows. */
  readonly owners: readonly string[];
  /** FROM of the rows; called when all conditions are known. */
  readonly from: () => string;
  /** A condition that all rows meet. */
  readonly always?: string | undefined;
  /**
   * Which owners are noted: each row is one, all are (for few, such as nodes), or only those with a match, which the engine
   * finds by evaluating each condition twice.
   */
  readonly owned?: "row" | "all" | "found";
}

/** Rows that a condition can be true for: those with one value in one column. */
export interface Guard {
  readonly column: string;
  readonly value: string | bigint;
}

/**
 * Many memberships in subqueries over the same rows, as columns of one join: the rows are read once, and for each owner
 * it is noted which conditions some row of it meets. Each membership of its own would be a join, and the engine's plan of
 * a hundred joins takes seconds.
 */
export class Marks {
  readonly #alias: string;
  readonly #rows: MarkedRows;
  readonly #writer: Writer;
  readonly #conditions: string[] = [];
  readonly #guards = new Map<string, Guard["value"][]>();
  #isGuarded = true;

  constructor(alias: string, rows: MarkedRows, writer: Writer) {
    this.#alias = alias;
    this.#rows = rows;
    this.#writer = writer;
  }

  /** SQL of whether some row of the owner meets the condition; never NULL. */
  add(condition: string, guard?: Guard): string {
    if (guard === undefined) this.#isGuarded = false;
    else this.#valuesOf(guard.column).push(guard.value);
    this.#conditions.push(condition);
    return `coalesce(${this.#alias}.m${this.#conditions.length - 1}, false)`;
  }

  #valuesOf(column: string): Guard["value"][] {
    const values = this.#guards.get(column) ?? [];
    this.#guards.set(column, values);
    return values;
  }

  /** The join that adds the columns. */
  join(): string {
    const { aggregates } = duckdb;
    const { keys, owners, from, always, owned = "found" } = this.#rows;
    const columns = [
      ...owners.map((owner, index) => `${owner} AS o${index}`),
      ...this.#conditions.map((condition, index) => {
        const mark = owned === "row" ? condition : aggregates.some(`CASE WHEN ${condition} THEN true END`);
        return `${mark} AS m${index}`;
      }),
    ];
    const tests = [...(always === undefined ? [] : [always]), ...(owned === "found" ? [this.#found()] : [])];
    const where = tests.length === 0 ? "" : ` WHERE ${tests.join(" AND ")}`;
    const groups = owned === "row" ? "" : ` GROUP BY ${owners.map((_, index) => index + 1).join(", ")}`;
    const marks = `SELECT ${columns.join(", ")} ${from()}${where}${groups}`;
    const on = keys.map((key, index) => `${this.#alias}.o${index} = ${key}`);
    return `LEFT JOIN (${marks}) AS ${this.#alias} ON ${on.join(" AND ")}`;
  }

  /** The rows that any of the conditions can be true for. */
  #found(): string {
    const { lists } = duckdb;
    const tests = this.#isGuarded
      ? [...this.#guards].map(([column, values]) => `${column} IN (SELECT ${lists.rows(this.#listOf(values))})`)
      : this.#conditions;
    return `(${tests.join(" OR ")})`;
  }

  /** SQL of a list of values of one type. */
  #listOf(values: readonly Guard["value"][]): string {
    const texts = values.filter((value) => typeof value === "string");
    return texts.length > 0 ? listSql(this.#writer, texts) : numberListSql(this.#writer, values);
  }
}
