import type { Appender } from "../../engine/appender.ts";
import type { Transaction } from "../../engine/transaction.ts";
import type { RowText } from "../row-text.ts";
import { Yielder } from "../yielder.ts";
import {
  changingVolatileFacts,
  type FactTable,
  factTable,
  SPACER_PATH,
  spacerId,
  spacersAfter,
} from "./fact-tables.ts";

/**
 * Appends the rows of a batch's facts to their tables, and values of volatile facts after all others. The next run of a node deletes
 * these, and the engine keeps up to 32 KB of memory for each 2,048 rows of which any was deleted
 * (`test/storage/ingest/write/volatile-tables.test.ts`).
 */
export class FactRowAppenders {
  readonly #tables: Readonly<Record<FactTable, Appender>>;
  readonly #last: (() => void)[] = [];

  private constructor(tables: Readonly<Record<FactTable, Appender>>) {
    this.#tables = tables;
  }

  /** @param areVolatile whether all facts that are appended are volatile */
  static async open(tx: Transaction, areVolatile: boolean): Promise<FactRowAppenders> {
    const values = areVolatile ? changingVolatileFacts(tx) : tx;
    return new FactRowAppenders({
      short_facts: await values.appender("short_facts"),
      long_facts: await values.appender("long_facts"),
      steady_leaves: await tx.appender("steady_leaves"),
      volatile_leaves: await tx.appender("volatile_leaves"),
    });
  }

  fact(node: number, name: string, value: RowText, sortKey: string, isVolatile: boolean): void {
    if (isVolatile) this.#last.push(() => this.#fact(node, name, value, sortKey));
    else this.#fact(node, name, value, sortKey);
  }

  /** @param isApart whether the row belongs to the table of volatile leaves */
  leaf(node: number, path: number, value: RowText, sortKey: string, isApart: boolean): void {
    const { steady_leaves, volatile_leaves } = this.#tables;
    if (isApart) return volatile_leaves.row(node, path, value, sortKey);
    steady_leaves.row(node, path, value, sortKey);
    for (let left = spacersAfter(value, sortKey); left > 0; left--) {
      steady_leaves.row(spacerId(node), SPACER_PATH, "", "");
    }
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
}
