import type { Transaction } from "../engine/transaction.ts";
import type { PreparedCatalog } from "../ingest/prepared.ts";
import { append } from "../ingest/write/append.ts";
import { type Batch, replacedNodes } from "../ingest/write/batch.ts";
import { Yielder } from "../ingest/yielder.ts";
import { type Difference, differences, type State } from "./differences.ts";
import { type CatalogIds, readCatalogs, resourceNames } from "./stored-catalogs.ts";
import { type Change, edgesTable, resourceKey, resourcesTable } from "./tables.ts";

/** The ids of resources and edges of catalogs, by their digests. */
export interface ItemIds {
  readonly resource: (digest: string) => number;
  readonly edge: (digest: string) => number;
}

/** Catalogs before they are replaced, by the node's id. */
export type ReplacedCatalogs = ReadonlyMap<number, CatalogIds>;

/**
 * To be called before catalogs are replaced.
 * @returns what {@link recordCatalogs} needs
 */
export async function beginCatalogs(tx: Transaction, catalogs: Batch["catalogs"]): Promise<ReplacedCatalogs> {
  const nodes = replacedNodes(catalogs);
  if (nodes.length === 0) return new Map();
  const read = await readCatalogs(tx, nodes);
  return new Map(nodes.map((node) => [node, read(node)]));
}

/** What only one of two catalogs has. */
interface Replacement {
  readonly node: number;
  readonly data: PreparedCatalog;
  /** Ids of resources by their names. */
  readonly came: State;
  readonly gone: ReadonlySet<number>;
  readonly edges: readonly Difference[];
}

/** Records which resources and edges of nodes have changed; to be called when the catalogs have been replaced. */
export async function recordCatalogs(
  tx: Transaction,
  catalogs: Batch["catalogs"],
  replaced: ReplacedCatalogs,
  ids: ItemIds,
): Promise<void> {
  if (replaced.size === 0) return;
  const found: Replacement[] = [];
  const yielder = new Yielder();
  for (const [node, before] of replaced) {
    const data = catalogs.get(node)?.data;
    if (data !== undefined) found.push(replacement(node, before, data, ids));
    if (yielder.isDue()) await yielder.yield();
  }
  const names = await resourceNames(
    tx,
    found.flatMap(({ gone }) => [...gone]),
  );
  const resources = found.flatMap((each) => {
    const gone = new Map([...each.gone].map((id) => [names.get(id) ?? "", String(id)]));
    return changesOf(each, differences(gone, each.came));
  });
  await append(tx, resourcesTable.name, resources, resourcesTable.cells);
  const edges = found.flatMap((each) => changesOf(each, each.edges));
  await append(tx, edgesTable.name, edges, edgesTable.cells);
}

function replacement(node: number, before: CatalogIds, data: PreparedCatalog, ids: ItemIds): Replacement {
  const had = new Set(before.resources);
  const gone = new Set(had);
  const came = new Map<string, string>();
  for (const [digest, , type, title] of data.resources) {
    const id = ids.resource(digest);
    if (!had.has(id)) came.set(resourceKey(type, title), String(id));
    gone.delete(id);
  }
  const edges = differences(edgeState(before.edges), edgeState(data.edges.map(([digest]) => ids.edge(digest))));
  return { node, data, came, gone, edges };
}

/** The edges of a catalog by their ids. */
export function edgeState(ids: readonly number[]): State {
  return new Map(ids.map((id) => [String(id), ""]));
}

function changesOf({ node, data }: Replacement, found: readonly Difference[]): Change[] {
  const { producerTimestamp: changed, meta } = data;
  return found.map((difference) => ({ ...difference, node, changed, transaction: meta.transaction_uuid }));
}
