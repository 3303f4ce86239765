import type { Snapshot } from "../../engine/snapshot.ts";
import { Lines } from "./lines.ts";
import { RecentLines } from "./recent-lines.ts";

/** A table of what nodes have in common; they have ids into it. */
export interface Shared {
  readonly dictionary: string;
  /** SQL of the line that a row `b` of it becomes. */
  readonly line: string;
}

/** Bytes of lines that are kept, twice. */
const KEPT = 8 * 1024 * 1024;

const BLANK = 0x20;
const LINE_FEED = 0x0a;

/** Ids next to each other whose lines come as one text: a row of an answer costs as much as a thousand bytes. */
const TOGETHER = 64;

/**
 * Ids in one statement. What it gathers takes the engine six times as much memory. As statements follow each other in the
 * order of ids, none reads what another has read.
 */
const AT_ONCE = 8192;

/** The lines of a dictionary. Those that were of use last are kept: what many nodes have is made once for all of them. */
export class SharedLines {
  readonly #sql: string;
  readonly #recent = new RecentLines(KEPT);

  constructor({ dictionary, line }: Shared) {
    this.#sql = `SELECT string_agg(concat(b.id, ' ', ${line}, '\n'), '') FROM ${dictionary} b
      WHERE b.id IN (SELECT unnest($1::INTEGER[])) GROUP BY b.id // ${TOGETHER}`;
  }

  /**
   * The lines of some ids. What many nodes have, more than one of a few has: only such lines are kept.
   * @param uses how often each id occurs
   * @param at what those that are not kept are read through
   * @param texts is added what the lines are parts of, as long as they are not kept
   */
  async of(at: Snapshot, uses: ReadonlyMap<number, number>, texts: Buffer[]): Promise<Lines> {
    const lines = new Lines(uses.size);
    const missing: number[] = [];
    for (const id of uses.keys()) {
      const line = this.#recent.get(id);
      if (line === undefined) missing.push(id);
      else addWhole(lines, id, line);
    }
    missing.sort((one, other) => one - other);
    for (let from = 0; from < missing.length; from += AT_ONCE) {
      const ids = `[${missing.slice(from, from + AT_ONCE).join(",")}]`;
      for await (const rows of at.answer({ sql: this.#sql, values: [ids] })) {
        for (let row = 0; row < rows.count; row++) {
          const text = rows.keep(row);
          texts.push(text);
          this.#add(lines, text, uses);
        }
      }
    }
    return lines;
  }

  #add(lines: Lines, text: Buffer, uses: ReadonlyMap<number, number>): void {
    const kept: [id: number, line: Buffer][] = [];
    lines.addText(text);
    for (let start = 0; start < text.length;) {
      const blank = text.indexOf(BLANK, start);
      const end = text.indexOf(LINE_FEED, blank);
      const id = Number(text.toString("latin1", start, blank));
      if (uses.get(id) === 1) lines.add(id, blank + 1, end);
      else kept.push([id, this.#recent.set(id, text.subarray(blank + 1, end))]);
      start = end + 1;
    }
    for (const [id, line] of kept) addWhole(lines, id, line);
  }
}

function addWhole(lines: Lines, id: number, line: Buffer): void {
  lines.addText(line);
  lines.add(id, 0, line.length);
}
