import type { Database } from "../../engine/database.ts";
import { hasPatterns } from "../../engine/pattern-run.ts";
import type { ReadOptions, Statement } from "../../engine/statements.ts";
import { type Json, parseJson, stringifyJson } from "../../json.ts";
import { memoryBudget } from "../../memory/budget.ts";
import { RecentlyUsed } from "../../memory/recently-used.ts";
import { compileTimedCounts, compileTimedParts, type TimedSelection } from "../compile/histogram.ts";
import type { CompileContext } from "../compile/statement.ts";
import { statementKey } from "../statement-key.ts";
import type { TimeRange } from "./buckets.ts";
import { micros, within } from "./within.ts";

/** The count of rows of a step and a series. */
export type TimedCount = readonly [step: number, value: Json, count: number];

/** The context in which statements are compiled. */
export interface Present {
  readonly context: CompileContext;
  /** Whether that is as it was. */
  readonly isCurrent: () => boolean;
}

/** Counts are cached by quarters of an hour, which divide the hours and days of all present time zones. */
const QUARTER = 15 * 60_000;

/**
 * Entities of a table whose rows are only added, with growing ids, and deleted, but never changed. The id of an event is that of its
 * report, with which it is stored.
 */
const tables: Readonly<Record<string, { readonly table: string; readonly alias: string; readonly id: string }>> = {
  reports: { table: "reports", alias: "r", id: "r.id" },
  events: { table: "events", alias: "e", id: "e.report_id" },
};

/** Memory of a quarter, and of each of its series, bytes. */
const [QUARTER_BYTES, COUNT_BYTES] = [160, 100];

/** Counts by quarter, numbered since the epoch, and by the JSON text of the series. */
type Quarters = ReadonlyMap<number, ReadonlyMap<string, number>>;

interface Kept {
  /** Equal as long as no row has been deleted. */
  readonly version: string;
  /** Rows from this time on are counted; milliseconds since the epoch, at a quarter. */
  readonly since: number;
  /** The largest id of the counted rows. */
  readonly last: number;
  readonly quarters: Quarters;
}

/** A row of the statement: the number of its part, and a {@link TimedCount} with the largest id. */
type PartRow = readonly [part: number, step: number, value: Json, count: number, last: number];

/**
 * Caches counts of reports and events by time, so that a histogram counts only those that were stored since the last one.
 * Counting three million of them would take the engine 170 ms each time.
 */
export class KeptCounts {
  readonly #database: Database;
  /** By statement. */
  readonly #kept: RecentlyUsed<Kept>;

  /** @param limit maximum bytes of the cache */
  constructor(database: Database, limit = memoryBudget().keptCounts) {
    this.#database = database;
    this.#kept = new RecentlyUsed({ bytes: limit, sizeOf });
  }

  /** Bytes of the cache. */
  get bytes(): number {
    return this.#kept.bytes;
  }

  /**
   * Counts the rows of a time range by step.
   * @returns undefined if counts cannot be cached: then the engine counts the rows
   */
  async read(
    timed: TimedSelection,
    { from, to }: TimeRange,
    { context, isCurrent }: Present,
    options: ReadOptions,
  ): Promise<TimedCount[] | undefined> {
    const [first, end] = [Math.ceil(from / QUARTER), Math.floor(to / QUARTER)];
    const quarter = micros(QUARTER);
    const isOfQuarters = timed.origin % quarter === 0n && timed.step % quarter === 0n;
    const of = tables[timed.rows.entity.alias];
    const version = of && this.#database.versions.ofRows(of.table);
    if (of === undefined || !isOfQuarters || first >= end || version === undefined) return undefined;
    const statement = compileTimedCounts({ ...timed, origin: 0n, step: quarter }, context);
    if (!isOfTableAlone(statement, of)) return undefined;
    const key = statementKey(statement);
    const found = this.#kept.get(key);
    const isEnough = found?.version === version && found.since <= first * QUARTER;
    const kept = isEnough ? found : { version, since: first * QUARTER, last: 0, quarters: new Map() };
    const { since, last } = kept;
    const parts = [
      {
        ...within({ ...timed, origin: micros(since), step: quarter }, { from: since }),
        newRows: { id: of.id, after: BigInt(last) },
      },
      // The parts of the range outside of complete quarters.
      within(timed, { from, to: first * QUARTER }),
      within(timed, { from: end * QUARTER, to }),
    ];
    const rows = await this.#rows(compileTimedParts(parts, context), options);
    if (!isCurrent() || this.#database.versions.ofRows(of.table) !== version) return undefined;
    const now = added(kept, rows);
    this.#kept.set(key, now);
    const atEnds = rows.flatMap(([part, step, value, count]): TimedCount[] =>
      part === 0 ? [] : [[step, value, count]],
    );
    return [...stepsOf(now, { first, end }, timed), ...atEnds];
  }

  async #rows(statement: Statement, options: ReadOptions): Promise<PartRow[]> {
    const found: PartRow[] = [];
    for await (const rows of this.#database.stream(statement, options)) {
      for (const text of rows.texts()) found.push(parseJson(text) as unknown as PartRow);
    }
    return found;
  }
}

function sizeOf({ quarters }: Kept, key: string): number {
  return [...quarters.values()].reduce(
    (sum, series) => sum + QUARTER_BYTES + series.size * COUNT_BYTES,
    2 * key.length,
  );
}

/** Whether a statement reads only rows of one table, so that its counts change only with these rows. */
function isOfTableAlone(
  { sql, values }: Statement,
  { table, alias }: { readonly table: string; readonly alias: string },
): boolean {
  const [, ...selects] = sql.match(/\bSELECT\b/g) ?? [];
  return (
    selects.length === 1 && sql.includes(` FROM ${table} ${alias} `) && !/\bJOIN\b/.test(sql) && !hasPatterns(values)
  );
}

/** The same with the rows of the first part. */
function added(kept: Kept, rows: readonly PartRow[]): Kept {
  const fresh = rows.filter(([part]) => part === 0);
  if (fresh.length === 0) return kept;
  const quarters = new Map(kept.quarters);
  let { last } = kept;
  for (const [, step, value, count, id] of fresh) {
    const at = kept.since / QUARTER + step;
    const series = new Map(quarters.get(at));
    const text = stringifyJson(value);
    series.set(text, (series.get(text) ?? 0) + count);
    quarters.set(at, series);
    last = Math.max(last, id);
  }
  return { ...kept, last, quarters };
}

/** The counts of complete quarters, by the steps of a histogram. */
function* stepsOf(
  { quarters }: Kept,
  { first, end }: { first: number; end: number },
  { origin, step }: TimedSelection,
): Generator<TimedCount, void> {
  const [begin, length] = [Number(origin / 1000n), Number(step / 1000n)];
  for (const [at, series] of quarters) {
    if (at < first || at >= end) continue;
    const number = Math.floor((at * QUARTER - begin) / length);
    for (const [text, count] of series) yield [number, parseJson(text), count];
  }
}
