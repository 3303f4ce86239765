import type { Appender } from "../../engine/appender.ts";
import type { Transaction } from "../../engine/transaction.ts";
import type { RowText } from "../row-text.ts";
import { type factTables, SPACER_PATH, spacerId, spacersAfter, steadyTable } from "./fact-tables.ts";

type Appenders = Readonly<Record<(typeof factTables)[number], Appender>>;

/** Appends the rows of a batch's facts to their tables. */
export class FactRowAppenders {
  readonly #tables: Appenders;

  private constructor(tables: Appenders) {
    this.#tables = tables;
  }

  static async open(tx: Transaction): Promise<FactRowAppenders> {
    return new FactRowAppenders({
      short_facts: await tx.appender("short_facts"),
      long_facts: await tx.appender("long_facts"),
      steady_leaves: await tx.appender("steady_leaves"),
      volatile_facts: await tx.appender("volatile_facts"),
      volatile_leaves: await tx.appender("volatile_leaves"),
    });
  }

  /** @param isApart whether the row belongs to the tables of volatile facts */
  fact(node: number, name: string, value: RowText, sortKey: string, isApart: boolean): void {
    const { long_facts, volatile_facts } = this.#tables;
    if (isApart) return volatile_facts.row(node, name, value, sortKey);
    this.#tables[steadyTable(value)].row(node, name, value, sortKey);
    for (let left = spacersAfter(value, sortKey); left > 0; left--) long_facts.row(spacerId(node), "", "", "");
  }

  /** @param isApart as of {@link fact} */
  leaf(node: number, path: number, value: RowText, sortKey: string, isApart: boolean): void {
    const { steady_leaves, volatile_leaves } = this.#tables;
    if (isApart) return volatile_leaves.row(node, path, value, sortKey);
    steady_leaves.row(node, path, value, sortKey);
    for (let left = spacersAfter(value, sortKey); left > 0; left--) {
      steady_leaves.row(spacerId(node), SPACER_PATH, "", "");
    }
  }

  close(): void {
    for (const table of Object.values(this.#tables)) table.close();
  }
}
