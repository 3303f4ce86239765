import type { Transaction } from "../engine/transaction.ts";
import type { PreparedCatalog, PreparedFacts } from "../ingest/prepared.ts";
import { append } from "../ingest/write/append.ts";
import type { NodeRow } from "../nodes/columns.ts";
import type { Timestamp } from "../time.ts";
import { edgeState, type ItemIds } from "./catalog-recorder.ts";
import type { State } from "./differences.ts";
import { DocumentTimes, readNeighbours } from "./document-times.ts";
import type { FactRecorder } from "./fact-recorder.ts";
import { insertion, type LateDocument, type RecordedChange } from "./insertion.ts";
import { type NodeValues, ofCatalog, ofFacts, valuesOf } from "./node-recorder.ts";
import { packagesOf, versionsOf } from "./packages.ts";
import { historyBegan } from "./state.ts";
import { readCatalogs, resourceNames } from "./stored-catalogs.ts";
import { recordedValues } from "./stored-facts.ts";
import {
  type ChangeTable,
  edgesTable,
  factsTable,
  nodesTable,
  packagesTable,
  resourceKey,
  resourcesTable,
} from "./tables.ts";

/** A fact set or catalog that is older than the stored one of its node. */
export interface LateData {
  readonly node: NodeRow;
  readonly data: PreparedFacts | PreparedCatalog;
}

/** What one table records of a node: now, and in a late document. */
interface Part {
  readonly table: ChangeTable;
  readonly present: State;
  readonly content: State;
  /** Whether the changes of a name are those of the document's kind. */
  readonly includes: (name: string) => boolean;
}

/** Inserts late documents into the history. What is stored does not change. */
export class LateRecorder {
  readonly #facts: FactRecorder;

  constructor(facts: FactRecorder) {
    this.#facts = facts;
  }

  /** To be called when everything else of a batch is written. */
  async record(tx: Transaction, late: readonly LateData[], ids: ItemIds): Promise<void> {
    if (late.length === 0) return;
    const began = (await historyBegan(tx)) ?? 0n;
    for (const { node, data } of late) {
      const parts =
        data.command === "replace facts"
          ? await this.#partsOfFacts(tx, node, data)
          : await partsOfCatalog(tx, node, data, ids);
      await insert(tx, { node, data }, parts, began);
    }
  }

  async #partsOfFacts(tx: Transaction, node: NodeRow, data: PreparedFacts): Promise<readonly Part[]> {
    const { stored, volatile } = this.#facts;
    const present = (await stored.values(tx, [node.id])).get(node.id);
    const ids = (await stored.packages(tx, [node.id]))(node.id);
    const packages = [...(await packagesOf(tx, new Set(ids))).values()];
    return [
      {
        table: factsTable,
        present: present ?? new Map(),
        content: recordedValues(data, volatile),
        includes: (path) => !volatile.has(path),
      },
      {
        table: packagesTable,
        present: versionsOf(packages),
        content: versionsOf(data.packages),
        includes: () => true,
      },
      nodePart(node, ofFacts, { facts_environment: data.environment, facts_producer: data.producer }),
    ];
  }
}

async function partsOfCatalog(
  tx: Transaction,
  node: NodeRow,
  { meta, resources, edges }: PreparedCatalog,
  ids: ItemIds,
): Promise<readonly Part[]> {
  const present = (await readCatalogs(tx, [node.id]))(node.id);
  const names = await resourceNames(tx, present.resources);
  const content = resources.map(
    ([digest, , type, title]) => [resourceKey(type, title), String(ids.resource(digest))] as const,
  );
  return [
    {
      table: resourcesTable,
      present: new Map(present.resources.map((id) => [names.get(id) ?? "", String(id)])),
      content: new Map(content),
      includes: () => true,
    },
    {
      table: edgesTable,
      present: edgeState(present.edges),
      content: edgeState(edges.map(([digest]) => ids.edge(digest))),
      includes: () => true,
    },
    nodePart(node, ["catalog", ...ofCatalog], {
      catalog: meta.hash,
      environment: meta.environment,
      producer: meta.producer,
      code_id: meta.code_id,
    }),
  ];
}

