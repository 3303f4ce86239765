import type { Snapshot } from "../../engine/snapshot.ts";
import { PER_SPACER } from "../../ingest/write/spaced-rows.ts";
import { BETWEEN_LINES } from "./json-sql.ts";
import { Lines } from "./lines.ts";
import { runsOf } from "./runs.ts";

interface Uses {
  readonly star: string;
  readonly id: string;
}

/** A table whose rows are read by their ids. */
export interface Shared {
  readonly dictionary: string;
  /** The column of the ids. */
  readonly key: "id" | "rowid";
  /** The table of nodes and ids, and its column of ids. Absent: the rows belong to one node each, and are long. */
  readonly uses?: Uses;
  /** SQL of the line for a row `b`. */
  readonly line: string;
}

/** Maximum lines that are kept during the whole export. */
const MAX_KEPT_LINES = 65_536;

/** Maximum bytes of these. */
const MAX_KEPT_BYTES = 10 * 1024 * 1024;

/** Maximum ids in one statement: lines that return about `exportRange`. */
const IDS_PER_STATEMENT = 4800;

/** Ids that are counted in one statement. The engine needs about 40 bytes for each. */
const COUNTED = 65_536;

const BLANK = 0x20;
const LINE_FEED = 0x0a;

/** Bytes from the line feed in the separator to its end. */
const AFTER_LINE_FEED = BETWEEN_LINES.length - BETWEEN_LINES.indexOf("\n");

/** Characters of a line that is read as a row of its own. */
const LONG_LINE = 64 * 1024;

/** Consecutive ids whose lines are returned as one text: a row of a result costs as much as a thousand bytes. */
const TOGETHER = 64;

/**
 * The lines of a dictionary. Those that several nodes use are kept, as far as there is memory, the most used first.
 * Lines of one node are contiguous, in the order in which they were stored, so the remaining lines of some nodes are a
 * few runs of the dictionary rather than all of it.
 */
export class SharedLines {
  readonly #sql: string;
  readonly #longSql: string;
  readonly #dictionary: string;
  /** Ids of the lines that are read one by one; undefined: all of them. */
  readonly #long: ReadonlySet<number> | undefined;
  readonly #kept: Lines = new Lines();

  private constructor({ dictionary, key, line }: Shared, long: ReadonlySet<number> | undefined) {
    this.#dictionary = dictionary;
    this.#long = long;
    const text = `concat(b.${key}, ' ', ${line}, '${BETWEEN_LINES}')`;
    const from = `FROM ${dictionary} b WHERE b.${key} BETWEEN $2 AND $3 AND b.${key} IN (SELECT unnest($1::INTEGER[]))`;
    this.#sql = `SELECT string_agg(${text}, '') ${from} GROUP BY b.${key} // ${TOGETHER}`;
    this.#longSql = `SELECT ${text} ${from}`;
  }

  /** @param at the view to read */
  static async open(at: Snapshot, shared: Shared): Promise<SharedLines> {
    const { dictionary, uses } = shared;
    if (uses === undefined) return new SharedLines(shared, undefined);
    const lines = new SharedLines(shared, await longIds(at, dictionary));
    const wanted = await mostUsed(at, dictionary, uses);
    for (let from = 0, bytes = 0; from < wanted.length && bytes < MAX_KEPT_BYTES; from += IDS_PER_STATEMENT) {
      const texts: Buffer[] = [];
      const some = wanted.slice(from, from + IDS_PER_STATEMENT).toSorted(ascending);
      lines.#kept.slotsOf(some);
      await lines.#read(at, some, lines.#kept, texts);
      bytes += texts.reduce((sum, { length }) => sum + length, 0);
    }
    return lines;
  }

  /** The kept lines, to which others can be added. */
  begin(): Lines {
    return new Lines(this.#kept);
  }

  /**
   * Reads the requested lines of {@link begin} that are not kept.
   * @param texts receives the texts that contain the lines
   */
  async complete(at: Snapshot, lines: Lines, texts: Buffer[]): Promise<void> {
    await this.#read(at, lines.requested.toSorted(ascending), lines, texts);
  }

  /**
   * @param ids in ascending order
   * @param texts receives the texts that contain the lines
   */
  async #read(at: Snapshot, ids: readonly number[], lines: Lines, texts: Buffer[]): Promise<void> {
    const isLong = (id: number): boolean => this.#long?.has(id) !== false;
    const long = ids.filter(isLong);
    const others = long.length === 0 ? ids : ids.filter((id) => !isLong(id));
    await this.#readRuns(at, others, this.#sql, lines, texts);
    await this.#readRuns(at, long, this.#longSql, lines, texts);
    lines.checkFound(this.#dictionary);
  }

  async #readRuns(at: Snapshot, ids: readonly number[], sql: string, lines: Lines, texts: Buffer[]): Promise<void> {
    for (const run of runsOf(ids)) {
      for (let from = 0; from < run.length; from += IDS_PER_STATEMENT) {
        const some = run.slice(from, from + IDS_PER_STATEMENT);
        // With the bounds as parameters the engine needs a third less time, because it would only find them after it
        // has begun to read.
        const values = [`[${some.join(",")}]`, some[0] as number, some.at(-1) as number];
        for await (const rows of at.stream({ sql, values })) {
          for (let row = 0; row < rows.count; row++) {
            const text = rows.bytes(row);
            texts.push(text);
            addAll(lines, text);
          }
        }
      }
    }
  }
}

/** Ids of lines that are too long for the engine to join many of them. */
async function longIds(at: Snapshot, dictionary: string): Promise<ReadonlySet<number>> {
  const rows = await at.rows<{ id: number }>(
    `SELECT -id AS id FROM ${dictionary} WHERE id < 0 GROUP BY id HAVING count(*) >= $1`,
    [LONG_LINE / PER_SPACER],
  );
  return new Set(rows.map(({ id }) => id));
}

function addAll(lines: Lines, text: Buffer): void {
  lines.addText(text);
  for (let start = 0; start < text.length;) {
    const blank = text.indexOf(BLANK, start);
    const end = text.indexOf(LINE_FEED, blank) + AFTER_LINE_FEED;
    lines.add(Number(text.toString("latin1", start, blank)), blank + 1, end);
    start = end;
  }
}

/** Ids that several nodes use, the most used first; without those of long lines, which would be kept. */
async function mostUsed(at: Snapshot, dictionary: string, { star, id }: Uses): Promise<number[]> {
  const [row] = await at.rows<{ last: number }>(`SELECT coalesce(max(id), 0)::INTEGER AS last FROM ${dictionary}`);
  const last = row?.last ?? 0;
  let most: { id: number; uses: number }[] = [];
  for (let after = -1; after < last; after += COUNTED) {
    const uses = await at.rows<{ id: number; uses: number }>(
      `SELECT ${id} AS id, count(*)::INTEGER AS uses FROM ${star} WHERE ${id} > $1 AND ${id} <= $2
         AND ${id} NOT IN (SELECT -id FROM ${dictionary} WHERE id < 0)
       GROUP BY ${id} HAVING count(*) > 1 ORDER BY count(*) DESC, ${id} LIMIT $3`,
      [after, after + COUNTED, MAX_KEPT_LINES],
    );
    most = [...most, ...uses].toSorted((one, other) => other.uses - one.uses).slice(0, MAX_KEPT_LINES);
  }
  return most.map((one) => one.id);
}

function ascending(one: number, other: number): number {
  return one - other;
}
