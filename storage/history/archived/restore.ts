import { isOneOf } from "../../engine/rows-of-ids.ts";
import type { Transaction } from "../../engine/transaction.ts";
import type { PreparedCatalog } from "../../ingest/prepared.ts";
import { append } from "../../ingest/write/append.ts";
import type { Timestamp } from "../../time.ts";
import type { ItemIds } from "../catalog-recorder.ts";
import { DocumentTimes } from "../document-times.ts";
import { forgetSince, historyBegan, setHistoryBegan } from "../state.ts";
import { type Change, type ChangeTable, nodesTable } from "../tables.ts";
import type { ArchivedChange, ArchivedNode, ArchivedRow } from "./rows.ts";

/** The history in an archive. */
export interface HistorySource {
  /** To be read once. */
  readonly rows: () => AsyncIterable<ArchivedRow>;
  /** When the archive was made; undefined: it does not say. */
  readonly exported: Timestamp | undefined;
  /** Called for what is not restored, with the reason. */
  readonly onLeftOut: (certname: string, reason: string) => void;
}

/** The store that a history is restored into, after the documents of the archive. */
export interface Target {
  readonly tx: Transaction;
  /** Whether it had no nodes before the archive. */
  readonly wasEmpty: boolean;
  readonly nodes: Iterable<{ readonly id: number }>;
  readonly idOf: (certname: string) => number | undefined;
  /** Writes resources and edges that are not in the dictionaries. */
  readonly writeItems: (catalogs: readonly Pick<PreparedCatalog, "resources" | "edges">[]) => Promise<ItemIds>;
  readonly now: Timestamp;
}

/** Rows and times of documents that are written together. */
const BATCH = 20_000;

/**
 * Restores the history of an archive. A store that was empty before has its history since then; without one, since the archive
 * was made. That of a node replaces what is recorded in its time, if it has all documents that are
 * recorded: else it would lose some of them.
 */
export async function restoreHistory(target: Target, { rows, exported, onLeftOut }: HistorySource): Promise<void> {
  const { tx, wasEmpty, now } = target;
  const began = await historyBegan(tx);
  let begun: Timestamp | undefined;
  const restored = new Restored(target, onLeftOut);
  for await (const row of rows()) {
    if (began === undefined && !wasEmpty) {
      onLeftOut("all nodes", "no changes are recorded here");
      return;
    }
    if (row.kind === "begun") {
      begun = row.at < now ? row.at : now;
      restored.from = wasEmpty ? undefined : begun;
    } else {
      await restored.add(row);
    }
  }
  await restored.end();
  if (restored.nodes.size === 0 && begun === undefined) {
    if (wasEmpty && began !== undefined && exported !== undefined && exported < began) {
      await setHistoryBegan(tx, exported);
    }
    return;
  }
  if (wasEmpty) await setHistoryBegan(tx, begun ?? now);
  else if (begun !== undefined && began !== undefined && begun < began && hasAll(restored.nodes, target)) {
    await setHistoryBegan(tx, begun);
  }
}

function hasAll(restored: Restored["nodes"], { nodes }: Target): boolean {
  const ids = new Set(restored.values());
  for (const { id } of nodes) if (!ids.has(id)) return false;
  return true;
}

/** Nodes whose history is restored, and rows that are not written yet. */
class Restored {
  /** What is recorded of the nodes since then is replaced; undefined: all of it. */
  from: Timestamp | undefined;
  /** Ids of nodes by their names; undefined: it is left out. */
  readonly nodes = new Map<string, number | undefined>();
  readonly #target: Target;
  readonly #onLeftOut: HistorySource["onLeftOut"];
  #found: { readonly id: number; readonly node: ArchivedNode }[] = [];
  #changes = new Map<ChangeTable, ArchivedChange[]>();
  #count = 0;
  /** Nodes that were inactive. An archive does not say so, so that they become active now, after all other changes. */
  readonly #activated: Change[] = [];

  constructor(target: Target, onLeftOut: HistorySource["onLeftOut"]) {
    this.#target = target;
    this.#onLeftOut = onLeftOut;
    this.from = target.wasEmpty ? undefined : target.now;
  }

  async add(row: Extract<ArchivedRow, { kind: "node" | "change" }>): Promise<void> {
    if (row.kind === "node") this.#addNode(row.node);
    else this.#addChange(row.table, row.change);
    if (this.#count >= BATCH) await this.#write();
  }

  #addNode(node: ArchivedNode): void {
    const { certname } = node;
    const id = this.#target.idOf(certname);
    if (id === undefined) return;
    if (this.nodes.has(certname)) {
      this.#onLeftOut(certname, "the archive has another one of this node");
      return;
    }
    this.nodes.set(certname, id);
    this.#found.push({ id, node });
    this.#count += 1 + node.facts.length + node.catalog.length;
  }

