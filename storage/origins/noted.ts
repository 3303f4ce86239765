import { isOneOf } from "../engine/rows-of-ids.ts";
import type { Transaction } from "../engine/transaction.ts";
import { append } from "../ingest/write/append.ts";
import { type NotedNode, notedColumns, notedNothing } from "./origin-node.ts";

/** What a transaction has written: a node as it is noted now, or undefined where it is not any more. */
export interface NotedChange {
  readonly origin: string;
  readonly certname: string;
  readonly node: NotedNode | undefined;
}

/** What is noted of the nodes of each origin: the table `origin_nodes`, all of it in memory. */
export class NotedNodes {
  readonly #byOrigin = new Map<string, Map<string, NotedNode>>();

  /** Reads what is noted of these origins, and forgets the others. */
  async load(tx: Transaction, origins: readonly string[]): Promise<void> {
    await tx.execute("origin_nodes", "DELETE FROM origin_nodes WHERE origin NOT IN (SELECT unnest($1))", [origins]);
    this.#byOrigin.clear();
    for (const origin of origins) this.#byOrigin.set(origin, new Map());
    const times = notedColumns.map((name) => (isTime(name) ? `epoch_us(o.${name}) AS ${name}` : `o.${name}`));
    const rows = await tx.rows<NotedNode & { origin: string }>(
      `SELECT origin, certname, ${times.join(", ")} FROM origin_nodes o JOIN nodes n ON n.id = o.node_id`,
    );
    for (const { origin, ...node } of rows) this.#byOrigin.get(origin)?.set(node.certname, node);
  }

  /** The nodes of an origin by name. */
  of(origin: string): ReadonlyMap<string, NotedNode> {
    return this.#byOrigin.get(origin) ?? new Map<string, NotedNode>();
  }

  /** The origins that have a node, with what is noted of it. */
  *having(certname: string): Generator<readonly [origin: string, node: NotedNode]> {
    for (const [origin, nodes] of this.#byOrigin) {
      const node = nodes.get(certname);
      if (node !== undefined) yield [origin, node];
    }
  }

  /** Names that several origins have, in their order. */
  get shared(): string[] {
    const [once, several] = [new Set<string>(), new Set<string>()];
    for (const nodes of this.#byOrigin.values()) {
      for (const name of nodes.keys()) (once.has(name) ? several : once).add(name);
    }
    return [...several].sort();
  }

  /**
   * Writes what is noted of nodes of an origin, in addition to what is.
   * @param changes undefined: the node is forgotten
   */
  async write(
    tx: Transaction,
    origin: string,
    changes: ReadonlyMap<string, Partial<NotedNode> | undefined>,
    idOf: (certname: string) => number | undefined,
  ): Promise<NotedChange[]> {
    const known = [...changes].flatMap(([certname, change]) => {
      const id = idOf(certname);
      const before = this.of(origin).get(certname) ?? notedNothing(certname);
      // What is not stored any more can only be forgotten.
      if (id === undefined && change !== undefined) return [];
      return [{ id, certname, node: change && { ...before, ...change, certname } }];
    });
    const ids = known.flatMap(({ id }) => id ?? []);
    const statement = `DELETE FROM origin_nodes WHERE origin = $1 AND ${isOneOf("node_id", ids)}`;
    if (ids.length > 0) await tx.execute("origin_nodes", statement, [origin]);
    const kept = known.flatMap(({ id, node }) => (id === undefined || node === undefined ? [] : [{ id, node }]));
    await append(tx, "origin_nodes", kept, ({ id, node }) => [origin, id, ...notedColumns.map((name) => node[name])]);
    return known.map(({ certname, node }) => ({ origin, certname, node }));
  }

  /** The transaction that wrote these was committed. */
  commit(changes: readonly NotedChange[]): void {
    for (const { origin, certname, node } of changes) {
      if (node === undefined) this.#byOrigin.get(origin)?.delete(certname);
      else this.#byOrigin.get(origin)?.set(certname, node);
    }
  }
}

function isTime(name: string): boolean {
  return !/hash|uuid|^expires_facts$/.test(name);
}
