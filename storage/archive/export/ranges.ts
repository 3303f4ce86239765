import type { Snapshot } from "../../engine/snapshot.ts";
import { memoryBudget } from "../../memory/budget.ts";
import type { Group } from "./groups.ts";

/** Long rows are not gathered, and the engine unpacks {@link UNPACKED} of them to bring a few: bytes of a range of those. */
const WORTH_OF_LONG_ROWS = 32 * 1024 * 1024;

/** Rows that the engine stores together: it unpacks all of them or none. */
const UNPACKED = 2048;

/** Rows of the first range, of which nobody knows yet how large they are. */
const FIRST = 8;

/** Ranges grow by no more than this: the next rows may be larger. */
const GROWTH = 8;

/** Ids behind the first, up to and including the last. */
export interface Range {
  readonly after: bigint;
  readonly last: bigint;
}

/** A row whose member is long. */
interface Size {
  readonly id: number;
  readonly characters: number;
}

/** Cuts the rows of a group into ranges that come to about the same number of bytes. */
export class Ranges {
  readonly #group: Group;
  #after = -1n;
  #rows = FIRST;
  #last: Promise<Range | undefined> = Promise.resolve(undefined);
  /** Rows whose members are long, in their order, as far as no range has had them. */
  #sizes: Size[] | undefined;

  constructor(group: Group) {
    this.#group = group;
  }

  /**
   * The next range; undefined when all rows have been in one. Several may be asked for at the same time.
   * @param at what is read through
   */
  async next(at: Snapshot): Promise<Range | undefined> {
    this.#last = this.#last.then(() => this.#cut(at));
    return this.#last;
  }

  async #cut(at: Snapshot): Promise<Range | undefined> {
    const { from, where, hasLongRows = false } = this.#group;
    const behind = `FROM ${from} n WHERE ${where} AND id > $1`;
    const together = hasLongRows
      ? `AND rowid // ${UNPACKED} = (SELECT arg_min(rowid, id) // ${UNPACKED} ${behind})`
      : "";
    const [row] = await at.rows<{ last: bigint | null }>(
      `SELECT max(id)::BIGINT AS last FROM (SELECT id ${behind} ${together} ORDER BY id LIMIT $2)`,
      [this.#after, BigInt(this.#rows)],
    );
    const some = row?.last ?? null;
    if (some === null) return undefined;
    const last = await this.#fitting(at, some);
    const range = { after: this.#after, last };
    this.#after = last;
    return range;
  }

  /** The last of some rows up to which their members are not too long for one statement. */
  async #fitting(at: Snapshot, last: bigint): Promise<bigint> {
    const { sizes } = this.#group;
    if (sizes === undefined) return last;
    this.#sizes ??= await at.rows<Size>(`FROM (${sizes}) ORDER BY id`);
    const worth = memoryBudget().exportRange;
    let [characters, reached] = [0, this.#after];
    for (let next = this.#sizes[0]; next !== undefined && BigInt(next.id) <= last; next = this.#sizes[0]) {
      characters += next.characters;
      const isFirst = reached === this.#after;
      if (characters > worth && !isFirst) return reached;
      reached = BigInt(next.id);
      this.#sizes.shift();
      if (characters > worth) return reached;
    }
    return last;
  }

  /** What the last range came to. */
  came(to: { readonly rows: number; readonly bytes: number }): void {
    if (to.rows === 0) return;
    const worth = this.#group.hasLongRows === true ? WORTH_OF_LONG_ROWS : memoryBudget().exportRange;
    const fitting = Math.ceil((worth * to.rows) / Math.max(1, to.bytes));
    this.#rows = Math.min(fitting, this.#rows * GROWTH);
  }
}
