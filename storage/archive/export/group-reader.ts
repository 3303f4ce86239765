import type { Rows } from "../../engine/rows.ts";
import type { Snapshot, Views } from "../../engine/snapshot.ts";
import type { SqlValue } from "../../engine/sql-value.ts";
import { type Filling, type Gap, type Parts, partsOf, type Text } from "./gaps.ts";
import type { Group } from "./groups.ts";
import type { Lines } from "./lines.ts";
import { type Range, Ranges } from "./ranges.ts";
import { type Shared, SharedLines } from "./shared-lines.ts";

/** A member as the engine returns it. */
export interface Row {
  /** The parts of its name, certname first. */
  readonly name: readonly string[];
  readonly parts: Parts;
}

/** The members of a range. */
export interface RangeRows {
  /** To be iterated once, before the next range is read. */
  readonly rows: Iterable<Row>;
  /** Frees the memory of all rows. The garbage collector would free it late, because it does not know its size. */
  readonly free: () => void;
}

const LINE_FEED = 0x0a;
const NULL: Text = Buffer.from("null");

/** Reads the members of a group in ranges of rows, through one or several views. */
export class GroupReader {
  readonly #views: Views;
  readonly #group: Group;
  readonly #third: readonly SqlValue[];
  readonly #ranges: Ranges;
  readonly #shared: ReadonlyMap<string, SharedLines>;

  private constructor(
    views: Views,
    group: Group,
    third: readonly SqlValue[],
    shared: ReadonlyMap<string, SharedLines>,
  ) {
    this.#views = views;
    this.#group = group;
    this.#third = third;
    this.#ranges = new Ranges(group);
    this.#shared = shared;
  }

  static async open(views: Views, group: Group): Promise<GroupReader> {
    const [first] = views;
    const third = group.third === undefined ? [] : [await group.third(first)];
    const own: Views = group.inParallel === true ? views : [first];
    return new GroupReader(own, group, third, await linesOf(own, group.shared ?? []));
  }

  /** All ranges in their order. */
  ranges(): AsyncGenerator<RangeRows> {
    return this.#group.hasLongRows === true ? this.#sequential() : this.#parallel();
  }

  /** Long texts stay in the engine's memory until they are written. */
  async *#sequential(): AsyncGenerator<RangeRows> {
    const [at] = this.#views;
    for (let range = await this.#ranges.next(at); range !== undefined; range = await this.#ranges.next(at)) {
      const sum = { rows: 0, bytes: 0 };
      for await (const columns of at.columns({ sql: this.#group.sql, values: this.#valuesFor(range) })) {
        const heads = headsOf(columns);
        yield { rows: memberRows(columns, heads, sum), free: () => free(heads) };
      }
      this.#ranges.reportSize(sum);
    }
  }

  /** Reads further ranges while one is processed. */
  async *#parallel(): AsyncGenerator<RangeRows> {
    const reading: Promise<RangeRows | undefined>[] = [];
    const read = (at: Snapshot): void => {
      const range = this.#read(at);
      // An error is thrown where the range is awaited; until then it must not count as unhandled.
      range.catch(() => undefined);
      reading.push(range);
    };
    try {
      this.#views.forEach(read);
      for (let turn = 0; ; turn++) {
        const range = await reading.shift();
        if (range === undefined) return;
        // Its view is free again.
        read(this.#views[turn % this.#views.length] ?? this.#views[0]);
        yield range;
      }
    } finally {
      // If the caller leaves early, other ranges may still be being read.
      await Promise.allSettled(reading);
    }
  }

  /** The rows of the next range; undefined after the last one. */
  async #read(at: Snapshot): Promise<RangeRows | undefined> {
    const range = await this.#ranges.next(at);
    if (range === undefined) return undefined;
    const values = this.#valuesFor(range);
    const rows: Row[] = [];
    const texts: Buffer[] = [];
    const lines = new Map([...this.#shared].map(([dictionary, shared]) => [dictionary, shared.begin()]));
    const { sql, longSql = sql } = this.#group;
    for await (const batch of at.stream({ sql: range.isLong ? longSql : sql, values })) {
      for (let row = 0; row < batch.count; row++) {
        const text = batch.bytes(row);
        texts.push(text);
        rows.push(readRow(text, lines));
      }
    }
    for (const [dictionary, wanted] of lines) await this.#shared.get(dictionary)?.complete(at, wanted, texts);
    this.#ranges.reportSize({ rows: rows.length, bytes: texts.reduce((sum, { length }) => sum + length, 0) });
    return { rows, free: () => free(texts) };
  }

  #valuesFor({ after, last }: Range): readonly SqlValue[] {
    return [after, last, ...this.#third];
  }
}

/** The lines of each dictionary that several nodes use; each view reads some of the dictionaries. */
async function linesOf(views: Views, shared: readonly Shared[]): Promise<ReadonlyMap<string, SharedLines>> {
  const lines = new Map<string, SharedLines>();
  const reading = views.map(async (at, view) => {
    for (const [index, each] of shared.entries())
      if (index % views.length === view) lines.set(each.dictionary, await SharedLines.open(at, each));
  });
  // If one fails, wait for the others.
  await Promise.allSettled(reading);
  await Promise.all(reading);
  return lines;
}

function free(texts: readonly Buffer[]): void {
  // Several texts may share one buffer.
  for (const memory of new Set(texts.map(({ buffer }) => buffer as ArrayBuffer))) memory.transfer(0);
}

/** @param lines the requested lines of each dictionary so far */
function readRow(text: Buffer, lines: ReadonlyMap<string, Lines>): Row {
  const end = text.indexOf(LINE_FEED);
  const fillingOf = ({ dictionary, ids }: Gap): Filling => {
    const known = lines.get(dictionary);
    if (known === undefined) throw new Error(`no lines of ${dictionary} are read`);
    return { lines: known, slots: known.slotsOf(ids) };
  };
  const name = JSON.parse(text.toString("utf8", 0, end)) as string[];
  return { name, parts: partsOf(text.subarray(end + 1), fillingOf) };
}

/** The first column of a batch, copied; the other columns remain in the engine's memory. */
function headsOf([heads]: readonly Rows[]): Buffer[] {
  return heads === undefined ? [] : Array.from({ length: heads.count }, (_, row) => heads.bytes(row));
}

/** @param sum the number of rows and bytes is added to it */
function* memberRows(
  columns: readonly Rows[],
  heads: readonly Buffer[],
  sum: { rows: number; bytes: number },
): Generator<Row> {
  for (const [index, head] of heads.entries()) {
    const { name, parts } = readRow(head, new Map());
    const rest = columns.slice(1).map((column, place) => cellOf(column, index, place % 2 === 0));
    sum.rows++;
    sum.bytes += head.length + rest.reduce((bytes, { length }) => bytes + length, 0);
    yield { name, parts: [...parts, ...rest] };
  }
}

function cellOf(column: Rows, row: number, isJson: boolean): Text {
  const length = column.length(row);
  // JSON is never empty, so this was NULL.
  if (length === 0 && isJson) return NULL;
  return { length, copy: (target, at) => column.copy(row, target, at) };
}
