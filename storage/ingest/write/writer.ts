import { deleteRowsOf } from "../../engine/delete-rows.ts";
import type { Transaction } from "../../engine/transaction.ts";
import { Batch, replacedNodes } from "./batch.ts";
import { takeCatalog, takeExpiration, takeFacts, takeInputs, takeReport } from "./decide.ts";
import { Dictionary, Names } from "./dictionary.ts";
import { pathKeySql, pathRow } from "../fact-paths.ts";
import { factTable, factTables } from "./fact-tables.ts";
import { activate, deactivate, type NodeRow } from "../../nodes/node-row.ts";
import { Nodes } from "../../nodes/node-index.ts";
import type { Outcome } from "../outcome.ts";
import { Pace } from "../yielder.ts";
import type { Prepared, PreparedCatalog, PreparedEdge, PreparedFacts, PreparedResource } from "../prepared.ts";
import type { Submission } from "../submission.ts";
import { StoredReports, type WriteOptions, writeReports } from "./reports.ts";

/** SQL of the text that identifies a package. */
const PACKAGE_KEY = "concat_ws(chr(1), name, version, provider)";

/** What the writer remembers of the tables between batches. */
export interface Memory {
  /** The rows of `nodes`, all of them. */
  readonly nodes: Nodes;
  /** Forgets the ids of resources, edges, packages and fact paths, and the names of environments and producers. */
  forgetDictionaries(): void;
  /** Forgets everything, where the tables have become others altogether. */
  forget(): void;
}

/**
 * Turns batches of prepared commands into rows: decides for each command whether it is stale, unchanged or new
 * (`reference/commands.md §4`), then touches each table once per batch.
 */
export class Writer implements Memory {
  readonly nodes = new Nodes();
  readonly #paths = new Dictionary("fact_paths", pathKeySql);
  readonly #resources = new Dictionary("resources", "digest");
  readonly #edges = new Dictionary("edges", "digest");
  readonly #packages = new Dictionary("packages", PACKAGE_KEY);
  readonly #environments = new Names("environments");
  readonly #producers = new Names("producers");
  readonly #reports = new StoredReports();
  #nextReport: bigint | undefined;

  /** Forgets what it knows of the tables: after a rollback they are not what it remembers. */
  forget(): void {
    this.nodes.forget();
    this.forgetDictionaries();
    this.#reports.forget();
    this.#nextReport = undefined;
  }

  forgetDictionaries(): void {
    for (const memory of [
      this.#paths,
      this.#resources,
      this.#edges,
      this.#packages,
      this.#environments,
      this.#producers,
    ]) {
      memory.forget();
    }
  }

  /** What the present data of a command's node are told by, as far as its certname tells the node. */
  contentFor({ certname, command }: Pick<Submission, "certname" | "command">): string | undefined {
    return this.nodes.content(certname, command);
  }

  /**
   * Which of the commands are abridged to a content that their node may not have when their turn comes: those must be
   * prepared in full.
   */
  lacking(commands: readonly Prepared[]): number[] {
    const changing = new Set<string>();
    return commands.flatMap((command, index) => {
      if (!("isAbridged" in command)) return [];
      const key = `${command.command}\0${command.certname}`;
      if (command.content !== this.nodes.content(command.certname, command.command)) changing.add(key);
      return command.isAbridged && changing.has(key) ? [index] : [];
    });
  }

