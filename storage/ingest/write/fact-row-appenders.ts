import type { Appender } from "../../engine/appender.ts";
import type { RowText } from "../row-text.ts";
import { Yielder } from "../yielder.ts";
import { factTable, type factTables, SPACER_PATH, spacerId, spacersAfter } from "./fact-tables.ts";

type Appenders = Readonly<Record<(typeof factTables)[number] | "fact_leaves", Appender>>;

/**
 * Appends the rows of a batch's facts, and those that are volatile after all others. The next run of a node deletes its volatile
 * rows, and the engine keeps up to 32 KB of memory for each 2,048 rows of which any was deleted
 * (`test/storage/ingest/write/volatile-last.test.ts`).
 */
export class FactRowAppenders {
  readonly #tables: Appenders;
  readonly #last: (() => void)[] = [];

  constructor(tables: Appenders) {
    this.#tables = tables;
  }

  fact(node: number, name: string, value: RowText, sortKey: string, isVolatile: boolean): void {
    if (isVolatile) this.#last.push(() => this.#fact(node, name, value, sortKey));
    else this.#fact(node, name, value, sortKey);
  }

  leaf(node: number, path: number, value: RowText, sortKey: string, isVolatile: boolean): void {
    if (isVolatile) this.#last.push(() => this.#leaf(node, path, value, sortKey));
    else this.#leaf(node, path, value, sortKey);
  }

  async close(): Promise<void> {
    const yielder = new Yielder();
    for (const append of this.#last) {
      append();
      if (yielder.isDue()) await yielder.yield();
    }
    for (const table of Object.values(this.#tables)) table.close();
  }

  #fact(node: number, name: string, value: RowText, sortKey: string): void {
    this.#tables[factTable(value)].row(node, name, value, sortKey);
    for (let left = spacersAfter(value, sortKey); left > 0; left--) {
      this.#tables.long_facts.row(spacerId(node), "", "", "");
    }
  }

  #leaf(node: number, path: number, value: RowText, sortKey: string): void {
    const rows = this.#tables.fact_leaves;
    rows.row(node, path, value, sortKey);
    for (let left = spacersAfter(value, sortKey); left > 0; left--) rows.row(spacerId(node), SPACER_PATH, "", "");
  }
}
