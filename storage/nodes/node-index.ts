import { changedPart } from "../engine/table-versions.ts";
import { deleteRowsOf } from "../engine/rows-of-ids.ts";
import type { Transaction } from "../engine/transaction.ts";
import { cellsOf, columnNames, newNodeRow, type NodeRow, selectNodeRows, sharedTexts } from "./columns.ts";
import { TextInterner } from "./text-interner.ts";

/** Rows that are read at once. */
const ROWS_AT_ONCE = 2048;

/**
 * All rows of the table `nodes`, in memory and by name, so that no query is needed to decide whether a command is stale,
 * unchanged or the latest. Changed rows are written once per batch.
 */
export class NodeIndex {
  #byCertname = new Map<string, NodeRow>();
  /** Rows to write, with what is stored of them; undefined: they are new. */
  #changed = new Map<NodeRow, NodeRow | undefined>();
  #stored = new Set<number>();
  #nextId = 1;
  #isLoaded = false;
  /** Each row that is read has strings of its own: without this, rows would take a third more memory. */
  readonly #texts = new TextInterner();

  /** Forgets all rows, e.g. after a rollback. */
  clear(): void {
    this.#byCertname = new Map();
    this.#changed = new Map();
    this.#stored = new Set();
    this.#nextId = 1;
    this.#isLoaded = false;
  }

  /** Reads all rows, unless they are in memory; in parts, between which the process does other work. */
  async load(tx: Pick<Transaction, "rows">): Promise<void> {
    if (this.#isLoaded) return;
    const [latest] = await tx.rows<{ last: number }>(
      "SELECT coalesce(max(rowid), -1)::DOUBLE AS last FROM nodes WHERE rowid < $1",
      // Larger than any number of a committed row. The engine gives those that the open transaction has added much larger ones.
      [2n ** 40n],
    );
    const last = latest?.last ?? -1;
    for (let first = 0; ; first += ROWS_AT_ONCE) {
      const end = first + ROWS_AT_ONCE;
      const rows =
        end <= last
          ? await tx.rows<NodeRow>(`${selectNodeRows} WHERE rowid >= $1 AND rowid < $2`, [BigInt(first), BigInt(end)])
          : await tx.rows<NodeRow>(`${selectNodeRows} WHERE rowid >= $1`, [BigInt(first)]);
      for (const row of rows) this.#add(row);
      if (end > last) break;
    }
    this.#isLoaded = true;
  }

  #add(row: NodeRow): void {
    this.#share(row);
    this.#byCertname.set(row.certname, row);
    this.#stored.add(row.id);
    this.#nextId = Math.max(this.#nextId, row.id + 1);
  }

  /** Whether there are no nodes. */
  get isEmpty(): boolean {
    return this.#byCertname.size === 0;
  }

  /** How many nodes there are; undefined until they have been loaded. */
  get size(): number | undefined {
    return this.#isLoaded ? this.#byCertname.size : undefined;
  }

  /** All nodes, inactive ones included. */
  all(): Iterable<NodeRow> {
    return this.#byCertname.values();
  }

  get(certname: string): NodeRow | undefined {
    return this.#byCertname.get(certname);
  }

  /** The id of a node, if it is in memory; a node that is being stored for the first time has one too. */
  idOf(certname: string): number | undefined {
    return this.#byCertname.get(certname)?.id;
  }

  /** Removes nodes whose rows have been deleted. */
  remove(nodes: readonly NodeRow[]): void {
    for (const node of nodes) {
      this.#byCertname.delete(node.certname);
      this.#changed.delete(node);
      this.#stored.delete(node.id);
    }
  }

  /** The row of that name, to be changed before the next {@link write}; added if there is none. */
  change(certname: string): NodeRow {
    let node = this.#byCertname.get(certname);
    if (node === undefined) {
      node = newNodeRow(this.#nextId++, certname);
      this.#byCertname.set(certname, node);
    }
    if (!this.#changed.has(node)) this.#changed.set(node, this.#stored.has(node.id) ? { ...node } : undefined);
    return node;
  }

  /** Writes the rows that have changed since the last time. */
  async write(tx: Transaction): Promise<void> {
    const replaced = [...this.#changed.keys()].filter(({ id }) => this.#stored.has(id)).map(({ id }) => id);
    const changed = new Map([...this.#changed].map(([node, stored]) => [node, stored && changedParts(node, stored)]));
    const all = unionOf(changed.values());
    const changing = all === undefined ? tx : tx.changing(all);
    await deleteRowsOf(changing, "nodes", "id", replaced);
    const appender = await changing.appender("nodes");
    for (const node of changed.keys()) {
      this.#share(node);
      appender.row(...cellsOf(node));
      this.#stored.add(node.id);
    }
    appender.close();
    this.#changed.clear();
  }

  #share(row: NodeRow): void {
    for (const column of sharedTexts) {
      const text = row[column];
      if (text !== null) row[column] = this.#texts.intern(text);
    }
  }
}

/** The parts in which a row differs from what is stored. */
function changedParts(row: NodeRow, stored: NodeRow): readonly string[] {
  const parts: string[] = [];
  for (const column of columnNames) {
    const [was, is] = [stored[column], row[column]];
    if (was !== is) parts.push(changedPart(column, was === null, is === null));
  }
  return parts;
}

/** @returns undefined where one of them is */
function unionOf(all: Iterable<readonly string[] | undefined>): readonly string[] | undefined {
  const union = new Set<string>();
  for (const parts of all) {
    if (parts === undefined) return undefined;
    for (const part of parts) union.add(part);
  }
  return [...union];
}
