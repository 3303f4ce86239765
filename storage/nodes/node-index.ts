import type { Database } from "../engine/database.ts";
import { deleteRowsOf } from "../engine/delete-rows.ts";
import type { Transaction } from "../engine/transaction.ts";
import type { CommandName } from "../wire/commands.ts";
import { newNode, nodeColumns, type NodeRow } from "./node-row.ts";

/**
 * The rows of `nodes`, all in memory: what is stale, unchanged or the latest is decided without asking the engine.
 * Changed rows are written back once per batch.
 */
export class Nodes {
  #byCertname = new Map<string, NodeRow>();
  #changed = new Set<NodeRow>();
  #stored = new Set<number>();
  #nextId = 1;
  #loaded = false;
  #inactive = new Set<number>();
  #changesOfActivity = 0;
  readonly #contents = new WeakMap<NodeRow, Map<CommandName, string>>();

  /** What the node's present data are told by (`storage/ingest/shortcuts/content-digest.ts`); undefined when that is not known. */
  content(certname: string, command: CommandName): string | undefined {
    const node = this.#byCertname.get(certname);
    return node === undefined ? undefined : this.#contents.get(node)?.get(command);
  }

  /** Remembers what the data that the node now has are told by. */
  keepContent(node: NodeRow, command: CommandName, content: string | undefined): void {
    const contents = this.#contents.get(node) ?? new Map<CommandName, string>();
    if (content === undefined) contents.delete(command);
    else contents.set(command, content);
    this.#contents.set(node, contents);
  }

  /** Forgets everything, e.g. after a rollback. */
  forget(): void {
    this.#byCertname = new Map();
    this.#changed = new Set();
    this.#stored = new Set();
    this.#nextId = 1;
    this.#loaded = false;
    this.#inactive = new Set();
    this.#changesOfActivity++;
  }

  /** The ids of nodes that are deactivated or expired; undefined where the rows are not in memory. */
  get inactive(): ReadonlySet<number> | undefined {
    return this.#loaded ? this.#inactive : undefined;
  }

  /** As long as it stays the same, the same nodes are inactive. It changes before a transaction that changes them is committed. */
  get changesOfActivity(): number {
    return this.#changesOfActivity;
  }

  async load(reader: Pick<Transaction, "rows"> | Database): Promise<void> {
    if (this.#loaded) return;
    // Times travel as microseconds since the epoch, which is what the rest of the program counts in.
    const columns = nodeColumns.map((column) => (isTime(column) ? `epoch_us(${column}) AS ${column}` : column));
    for (const row of await reader.rows<NodeRow>(`SELECT ${columns.join(", ")} FROM nodes`)) {
      this.#byCertname.set(row.certname, row);
      this.#stored.add(row.id);
      this.#nextId = Math.max(this.#nextId, row.id + 1);
      if (isInactive(row)) this.#inactive.add(row.id);
    }
    this.#loaded = true;
  }

  /** Every node there is. */
  all(): Iterable<NodeRow> {
    return this.#byCertname.values();
  }

  get(certname: string): NodeRow | undefined {
    return this.#byCertname.get(certname);
  }

  /** Forgets nodes whose rows have been deleted. */
  remove(nodes: readonly NodeRow[]): void {
    for (const node of nodes) {
      this.#byCertname.delete(node.certname);
      this.#changed.delete(node);
      this.#stored.delete(node.id);
      this.#noteActivity(node, false);
    }
  }

  /** The node of that name, made if it is new; it will be written. */
  change(certname: string): NodeRow {
    let node = this.#byCertname.get(certname);
    if (node === undefined) {
      node = newNode(this.#nextId++, certname);
      this.#byCertname.set(certname, node);
    }
    this.#changed.add(node);
    return node;
  }

  /** Writes what has changed since the last time. */
  async write(tx: Transaction): Promise<void> {
    const replaced = [...this.#changed].filter(({ id }) => this.#stored.has(id)).map(({ id }) => id);
    await deleteRowsOf(tx, "nodes", "id", replaced);
    const appender = await tx.appender("nodes");
    for (const node of this.#changed) {
      appender.row(...nodeColumns.map((column) => node[column]));
      this.#stored.add(node.id);
      this.#noteActivity(node, isInactive(node));
    }
    appender.close();
    this.#changed.clear();
  }

  #noteActivity({ id }: NodeRow, inactive: boolean): void {
    if (inactive === this.#inactive.has(id)) return;
    this.#changesOfActivity++;
    if (inactive) this.#inactive.add(id);
    else this.#inactive.delete(id);
  }
}

const times: ReadonlySet<string> = new Set([
  "deactivated",
  "expired",
  "expires_facts_updated",
  "report_end_time",
  ...["facts", "catalog"].map((kind) => `${kind}_timestamp`),
  ...["facts", "catalog", "inputs", "report"].map((kind) => `${kind}_producer_timestamp`),
]);

function isInactive({ deactivated, expired }: NodeRow): boolean {
  return deactivated !== null || expired !== null;
}

function isTime(column: string): boolean {
  return times.has(column);
}