  /** @returns what became of each command, in their order */
  async write(tx: Transaction, commands: readonly Prepared[], options: WriteOptions): Promise<Outcome[]> {
    const { storesCorrectiveChange } = options;
    await this.nodes.load(tx);
    const knownReports = await this.#reports.hashesOf(tx, commands, this.nodes);
    let reportId = await this.#firstReportId(tx);
    const batch = new Batch();
    const outcomes = commands.map((command): Outcome => {
      // Empty inputs change nothing and make no node known (`reference/commands.md §3.5`).
      if (command.command === "replace catalog inputs" && command.inputs.length === 0) return "unchanged";
      const node = this.nodes.change(command.certname);
      if (command.command === "deactivate node") return deactivate(node, command.producerTimestamp);
      activate(node, command.producerTimestamp);
      switch (command.command) {
        case "replace facts":
          return this.#taken(node, command, takeFacts(batch, node, command));
        case "replace catalog":
          return this.#taken(node, command, takeCatalog(batch, node, command));
        case "replace catalog inputs":
          return takeInputs(batch, node, command);
        case "configure expiration":
          return takeExpiration(node, command.expireFacts, command.producerTimestamp);
        case "store report": {
          if (knownReports.has(command.meta.hash)) return "duplicate";
          knownReports.add(command.meta.hash);
          return takeReport(batch, node, command, { id: reportId++, storesCorrectiveChange });
        }
      }
    });
    this.#nextReport = reportId;
    await this.#writeFacts(tx, batch);
    await this.#writeCatalogs(tx, batch);
    await this.#writeInputs(tx, batch);
    await writeReports(tx, batch, options);
    await this.#environments.add(tx, batch.environments);
    await this.#producers.add(tx, batch.producers);
    await this.nodes.write(tx);
    return outcomes;
  }

  #taken(node: NodeRow, command: PreparedFacts | PreparedCatalog, outcome: Outcome): Outcome {
    if (outcome !== "stale") this.nodes.keepContent(node, command.command, command.content);
    return outcome;
  }

  async #firstReportId(tx: Transaction): Promise<bigint> {
    if (this.#nextReport === undefined) {
      const [row] = await tx.rows<{ next: bigint }>("SELECT coalesce(max(id), 0)::BIGINT + 1 AS next FROM reports");
      this.#nextReport = row?.next ?? 1n;
    }
    return this.#nextReport;
  }

  async #writeFacts(tx: Transaction, { facts }: Batch): Promise<void> {
    if (facts.size === 0) return;
    const replaced = replacedNodes(facts);
    const dropped = await packagesOf(tx, replaced);
    for (const table of [...factTables, "fact_leaves", "node_packages"])
      await deleteRowsOf(tx, table, "node_id", replaced);

    const keys = new Set<string>();
    for (const { data } of facts.values()) {
      for (const [path] of data.leaves) keys.add(path);
      for (const path of data.structured) keys.add(path);
    }
    const paths = await this.#paths.resolve(tx, keys);
    await append(tx, "fact_paths", paths.fresh, (key) => [paths.id(key), ...pathRow(key)]);

    const factRows = {
      short_facts: await tx.appender("short_facts"),
      long_facts: await tx.appender("long_facts"),
    };
    const leafRows = await tx.appender("fact_leaves");
    const pace = new Pace();
    for (const [node, { data }] of facts) {
      for (const [name, value, key] of data.facts) {
        factRows[factTable(value)].row(node, name, value, key);
        if (pace.isDue()) await pace.rest();
      }
      for (const [path, value, key] of data.leaves) {
        leafRows.row(node, paths.id(path), value, key);
        if (pace.isDue()) await pace.rest();
      }
    }
    for (const table of factTables) factRows[table].close();
    leafRows.close();
    await this.#writePackages(tx, facts);
    await this.#dropPackages(tx, dropped);
  }

  async #writePackages(tx: Transaction, facts: Batch["facts"]): Promise<void> {
    const known = new Map<string, readonly string[]>();
    for (const { data } of facts.values()) for (const tuple of data.packages) known.set(tuple.join("\u0001"), tuple);
    if (known.size === 0) return;
    const packages = await this.#packages.resolve(tx, new Set(known.keys()));
    await append(tx, "packages", packages.fresh, (key) => [packages.id(key), ...(known.get(key) ?? [])]);
    const rows = await tx.appender("node_packages");
    for (const [node, { data }] of facts) {
      for (const tuple of data.packages) rows.row(node, packages.id(tuple.join("\u0001")));
    }
    rows.close();
  }

  /** A package that no node has any more goes with the fact set that had it last (`reference/lifecycle.md §6`). */
  async #dropPackages(tx: Transaction, ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    const gone = await tx.rows<{ key: string }>(
      `DELETE FROM packages WHERE id IN (
         SELECT unnest($1::INTEGER[]) EXCEPT SELECT package_id FROM node_packages) RETURNING ${PACKAGE_KEY} AS key`,
      [`[${ids.join(",")}]`],
    );
    this.#packages.drop(gone.map(({ key }) => key));
  }

  async #writeCatalogs(tx: Transaction, { catalogs }: Batch): Promise<void> {
    if (catalogs.size === 0) return;
    const replaced = replacedNodes(catalogs);
    await deleteRowsOf(tx, "catalog_resources", "node_id", replaced);
    await deleteRowsOf(tx, "catalog_edges", "node_id", replaced);

    const resources = new Map<string, PreparedResource>();
    const edges = new Map<string, PreparedEdge>();
    const pace = new Pace();
    for (const { data } of catalogs.values()) {
      for (const resource of data.resources) resources.set(resource[0], resource);
      if (pace.isDue()) await pace.rest();
      for (const edge of data.edges) edges.set(edge[0], edge);
    }
    const resourceIds = await this.#resources.resolve(tx, new Set(resources.keys()));
    await writeResources(tx, resourceIds, resources);
    const edgeIds = await this.#edges.resolve(tx, new Set(edges.keys()));
    await append(tx, "edges", edgeIds.fresh, (digest) => [edgeIds.id(digest), ...(edges.get(digest) ?? [])]);

    const resourceRows = await tx.appender("catalog_resources");
    const edgeRows = await tx.appender("catalog_edges");
    for (const [node, { data }] of catalogs) {
      for (const [digest, , type] of data.resources) {
        resourceRows.row(node, resourceIds.id(digest), type);
        if (pace.isDue()) await pace.rest();
      }
      for (const [digest] of data.edges) {
        edgeRows.row(node, edgeIds.id(digest));
        if (pace.isDue()) await pace.rest();
      }
    }
    resourceRows.close();
    edgeRows.close();
  }

  async #writeInputs(tx: Transaction, { inputs }: Batch): Promise<void> {
    await deleteRowsOf(tx, "catalog_inputs", "node_id", replacedNodes(inputs));
    const rows = [...inputs].flatMap(([node, { data }]) => data.inputs.map((input) => [node, ...input] as const));
    await append(tx, "catalog_inputs", rows, (row) => row);
  }
}

