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

  /** Writes what is noted of nodes of an origin, in addition to what is. */
  async write(
    tx: Transaction,
    origin: string,
    changes: ReadonlyMap<string, Partial<NotedNode>>,
    idOf: (certname: string) => number | undefined,
  ): Promise<NotedChange[]> {
    const nodes = [...changes].flatMap(([certname, change]) => {
      const id = idOf(certname);
      const before = this.of(origin).get(certname) ?? notedNothing(certname);
      return id === undefined ? [] : [{ id, node: { ...before, ...change, certname } }];
    });
    await this.#delete(
      tx,
      origin,
      nodes.map(({ id }) => id),
    );
    await append(tx, "origin_nodes", nodes, ({ id, node }) => [origin, id, ...notedColumns.map((name) => node[name])]);
    return nodes.map(({ node }) => ({ origin, certname: node.certname, node }));
  }

  /** Forgets nodes of an origin. */
  async remove(
    tx: Transaction,
    origin: string,
    certnames: readonly string[],
    idOf: (certname: string) => number | undefined,
  ): Promise<NotedChange[]> {
    await this.#delete(
      tx,
      origin,
      certnames.map(idOf).filter((id) => id !== undefined),
    );
    return certnames.map((certname) => ({ origin, certname, node: undefined }));
  }

  async #delete(tx: Transaction, origin: string, ids: readonly number[]): Promise<void> {
    if (ids.length > 0)
      await tx.execute("origin_nodes", `DELETE FROM origin_nodes WHERE origin = $1 AND ${isOneOf("node_id", ids)}`, [
        origin,
      ]);
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
