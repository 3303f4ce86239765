import { deleteRowsOf } from "../../engine/rows-of-ids.ts";
import type { Transaction } from "../../engine/transaction.ts";
import { beginCatalogs, type ItemIds, recordCatalogs, type ReplacedCatalogs } from "../../history/catalog-recorder.ts";
import type { CatalogIds } from "../../history/stored-catalogs.ts";
import type { PreparedCatalog, PreparedEdge, PreparedResource } from "../prepared.ts";
import { Yielder } from "../yielder.ts";
import { append, type Cells } from "./append.ts";
import { type Batch, replacedNodes } from "./batch.ts";
import { Dictionary, type Resolved } from "./dictionary.ts";
import { digestNumbers } from "./digest-ids.ts";
import { SpacedRows } from "./spaced-rows.ts";

/** Writes catalogs. */
export class CatalogsWriter {
  readonly #resources = new Dictionary("resources", "digest", { isDigest: true });
  readonly #edges = new Dictionary("edges", "digest", { isDigest: true });

  /** Forgets the ids of resources and edges, and what is known of the tables. */
  clear(): void {
    this.#resources.clear();
    this.#edges.clear();
  }

  /** Forgets the ids, because rows were deleted. */
  clearIds(): void {
    this.#resources.clearIds();
    this.#edges.clearIds();
  }

  /** See {@link Dictionary.preload}. */
  async preload(tx: Transaction): Promise<void> {
    for (const dictionary of [this.#resources, this.#edges]) await dictionary.preload(tx);
  }

  /** @param isRecorded whether changes are recorded */
  async write(tx: Transaction, { catalogs }: Batch, isRecorded: boolean): Promise<void> {
    if (catalogs.size === 0) return;
    const recorded: ReplacedCatalogs = isRecorded ? await beginCatalogs(tx, catalogs) : new Map();
    const replaced = replacedNodes(catalogs);
    await deleteRowsOf(tx, "catalog_resources", "node_id", replaced);
    await deleteRowsOf(tx, "catalog_edges", "node_id", replaced);

    const ids = await this.writeItems(
      tx,
      [...catalogs.values()].map(({ data }) => data),
      [...recorded.values()],
    );
    const yielder = new Yielder();
    const resourceRows = await tx.appender("catalog_resources");
    const edgeRows = await tx.appender("catalog_edges");
    for (const [node, { data }] of catalogs) {
      for (const [digest, , type] of data.resources) {
        resourceRows.row(node, ids.resource(digest), type);
        if (yielder.isDue()) await yielder.yield();
      }
      for (const [digest] of data.edges) {
        edgeRows.row(node, ids.edge(digest));
        if (yielder.isDue()) await yielder.yield();
      }
    }
    resourceRows.close();
    edgeRows.close();
    await recordCatalogs(tx, catalogs, recorded, ids);
  }

  /**
   * Writes the resources and edges of catalogs that the dictionaries do not have yet.
   * @param replaced earlier catalogs of the nodes, with most of the same resources and edges
   * @returns the ids of all of them
   */
  async writeItems(
    tx: Transaction,
    catalogs: readonly Pick<PreparedCatalog, "resources" | "edges">[],
    replaced: readonly CatalogIds[] = [],
  ): Promise<ItemIds> {
    const resources = new Map<string, PreparedResource>();
    const edges = new Map<string, PreparedEdge>();
    const yielder = new Yielder();
    for (const data of catalogs) {
      for (const resource of data.resources) resources.set(resource[0], resource);
      if (yielder.isDue()) await yielder.yield();
      for (const edge of data.edges) edges.set(edge[0], edge);
    }
    const resourceIds = await this.#resources.resolve(
      tx,
      new Set(resources.keys()),
      replaced.flatMap((each) => each.resources),
    );
    await writeResources(tx, resourceIds, resources);
    const edgeIds = await this.#edges.resolve(
      tx,
      new Set(edges.keys()),
      replaced.flatMap((each) => each.edges),
    );
    await append(tx, "edges", edgeIds.fresh, (digest) => [
      edgeIds.id(digest),
      ...(edges.get(digest) ?? []),
      ...digestNumbers(digest),
    ]);
    return { resource: (digest) => resourceIds.id(digest), edge: (digest) => edgeIds.id(digest) };
  }
}

async function writeResources(
  tx: Transaction,
  ids: Resolved,
  resources: ReadonlyMap<string, PreparedResource>,
): Promise<void> {
  if (ids.fresh.length === 0) return;
  const rows = new SpacedRows(await tx.appender("resources"));
  const parameters = new SpacedRows(await tx.appender("resource_parameters"));
  const yielder = new Yielder();
  for (const digest of ids.fresh) {
    const resource = resources.get(digest);
    if (resource === undefined) continue;
    if (yielder.isDue()) await yielder.yield();
    const id = ids.id(digest);
    const [cells, values] = [resource.slice(0, -1) as Cells, resource[9]];
    rows.row(id, ...cells, ...digestNumbers(digest));
    for (let at = 0; at < values.length; at += 3) parameters.row(id, ...values.slice(at, at + 3));
  }
  rows.close();
  parameters.close();
}