function nodePart<Name extends keyof NodeValues>(
  node: NodeRow,
  names: readonly Name[],
  content: Readonly<Record<Name, string | null>>,
): Part {
  const present = valuesOf(node);
  const stateOf = (values: Readonly<Record<Name, string | null>>): State =>
    new Map(names.flatMap((name) => (values[name] === null ? [] : [[name, values[name]] as const])));
  const known: ReadonlySet<string> = new Set(names);
  return {
    table: nodesTable,
    present: stateOf(present),
    content: stateOf(content),
    includes: (name) => known.has(name),
  };
}

async function insert(
  tx: Transaction,
  { node, data }: LateData,
  parts: readonly Part[],
  began: Timestamp,
): Promise<void> {
  const isCatalog = data.command === "replace catalog";
  const at = data.producerTimestamp;
  const time = { node: node.id, isCatalog, produced: at };
  const neighbours = await readNeighbours(tx, time);
  const later: RecordedChange[][] = [];
  for (const { table } of parts) later.push(await changesAfter(tx, table, node.id, at));
  const arrival = later
    .flat()
    .find(({ name, before }) => name === (isCatalog ? "catalog" : "facts") && before === undefined);
  // What was before it is not known any more.
  if (arrival === undefined && !neighbours.hasEarlier && at < began) return;
  const stored = isCatalog ? node.catalog_producer_timestamp : node.facts_producer_timestamp;
  const next = arrival?.changed ?? neighbours.next ?? stored ?? at;
  const transaction = isCatalog ? data.meta.transaction_uuid : null;
  const document: Omit<LateDocument, "content"> = {
    at,
    transaction,
    next,
    nextTransaction: isCatalog ? await transactionAt(tx, node, next, later.flat()) : null,
    isFirst: arrival !== undefined,
  };
  for (const [index, { table, present, content, includes }] of parts.entries()) {
    const changes = (later[index] ?? []).filter(({ name }) => includes(name));
    const { deleted, added } = insertion(present, changes, { ...document, content });
    await deleteChanges(tx, table, deleted);
    await append(tx, table.name, added, (change) => table.cells({ ...change, node: node.id }));
  }
  if (arrival !== undefined) {
    if (!isCatalog) await deleteChanges(tx, nodesTable, [arrival.row]);
    const came = { name: arrival.name, before: undefined, after: isCatalog ? data.meta.hash : data.hash };
    const change = { ...came, node: node.id, changed: at, transaction };
    await append(tx, nodesTable.name, [change], nodesTable.cells);
  }
  const times = new DocumentTimes();
  times.note(time);
  await times.write(tx);
}

async function changesAfter(
  tx: Transaction,
  { name, columns }: ChangeTable,
  node: number,
  at: Timestamp,
): Promise<RecordedChange[]> {
  type Row = Record<"name", string> & Record<"before" | "after" | "transaction", string | null>;
  const rows = await tx.rows<Row & { row: bigint; changed: Timestamp }>(
    `SELECT rowid AS row, epoch_us(changed) AS changed, ${columns} FROM ${name}
      WHERE node_id = $1 AND changed > $2 ORDER BY ${name}.changed, rowid`,
    [node, { micros: at }],
  );
  return rows.map(({ before, after, ...row }) => ({ ...row, before: before ?? undefined, after: after ?? undefined }));
}

async function deleteChanges(tx: Transaction, { name }: ChangeTable, rows: readonly bigint[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.execute(name, `DELETE FROM ${name} WHERE rowid IN (${rows.join(",")})`);
}

/** The transaction of a catalog that may have changed nothing: of the stored one, or of the report that was being made. */
async function transactionAt(
  tx: Transaction,
  node: NodeRow,
  at: Timestamp,
  changes: readonly RecordedChange[],
): Promise<string | null> {
  if (node.catalog_producer_timestamp === at) return node.catalog_transaction_uuid;
  const recorded = changes.find(({ changed, transaction }) => changed === at && transaction !== null);
  if (recorded !== undefined) return recorded.transaction;
  const [report] = await tx.rows<{ transaction: string | null }>(
    `SELECT arg_min(transaction_uuid, hash) AS transaction FROM reports
      WHERE node_id = $1 AND id > 0 AND $2 BETWEEN start_time AND end_time`,
    [node.id, { micros: at }],
  );
  return report?.transaction ?? null;
}
