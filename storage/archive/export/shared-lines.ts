import type { Snapshot } from "../../engine/snapshot.ts";
import { memoryBudget } from "../../memory/budget.ts";
import { BETWEEN_LINES } from "./json-sql.ts";
import { Lines } from "./lines.ts";
import { runsOf } from "./runs.ts";

/** A table of what nodes have in common; they have ids into it. */
export interface Shared {
  readonly dictionary: string;
  /** The table of who has what of it, and the column of its ids. */
  readonly star: string;
  readonly id: string;
  /** SQL of the line that a row `b` of it becomes. */
  readonly line: string;
}

/** Lines that are kept from the beginning to the end, at most. */
const KEPT_LINES = 65_536;

/** Their bytes, as a multiple of what one statement should bring: 16 MB where there is enough memory. */
const KEPT_RANGES = 3.2;

/** Bytes that most lines do not exceed. */
const USUAL_LINE = 640;

/** Ids whose uses are counted at once. The engine needs some 40 bytes for each. */
const COUNTED = { usual: 262_144, withLittleMemory: 65_536 } as const;

const BLANK = 0x20;
const LINE_FEED = 0x0a;

/** From the line feed in what stands behind a line to its end. */
const BEHIND_LINE_FEED = BETWEEN_LINES.length - BETWEEN_LINES.indexOf("\n");

/** Ids next to each other whose lines come as one text: a row of an answer costs as much as a thousand bytes. */
const TOGETHER = 64;

/**
 * The lines of a dictionary. Those that several nodes have are kept, as far as there is room, those first that most have:
 * what belongs to one node alone lies together, as it came in, so that what is left to be read for some nodes is a few runs
 * of the dictionary rather than all of it.
 */
export class SharedLines {
  readonly #sql: string;
  readonly #dictionary: string;
  readonly #kept: Lines = new Lines();
  /**
   * Ids in one statement: 8192 where there is enough memory. As statements follow each other in the order of ids, none reads
   * what another has read.
   */
  readonly #atOnce = Math.ceil(memoryBudget().exportRange / USUAL_LINE);

  private constructor({ dictionary, line }: Shared) {
    this.#dictionary = dictionary;
    this.#sql = `SELECT string_agg(concat(b.id, ' ', ${line}, '${BETWEEN_LINES}'), '') FROM ${dictionary} b
      WHERE b.id BETWEEN $2 AND $3 AND b.id IN (SELECT unnest($1::INTEGER[])) GROUP BY b.id // ${TOGETHER}`;
  }

  /** @param at what is read through */
  static async open(at: Snapshot, shared: Shared): Promise<SharedLines> {
    const lines = new SharedLines(shared);
    const wanted = await mostUsed(at, shared);
    const most = KEPT_RANGES * memoryBudget().exportRange;
    for (let from = 0, bytes = 0; from < wanted.length && bytes < most; from += lines.#atOnce) {
      const texts: Buffer[] = [];
      const some = wanted.slice(from, from + lines.#atOnce).toSorted(ascending);
      lines.#kept.slotsOf(some);
      await lines.#read(at, some, lines.#kept, texts);
      bytes += texts.reduce((sum, { length }) => sum + length, 0);
    }
    return lines;
  }

  /** The lines that are kept, and room for others. */
  begin(): Lines {
    return new Lines(this.#kept);
  }

  /**
   * Reads what is wanted of {@link begin} and is not kept.
   * @param texts is added what the lines are parts of
   */
  async complete(at: Snapshot, lines: Lines, texts: Buffer[]): Promise<void> {
    await this.#read(at, lines.wanted.toSorted(ascending), lines, texts);
  }

  /**
   * @param ids in their order
   * @param texts is added what the lines are parts of
   */
  async #read(at: Snapshot, ids: readonly number[], lines: Lines, texts: Buffer[]): Promise<void> {
    for (const run of runsOf(ids)) {
      for (let from = 0; from < run.length; from += this.#atOnce) {
        const some = run.slice(from, from + this.#atOnce);
        // Told the bounds beforehand the engine needs a third less: it finds them itself only once it has begun to read.
        const values = [`[${some.join(",")}]`, some[0] as number, some.at(-1) as number];
        for await (const rows of at.stream({ sql: this.#sql, values })) {
          for (let row = 0; row < rows.count; row++) {
            const text = rows.bytes(row);
            texts.push(text);
            addAll(lines, text);
          }
        }
      }
    }
    lines.checkFound(this.#dictionary);
  }
}

function addAll(lines: Lines, text: Buffer): void {
  lines.addText(text);
  for (let start = 0; start < text.length;) {
    const blank = text.indexOf(BLANK, start);
    const end = text.indexOf(LINE_FEED, blank) + BEHIND_LINE_FEED;
    lines.add(Number(text.toString("latin1", start, blank)), blank + 1, end);
    start = end;
  }
}

/** Ids that several have, those first that most have; without those of long lines, which would be kept. */
async function mostUsed(at: Snapshot, { dictionary, star, id }: Shared): Promise<number[]> {
  const [row] = await at.rows<{ last: number }>(`SELECT coalesce(max(id), 0)::INTEGER AS last FROM ${dictionary}`);
  const last = row?.last ?? 0;
  let most: { id: number; uses: number }[] = [];
  const counted = memoryBudget().isWatched ? COUNTED.withLittleMemory : COUNTED.usual;
  for (let after = -1; after < last; after += counted) {
    const uses = await at.rows<{ id: number; uses: number }>(
      `SELECT ${id} AS id, count(*)::INTEGER AS uses FROM ${star} WHERE ${id} > $1 AND ${id} <= $2
         AND ${id} NOT IN (SELECT -id FROM ${dictionary} WHERE id < 0)
       GROUP BY ${id} HAVING count(*) > 1 ORDER BY count(*) DESC, ${id} LIMIT $3`,
      [after, after + counted, KEPT_LINES],
    );
    most = [...most, ...uses].toSorted((one, other) => other.uses - one.uses).slice(0, KEPT_LINES);
  }
  return most.map((one) => one.id);
}

function ascending(one: number, other: number): number {
  return one - other;
}
