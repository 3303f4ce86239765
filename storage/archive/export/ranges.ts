import { VECTOR_ROWS } from "../../engine/file-layout.ts";
import type { Snapshot } from "../../engine/snapshot.ts";
import { exportRange } from "../../memory/budget.ts";
import type { Group } from "./groups.ts";

/**
 * Bytes of a range of long rows. These are not joined by the engine, which decompresses {@link VECTOR_ROWS} rows to read a
 * few.
 */
const LONG_ROWS_BYTES = 32 * 1024 * 1024;

/** Rows of the first range, whose size is unknown. */
const FIRST_ROWS = 8;

/** Maximum growth from one range to the next, because the next rows may be larger. */
const GROWTH = 8;

/** Ids above the first, up to and including the last. */
export interface Range {
  readonly after: bigint;
  readonly last: bigint;
  /** Whether a member is longer than what a statement should return. */
  readonly isLong: boolean;
}

/** A row with a long member. */
interface Size {
  readonly id: number;
  readonly characters: number;
}

/** Divides the rows of a group into ranges of about the same number of bytes. */
export class Ranges {
  readonly #group: Group;
  #after = -1n;
  #rows = FIRST_ROWS;
  #last: Promise<Range | undefined> = Promise.resolve(undefined);
  /** Rows with long members, in their order, that were in no range yet. */
  #sizes: Size[] | undefined;

  constructor(group: Group) {
    this.#group = group;
  }

  /**
   * The next range; undefined after all rows. May be called again before the last call has ended.
   * @param at the view to read
   */
  async next(at: Snapshot): Promise<Range | undefined> {
    this.#last = this.#last.then(() => this.#cut(at));
    return this.#last;
  }

  async #cut(at: Snapshot): Promise<Range | undefined> {
    const { from, where, hasLongRows = false } = this.#group;
    const behind = `FROM ${from} n WHERE ${where} AND id > $1`;
    const together = hasLongRows
      ? `AND rowid // ${VECTOR_ROWS} = (SELECT arg_min(rowid, id) // ${VECTOR_ROWS} ${behind})`
      : "";
    const [row] = await at.rows<{ last: bigint | null }>(
      `SELECT max(id)::BIGINT AS last FROM (SELECT id ${behind} ${together} ORDER BY id LIMIT $2)`,
      [this.#after, BigInt(this.#rows)],
    );
    const some = row?.last ?? null;
    if (some === null) return undefined;
    const range = { after: this.#after, ...(await this.#endThatFits(at, some)) };
    this.#after = range.last;
    return range;
  }

  /** The end of a range whose members are not too long for one statement, or which ends with the only one that is. */
  async #endThatFits(at: Snapshot, last: bigint): Promise<Pick<Range, "last" | "isLong">> {
    const { sizes } = this.#group;
    if (sizes === undefined) return { last, isLong: false };
    this.#sizes ??= await at.rows<Size>(`FROM (${sizes}) ORDER BY id`);
    let [characters, reached] = [0, this.#after];
    for (let next = this.#sizes[0]; next !== undefined && BigInt(next.id) <= last; next = this.#sizes[0]) {
      characters += next.characters;
      const isFirst = reached === this.#after;
      if (characters > exportRange && !isFirst) return { last: reached, isLong: false };
      reached = BigInt(next.id);
      this.#sizes.shift();
      if (characters > exportRange) return { last: reached, isLong: true };
    }
    return { last, isLong: false };
  }

  /** Reports the size of the last range. */
  reportSize(to: { readonly rows: number; readonly bytes: number }): void {
    if (to.rows === 0) return;
    const worth = this.#group.hasLongRows === true ? LONG_ROWS_BYTES : exportRange;
    const fitting = Math.ceil((worth * to.rows) / Math.max(1, to.bytes));
    this.#rows = Math.min(fitting, this.#rows * GROWTH);
  }
}