/** The packages that the given nodes have so far. */
async function packagesOf(tx: Transaction, nodes: readonly number[]): Promise<number[]> {
  if (nodes.length === 0) return [];
  const rows = await tx.rows<{ id: number }>(
    "SELECT DISTINCT package_id AS id FROM node_packages WHERE node_id IN (SELECT unnest($1::INTEGER[]))",
    [`[${nodes.join(",")}]`],
  );
  return rows.map(({ id }) => id);
}

type Cells = Parameters<Awaited<ReturnType<Transaction["appender"]>>["row"]>;

async function append<T>(
  tx: Transaction,
  table: string,
  items: readonly T[],
  cells: (item: T) => readonly Cells[number][],
): Promise<void> {
  if (items.length === 0) return;
  const rows = await tx.appender(table);
  const pace = new Pace();
  for (const item of items) {
    rows.row(...cells(item));
    if (pace.isDue()) await pace.rest();
  }
  rows.close();
}

async function writeResources(
  tx: Transaction,
  ids: { id(key: string): number; fresh: string[] },
  resources: ReadonlyMap<string, PreparedResource>,
): Promise<void> {
  if (ids.fresh.length === 0) return;
  const rows = await tx.appender("resources");
  const parameters = await tx.appender("resource_parameters");
  const pace = new Pace();
  for (const digest of ids.fresh) {
    const resource = resources.get(digest);
    if (resource === undefined) continue;
    if (pace.isDue()) await pace.rest();
    const id = ids.id(digest);
    const [cells, values] = [resource.slice(0, -1) as Cells, resource[9]];
    rows.row(id, ...cells);
    for (let at = 0; at < values.length; at += 3) parameters.row(id, ...values.slice(at, at + 3));
  }
  rows.close();
  parameters.close();
}
