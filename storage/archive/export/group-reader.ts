import type { Snapshot } from "../../engine/database.ts";
import type { SqlValue } from "../../engine/statements.ts";
import { type Lines, type Parts, partsOf } from "./gaps.ts";
import type { Group } from "./groups.ts";
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
  readonly lines: Lines;
}

const LINE_FEED = 0x0a;

/** Reads the members of a group, a range of rows at a time. */
export class GroupReader {
  readonly #at: Snapshot;
  readonly #group: Group;
  readonly #third: readonly SqlValue[];
  readonly #ranges: Ranges;
  readonly #shared: ReadonlyMap<string, SharedLines>;

  private constructor(at: Snapshot, group: Group, third: readonly SqlValue[]) {
    this.#at = at;
    this.#group = group;
    this.#third = third;
    this.#ranges = new Ranges(at, group);
    this.#shared = new Map((group.shared ?? []).map((shared) => [shared.dictionary, new SharedLines(at, shared)]));
  }

  static async open(at: Snapshot, group: Group): Promise<GroupReader> {
    return new GroupReader(at, group, group.third === undefined ? [] : [await group.third(at)]);
  }

  /** The rows of the next range; undefined after the last. */
  async next(): Promise<RowsOfRange | undefined> {
    const range = await this.#ranges.next();
    if (range === undefined) return undefined;
    const values = [range.after, range.last, ...this.#third];
    const rows: Row[] = [];
    let bytes = 0;
    for await (const batch of this.#at.answer({ sql: this.#group.sql, values })) {
      for (let row = 0; row < batch.count; row++) {
        const text = batch.keep(row);
        rows.push(readRow(text));
        bytes += text.length;
      }
    }
    const { lines, fetched } = await this.#linesOf(rows);
    this.#ranges.came({ rows: rows.length, bytes: bytes + fetched });
    return { rows, lines };
  }

  async #linesOf(rows: readonly Row[]): Promise<{ lines: Lines; fetched: number }> {
    const lines = new Map<string, ReadonlyMap<number, Buffer>>();
    let fetched = 0;
    for (const [dictionary, shared] of this.#shared) {
      const found = await shared.of(idsIn(rows, dictionary));
      lines.set(dictionary, found.lines);
      fetched += found.fetched;
    }
    return { lines, fetched };
  }
}

function readRow(text: Buffer): Row {
  const end = text.indexOf(LINE_FEED);
  return { name: JSON.parse(text.toString("utf8", 0, end)) as string[], parts: partsOf(text.subarray(end + 1)) };
}

function idsIn(rows: readonly Row[], dictionary: string): Set<number> {
  const ids = new Set<number>();
  for (const { parts } of rows) {
    for (const part of parts) {
      if (Buffer.isBuffer(part) || part.dictionary !== dictionary) continue;
      for (const id of part.ids) ids.add(id);
    }
  }
  return ids;
}
