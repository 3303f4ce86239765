import type { Snapshot, Views } from "../../engine/snapshot.ts";
import type { SqlValue } from "../../engine/statements.ts";
import { type LinesOfAll, type Parts, partsOf } from "./gaps.ts";
import type { Group } from "./groups.ts";
import type { Lines } from "./lines.ts";
import { Ranges } from "./ranges.ts";
import { SharedLines } from "./shared-lines.ts";

/** A member as it comes from the engine. */
export interface Row {
  /** What its name is made of, certname first. */
  readonly name: readonly string[];
  readonly parts: Parts;
}

/** Some members, and the lines that belong into their gaps. */
export interface RowsOfRange {
  readonly rows: readonly Row[];
  readonly lines: LinesOfAll;
  /** Gives the memory of all of it back. The collector would take its time: it does not see how much there is. */
  readonly free: () => void;
}

const LINE_FEED = 0x0a;

/** Reads the members of a group, a range of rows at a time through each view that it needs. */
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
    const shared = new Map<string, SharedLines>();
    for (const each of group.shared ?? []) shared.set(each.dictionary, await SharedLines.open(first, each));
    return new GroupReader(group.inParallel === true ? views : [first], group, third, shared);
  }

  /** All ranges in their order. While one is dealt with, others are read. */
  async *ranges(): AsyncGenerator<RowsOfRange> {
    const reading: Promise<RowsOfRange | undefined>[] = [];
    const read = (at: Snapshot): void => {
      const range = this.#read(at);
      // A failure is met where the range is awaited; until then it must not count as unhandled.
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
      // Whoever leaves early leaves the others unread.
      await Promise.allSettled(reading);
    }
  }

  /** The rows of the next range; undefined after the last. */
  async #read(at: Snapshot): Promise<RowsOfRange | undefined> {
    const range = await this.#ranges.next(at);
    if (range === undefined) return undefined;
    const values = [range.after, range.last, ...this.#third];
    const rows: Row[] = [];
    const texts: Buffer[] = [];
    for await (const batch of at.answer({ sql: this.#group.sql, values })) {
      for (let row = 0; row < batch.count; row++) {
        const text = batch.keep(row);
        texts.push(text);
        rows.push(readRow(text));
      }
    }
    const lines = await this.#linesOf(at, rows, texts);
    this.#ranges.came({ rows: rows.length, bytes: texts.reduce((sum, { length }) => sum + length, 0) });
    return { rows, lines, free: () => free(texts) };
  }

  /** @param texts is added what they are parts of */
  async #linesOf(at: Snapshot, rows: readonly Row[], texts: Buffer[]): Promise<LinesOfAll> {
    const lines = new Map<string, Lines>();
    for (const [dictionary, shared] of this.#shared)
      lines.set(dictionary, await shared.of(at, idsIn(rows, dictionary), texts));
    return lines;
  }
}

function free(texts: readonly Buffer[]): void {
  // Several of them may be parts of one.
  for (const memory of new Set(texts.map(({ buffer }) => buffer as ArrayBuffer))) memory.transfer(0);
}

function readRow(text: Buffer): Row {
  const end = text.indexOf(LINE_FEED);
  return { name: JSON.parse(text.toString("utf8", 0, end)) as string[], parts: partsOf(text.subarray(end + 1)) };
}

/** The ids of lines of a dictionary that are needed. */
function idsIn(rows: readonly Row[], dictionary: string): Set<number> {
  const ids = new Set<number>();
  for (const { parts } of rows) {
    for (const part of parts) {
      if (!Buffer.isBuffer(part) && part.dictionary === dictionary) for (const id of part.ids) ids.add(id);
    }
  }
  return ids;
}