  #addChange(table: ChangeTable, change: ArchivedChange): void {
    const { certname, changed } = change;
    if (this.from !== undefined && changed < this.from) return;
    if (!this.nodes.has(certname)) {
      if (this.#target.idOf(certname) !== undefined) this.#onLeftOut(certname, "a change comes before the node");
      return;
    }
    const changes = this.#changes.get(table);
    if (changes === undefined) this.#changes.set(table, [change]);
    else changes.push(change);
    this.#count++;
  }

  /** To be called after the last row. */
  async end(): Promise<void> {
    await this.#write();
    await append(this.#target.tx, nodesTable.name, this.#activated, nodesTable.cells);
  }

  /** Writes what was added. */
  async #write(): Promise<void> {
    await this.#writeNodes(this.#found);
    await this.#writeChanges(this.#changes);
    this.#found = [];
    this.#changes = new Map();
    this.#count = 0;
  }

  async #writeNodes(found: readonly { readonly id: number; readonly node: ArchivedNode }[]): Promise<void> {
    const { tx, now } = this.#target;
    const unknown = await this.#withOtherDocuments(found);
    const restored = found.filter(({ id, node: { certname } }) => {
      if (!unknown.has(id)) return true;
      this.#onLeftOut(certname, "the store has documents of it that the archive does not know");
      this.nodes.set(certname, undefined);
      return false;
    });
    if (restored.length === 0) return;
    const ids = restored.map(({ id }) => id);
    await forgetSince(tx, ids, this.from);
    const times = new DocumentTimes();
    for (const {
      id,
      node: { state, ...documents },
    } of restored) {
      for (const kind of ["facts", "catalog"] as const) {
        for (const produced of documents[kind]) {
          if (this.from === undefined || produced >= this.from) {
            times.note({ node: id, isCatalog: kind === "catalog", produced });
          }
        }
      }
      const change = { name: "state", before: state, after: "active", changed: now, transaction: null };
      if (state !== "active") this.#activated.push({ ...change, node: id });
    }
    await times.write(tx);
  }

  /** Ids of nodes of which documents are recorded that the archive does not have, of the time that is replaced. */
  async #withOtherDocuments(
    found: readonly { readonly id: number; readonly node: ArchivedNode }[],
  ): Promise<ReadonlySet<number>> {
    if (this.from === undefined) return new Set();
    const known = new Map(
      found.map(({ id, node: { facts, catalog } }) => [
        id,
        new Set([...facts.map((at) => documentKey(false, at)), ...catalog.map((at) => documentKey(true, at))]),
      ]),
    );
    const rows = await this.#target.tx.rows<{ node: number; isCatalog: boolean; produced: Timestamp }>(
      `SELECT DISTINCT node_id AS node, is_catalog AS "isCatalog", epoch_us(produced) AS produced FROM history_documents
        WHERE produced >= $1 AND ${isOneOf("node_id", [...known.keys()])}`,
      [{ micros: this.from }],
    );
    const others = rows.filter(
      ({ node, isCatalog, produced }) => known.get(node)?.has(documentKey(isCatalog, produced)) === false,
    );
    return new Set(others.map(({ node }) => node));
  }

  async #writeChanges(found: ReadonlyMap<ChangeTable, readonly ArchivedChange[]>): Promise<void> {
    const { tx, writeItems } = this.#target;
    for (const [table, all] of found) {
      const changes = all.flatMap((change) => {
        const node = this.nodes.get(change.certname);
        return node === undefined ? [] : [{ ...change, node }];
      });
      const items = changes.flatMap((change) => change.items ?? []);
      const ids = items.length === 0 ? undefined : await writeItems(items);
      await append(tx, table.name, changes, (change) => table.cells(ids === undefined ? change : withIds(change, ids)));
    }
  }
}

/** In milliseconds, as documents in archives have their times. */
function documentKey(isCatalog: boolean, produced: Timestamp): string {
  return `${isCatalog} ${produced / 1000n}`;
}

/** A change of a resource or an edge with its ids in place of digests. */
function withIds<C extends Change & ArchivedChange>(change: C, ids: ItemIds): C {
  const idOf = (digest: string | undefined): string | undefined => digest && String(ids.resource(digest));
  if (change.items?.edges.length !== 0) return { ...change, name: String(ids.edge(change.name)) };
  return { ...change, before: idOf(change.before), after: idOf(change.after) };
}
