import type { Transaction } from "../engine/database.ts";
import type { Timestamp } from "../time.ts";
import { Batch, replacedNodes } from "./batch.ts";
import { Dictionary, Names } from "./dictionary.ts";
import { activate, deactivate, type NodeRow } from "./node-row.ts";
import { deleteOf, Nodes } from "./nodes.ts";
import type { Outcome } from "./outcome.ts";
import type {
  Prepared,
  PreparedCatalog,
  PreparedEdge,
  PreparedFacts,
  PreparedInputs,
  PreparedReport,
  PreparedResource,
} from "./prepare.ts";

export interface WriteOptions {
  /** Events at or before this moment are not stored; null stores all (`reference/commands.md §4.3`). */
  readonly eventHorizon: Timestamp | null;
}

/** The columns of fact_paths that follow from a path's dictionary key. */
interface PathCells {
  name: string;
  depth: number;
  elements: string[];
  kinds: string;
  json: string;
}

/**
 * Turns batches of prepared commands into rows: decides for each command whether it is stale, unchanged or new
 * (`reference/commands.md §4`), then touches each table once per batch.
 */
export class Writer {
  readonly #nodes = new Nodes();
  readonly #paths = new Dictionary("fact_paths", "type || chr(0) || path");
  readonly #resources = new Dictionary("resources", "digest");
  readonly #edges = new Dictionary("edges", "digest");
  readonly #packages = new Dictionary("packages", "concat_ws(chr(1), name, version, provider)");
  readonly #environments = new Names("environments");
  readonly #producers = new Names("producers");
  #nextReport: bigint | undefined;

  /** Forgets what it knows of the tables: after a rollback they are not what it remembers. */
  forget(): void {
    for (const memory of [
      this.#nodes,
      this.#paths,
      this.#resources,
      this.#edges,
      this.#packages,
      this.#environments,
      this.#producers,
    ]) {
      memory.forget();
    }
    this.#nextReport = undefined;
  }

