import { isOneOf } from "../../engine/rows-of-ids.ts";
import type { Transaction } from "../../engine/transaction.ts";
import type { PreparedCatalog } from "../../ingest/prepared.ts";
import { append } from "../../ingest/write/append.ts";
import type { Timestamp } from "../../time.ts";
import type { ItemIds } from "../catalog-recorder.ts";
import { DocumentTimes } from "../document-times.ts";
import { forgetSince, historyBegan, setHistoryBegan } from "../state.ts";
import {
  type Change,
  type ChangeTable,
  edgesTable,
  factsTable,
  nodesTable,
  packagesTable,
  resourceKey,
  resourcesTable,
} from "../tables.ts";
import type { ArchivedChange, NodeHistory } from "./document.ts";

/** A part of the history in an archive. */
export type HistoryMember =
  /** When the archive was made; before all others. */
  | { readonly kind: "exported"; readonly at: Timestamp }
  | { readonly kind: "state"; readonly begun: Timestamp }
  | { readonly kind: "node"; readonly history: NodeHistory };

/** The history in an archive. */
export interface HistorySource {
  /** To be read once. */
  readonly members: () => AsyncIterable<HistoryMember>;
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

interface Restored {
  readonly node: number;
  readonly history: NodeHistory;
}

/** Nodes whose histories are written together. */
const BATCH = 100;

/**
 * Restores the history of an archive. A store that was empty before has its history since then; without one, since the archive
 * was made. That of a node replaces what is recorded in its time, if it has all documents that are
 * recorded: else it would lose some of them.
 */
export async function restoreHistory(target: Target, { members, onLeftOut }: HistorySource): Promise<void> {
  const { tx, wasEmpty, idOf, now } = target;
  const began = await historyBegan(tx);
  let begun: Timestamp | undefined;
  let exported: Timestamp | undefined;
  const seen = new Set<number>();
  const waiting: Restored[] = [];
  const write = async (): Promise<void> => {
    const from = wasEmpty ? undefined : (begun ?? now);
    await writeBatch(target, from, waiting.splice(0), onLeftOut);
  };
  for await (const member of members()) {
    if (member.kind === "exported") {
      exported = member.at;
      continue;
    }
    if (began === undefined && !wasEmpty) {
      onLeftOut("all nodes", "no changes are recorded here");
      return;
    }
    if (member.kind === "state") {
      begun = member.begun < now ? member.begun : now;
      continue;
    }
    const { certname } = member.history;
    const node = idOf(certname);
    if (node === undefined) continue;
    if (seen.has(node)) onLeftOut(certname, "the archive has another one of this node");
    else waiting.push({ node, history: member.history });
    seen.add(node);
    if (waiting.length >= BATCH) await write();
  }
  await write();
  if (seen.size === 0 && begun === undefined) {
    if (wasEmpty && began !== undefined && exported !== undefined && exported < began) {
      await setHistoryBegan(tx, exported);
    }
    return;
  }
  if (wasEmpty) await setHistoryBegan(tx, begun ?? now);
  else if (begun !== undefined && began !== undefined && begun < began && hasAll(seen, target.nodes)) {
    await setHistoryBegan(tx, begun);
  }
}

function hasAll(restored: ReadonlySet<number>, nodes: Target["nodes"]): boolean {
  for (const { id } of nodes) if (!restored.has(id)) return false;
  return true;
}

/** @param from what is recorded of the nodes since then is replaced; undefined: all of it */
async function writeBatch(
  { tx, writeItems, now }: Target,
  from: Timestamp | undefined,
  batch: readonly Restored[],
  onLeftOut: HistorySource["onLeftOut"],
): Promise<void> {
  const unknown = from === undefined ? new Set<number>() : await withOtherDocuments(tx, from, batch);
  for (const { node, history } of batch) {
    if (unknown.has(node)) onLeftOut(history.certname, "the store has documents of it that the archive does not know");
  }
  const restored = batch.filter(({ node }) => !unknown.has(node));
  if (restored.length === 0) return;
  const ids = await writeItems(restored.map(({ history }) => itemsOf(history)));
  await forgetSince(
    tx,
    restored.map(({ node }) => node),
    from,
  );
  const rows = (table: ChangeTable, changesOf: (history: NodeHistory) => readonly ArchivedChange[]) => {
    const changes = restored.flatMap(({ node, history }) =>
      changesOf(history)
        .filter(({ changed }) => from === undefined || changed >= from)
        .map((change): Change => ({ ...change, node })),
    );
    return append(tx, table.name, changes, table.cells);
  };
  await rows(factsTable, ({ facts }) => facts);
  await rows(packagesTable, ({ packages }) => packages);
  await rows(nodesTable, (history) => [...history.values, ...activation(history, now)]);
  await rows(resourcesTable, ({ resources }) =>
    resources.map(({ before, after, changed, transaction }) => {
      const [, , type = "", title = ""] = after ?? before ?? [];
      const idOf = (row: typeof before) => (row === undefined ? undefined : String(ids.resource(row[0])));
      return { name: resourceKey(type, title), before: idOf(before), after: idOf(after), changed, transaction };
    }),
  );
  await rows(edgesTable, ({ edges }) =>
    edges.map(({ before, after, changed, transaction }) => {
      const name = String(ids.edge((after ?? before)?.[0] ?? ""));
      const side = (row: typeof before) => (row === undefined ? undefined : "");
      return { name, before: side(before), after: side(after), changed, transaction };
    }),
  );
  const times = new DocumentTimes();
  for (const { node, history } of restored) {
    for (const { isCatalog, produced } of history.documents) {
      if (from === undefined || produced >= from) times.note({ node, isCatalog, produced });
    }
  }
  await times.write(tx);
}

function itemsOf({ resources, edges }: NodeHistory): Pick<PreparedCatalog, "resources" | "edges"> {
  return { resources: bothSides(resources), edges: bothSides(edges) };
}

function bothSides<T>(items: readonly { readonly before: T | undefined; readonly after: T | undefined }[]): T[] {
  return items.flatMap(({ before, after }) => [before, after].filter((item) => item !== undefined));
}

/** An archive does not say that nodes are inactive, so that those in it become active now. */
function activation({ state }: NodeHistory, now: Timestamp): ArchivedChange[] {
  return state === "active" ? [] : [{ name: "state", before: state, after: "active", changed: now, transaction: null }];
}

/** Nodes of which documents are recorded since a time that their histories do not have. */
async function withOtherDocuments(
  tx: Transaction,
  from: Timestamp,
  batch: readonly Restored[],
): Promise<ReadonlySet<number>> {
  const known = new Map(
    batch.map(({ node, history }) => [
      node,
      new Set(history.documents.map(({ isCatalog, produced }) => documentKey(isCatalog, produced))),
    ]),
  );
  const rows = await tx.rows<{ node: number; isCatalog: boolean; produced: Timestamp }>(
    `SELECT DISTINCT node_id AS node, is_catalog AS "isCatalog", epoch_us(produced) AS produced FROM history_documents
      WHERE produced >= $1 AND ${isOneOf("node_id", [...known.keys()])}`,
    [{ micros: from }],
  );
  const others = rows.filter(
    ({ node, isCatalog, produced }) => known.get(node)?.has(documentKey(isCatalog, produced)) === false,
  );
  return new Set(others.map(({ node }) => node));
}

/** In milliseconds, as documents in archives have their times. */
function documentKey(isCatalog: boolean, produced: Timestamp): string {
  return `${isCatalog} ${produced / 1000n}`;
}