  /** @returns what became of each command, in their order */
  async write(tx: Transaction, commands: readonly Prepared[], options: WriteOptions): Promise<Outcome[]> {
    await this.#nodes.load(tx);
    const knownReports = await storedReports(tx, commands);
    let reportId = await this.#firstReportId(tx);
    const batch = new Batch();
    const outcomes = commands.map((command): Outcome => {
      // Empty inputs change nothing and make no node known (`reference/commands.md §3.5`).
      if (command.command === "replace catalog inputs" && command.inputs.length === 0) return "unchanged";
      const node = this.#nodes.change(command.certname);
      if (command.command === "deactivate node") return deactivate(node, command.producerTimestamp);
      activate(node, command.producerTimestamp);
      switch (command.command) {
        case "replace facts":
          return takeFacts(batch, node, command);
        case "replace catalog":
          return takeCatalog(batch, node, command);
        case "replace catalog inputs":
          return takeInputs(batch, node, command);
        case "configure expiration":
          return takeExpiration(node, command.expireFacts, command.producerTimestamp);
        case "store report": {
          if (knownReports.has(command.meta.hash)) return "duplicate";
          knownReports.add(command.meta.hash);
          return takeReport(batch, node, command, reportId++);
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
    await this.#nodes.write(tx);
    return outcomes;
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
    for (const table of ["facts", "fact_leaves", "node_packages"]) await deleteOf(tx, table, "node_id", replaced);

    const keys = new Set<string>();
    for (const { data } of facts.values()) {
      for (const [path] of data.leaves) keys.add(path);
      for (const path of data.structured) keys.add(path);
    }
    const paths = await this.#paths.resolve(tx, keys);
    await append(tx, "fact_paths", paths.fresh, (key) => {
      const [type, path, cells] = pathCells(key);
      return [paths.id(key), path, cells.name, type, cells.depth, cells.elements, cells.kinds, cells.json];
    });

    const factRows = await tx.appender("facts");
    const leafRows = await tx.appender("fact_leaves");
    for (const [node, { data }] of facts) {
      for (const [name, value, key] of data.facts) factRows.row(node, name, value, key);
      for (const [path, value, key] of data.leaves) leafRows.row(node, paths.id(path), value, key);
    }
    factRows.close();
    leafRows.close();
    await this.#writePackages(tx, facts);
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

  async #writeCatalogs(tx: Transaction, { catalogs }: Batch): Promise<void> {
    if (catalogs.size === 0) return;
    const replaced = replacedNodes(catalogs);
    await deleteOf(tx, "catalog_resources", "node_id", replaced);
    await deleteOf(tx, "catalog_edges", "node_id", replaced);

    const resources = new Map<string, PreparedResource>();
    const edges = new Map<string, PreparedEdge>();
    for (const { data } of catalogs.values()) {
      for (const resource of data.resources) resources.set(resource[0], resource);
      for (const edge of data.edges) edges.set(edge[0], edge);
    }
    const resourceIds = await this.#resources.resolve(tx, new Set(resources.keys()));
    await writeResources(tx, resourceIds, resources);
    const edgeIds = await this.#edges.resolve(tx, new Set(edges.keys()));
    await append(tx, "edges", edgeIds.fresh, (digest) => [edgeIds.id(digest), ...(edges.get(digest) ?? [])]);

    const resourceRows = await tx.appender("catalog_resources");
    const edgeRows = await tx.appender("catalog_edges");
    for (const [node, { data }] of catalogs) {
      for (const [digest] of data.resources) resourceRows.row(node, resourceIds.id(digest));
      for (const [digest] of data.edges) edgeRows.row(node, edgeIds.id(digest));
    }
    resourceRows.close();
    edgeRows.close();
  }

  async #writeInputs(tx: Transaction, { inputs }: Batch): Promise<void> {
    await deleteOf(tx, "catalog_inputs", "node_id", replacedNodes(inputs));
    const rows = [...inputs].flatMap(([node, { data }]) => data.inputs.map((input) => [node, ...input] as const));
    await append(tx, "catalog_inputs", rows, (row) => row);
  }
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
  for (const item of items) rows.row(...cells(item));
  rows.close();
}

/** Equal producer timestamps replace; only an older one is stale. */
function takeFacts(batch: Batch, node: NodeRow, facts: PreparedFacts): Outcome {
  const stored = node.facts_producer_timestamp;
  if (stored !== null && stored > facts.producerTimestamp) return "stale";
  const isUnchanged = node.facts_hash === facts.hash;
  if (!isUnchanged) batch.replace(batch.facts, node, facts, node.facts_hash !== null);
  node.facts_environment = facts.environment;
  node.facts_producer = facts.producer;
  node.facts_hash = facts.hash;
  node.facts_timestamp = facts.received;
  node.facts_producer_timestamp = facts.producerTimestamp;
  batch.names(facts.environment, facts.producer);
  return isUnchanged ? "unchanged" : "stored";
}

function takeCatalog(batch: Batch, node: NodeRow, catalog: PreparedCatalog): Outcome {
  const stored = node.catalog_producer_timestamp;
  if (stored !== null && stored > catalog.producerTimestamp) return "stale";
  const { meta } = catalog;
  const isUnchanged = node.catalog_hash === meta.hash;
  if (!isUnchanged) batch.replace(batch.catalogs, node, catalog, node.catalog_hash !== null);
  node.catalog_environment = meta.environment;
  node.catalog_producer = meta.producer;
  node.catalog_hash = meta.hash;
  node.catalog_timestamp = catalog.received;
  node.catalog_producer_timestamp = catalog.producerTimestamp;
  node.catalog_version = meta.version;
  node.catalog_transaction_uuid = meta.transaction_uuid;
  node.catalog_uuid = meta.catalog_uuid;
  node.catalog_code_id = meta.code_id;
  node.catalog_job_id = meta.job_id;
  batch.names(meta.environment, meta.producer);
  return isUnchanged ? "unchanged" : "stored";
}

/** Unlike facts and catalogs, inputs of the same producer timestamp are stale. */
function takeInputs(batch: Batch, node: NodeRow, inputs: PreparedInputs): Outcome {
  const stored = node.inputs_producer_timestamp;
  if (stored !== null && stored >= inputs.producerTimestamp) return "stale";
  batch.replace(batch.inputs, node, inputs, stored !== null);
  node.inputs_hash = inputs.hash;
  node.inputs_uuid = inputs.catalogUuid;
  node.inputs_producer_timestamp = inputs.producerTimestamp;
  return "stored";
}

function takeExpiration(node: NodeRow, expires: boolean, at: Timestamp): Outcome {
  if (node.expires_facts_updated !== null && node.expires_facts_updated >= at) return "stale";
  node.expires_facts = expires;
  node.expires_facts_updated = at;
  return "stored";
}

/** The latest report is that of an agent with the newest producer timestamp; of equal ones the first keeps the place. */
function takeReport(batch: Batch, node: NodeRow, report: PreparedReport, id: bigint): Outcome {
  const { meta } = report;
  batch.reports.push({ node, id, data: report });
  batch.names(meta.environment, meta.producer);
  const latest = node.report_producer_timestamp;
  if (meta.type === "plan" || (latest !== null && meta.producer_timestamp <= latest)) return "stored";
  node.report_id = id;
  node.report_hash = meta.hash;
  node.report_environment = meta.environment;
  node.report_end_time = meta.end_time;
  node.report_producer_timestamp = meta.producer_timestamp;
  node.report_status = meta.status;
  node.report_noop = meta.noop;
  node.report_noop_pending = meta.noop_pending;
  node.report_job_id = meta.job_id;
  node.cached_catalog_status = meta.cached_catalog_status;
  return "stored";
}

/**
 * Hashes of the batch's reports that are stored already. A report's hash covers its producer timestamp, so only reports
 * of the batch's span of time are looked at.
 */
async function storedReports(tx: Transaction, commands: readonly Prepared[]): Promise<Set<string>> {
  const reports = commands.filter((command) => command.command === "store report");
  if (reports.length === 0) return new Set();
  const times = reports.map(({ producerTimestamp }) => producerTimestamp);
  const [from, to] = [times.reduce((a, b) => (a < b ? a : b)), times.reduce((a, b) => (a > b ? a : b))];
  const rows = await tx.rows<{ hash: string }>(
    "SELECT hash FROM reports WHERE producer_timestamp BETWEEN $1 AND $2 AND hash IN (SELECT unnest($3))",
    [{ micros: from }, { micros: to }, reports.map(({ meta }) => meta.hash)],
  );
  return new Set(rows.map(({ hash }) => hash));
}

async function writeResources(
  tx: Transaction,
  ids: { id(key: string): number; fresh: string[] },
  resources: ReadonlyMap<string, PreparedResource>,
): Promise<void> {
  if (ids.fresh.length === 0) return;
  const rows = await tx.appender("resources");
  const parameters = await tx.appender("resource_parameters");
  for (const digest of ids.fresh) {
    const resource = resources.get(digest);
    if (resource === undefined) continue;
    const id = ids.id(digest);
    const [cells, values] = [resource.slice(0, -1) as Cells, resource[9]];
    rows.row(id, ...cells);
    for (let at = 0; at < values.length; at += 2) parameters.row(id, values[at] ?? "", values[at + 1] ?? "");
  }
  rows.close();
  parameters.close();
}

async function writeReports(tx: Transaction, batch: Batch, { eventHorizon }: WriteOptions): Promise<void> {
  if (batch.reports.length === 0) return;
  const reports = await tx.appender("reports");
  const events = await tx.appender("events");
  for (const { node, id, data } of batch.reports) {
    const { meta } = data;
    reports.row(
      id,
      node.id,
      meta.hash,
      meta.type,
      meta.status,
      meta.environment,
      meta.producer,
      meta.producer_timestamp,
      data.received,
      meta.start_time,
      meta.end_time,
      meta.puppet_version,
      meta.report_format,
      meta.configuration_version,
      meta.transaction_uuid,
      meta.catalog_uuid,
      meta.code_id,
      meta.job_id,
      meta.cached_catalog_status,
      meta.noop,
      meta.noop_pending,
      // Not stored by the open-source peer: reads null whatever was sent (`reference/commands.md §4.3`).
      null,
      data.metrics,
      data.logs,
      data.resources,
    );
    for (const [position, event] of data.events.entries()) {
      if (eventHorizon !== null && event.timestamp <= eventHorizon) continue;
      events.row(
        id,
        position,
        event.status,
        event.timestamp,
        event.resource_type,
        event.resource_title,
        event.property,
        event.name,
        event.old_value ?? "null",
        event.new_value ?? "null",
        event.message,
        event.file,
        event.line,
        event.containment_path,
        event.containing_class,
        null,
      );
    }
  }
  reports.close();
  events.close();
}

function pathCells(key: string): [type: string, path: string, cells: PathCells] {
  const at = key.indexOf("\0");
  const [type, path] = [key.slice(0, at), key.slice(at + 1)];
  const elements = decodePath(path);
  return [
    type,
    path,
    {
      name: String(elements[0] ?? ""),
      depth: elements.length - 1,
      elements: elements.map(String),
      kinds: elements.map((element) => (typeof element === "number" ? "i" : "s")).join(""),
      json: JSON.stringify(elements),
    },
  ];
}

/** The elements of an encoded path; the inverse of `encodePath` (storage/wire/fact-leaves.ts). */
function decodePath(path: string): (string | number)[] {
  return path.split("#~").map((element, index) => {
    if (/^\d+$/.test(element) && index > 0) return Number(element);
    if (/^"\d*"$/.test(element)) return element.slice(1, -1);
    return element.replaceAll(String.raw`\#\~`, "#~");
  });
}
