import type { Database } from "../engine/database.ts";
import type { Transaction } from "../engine/transaction.ts";
import { valuesOf } from "../history/node-recorder.ts";
import type { Ingester } from "../ingest/ingester.ts";
import { errorOf } from "../ingest/prepare-result.ts";
import type { Prepared, Unchanged } from "../ingest/prepared.ts";
import type { TableCaches } from "../ingest/write/writer.ts";
import { removeNodes } from "../lifecycle/purge-nodes.ts";
import type { NodeRow } from "../nodes/columns.ts";
import type { NodeIndex } from "../nodes/node-index.ts";
import type { Timestamp } from "../time.ts";
import type { DocumentHeader, OriginDocument } from "./documents.ts";
import type { Hour, Hours } from "./hours.ts";
import { decideDocument, isAhead } from "./look.ts";
import { type NotedChange, NotedNodes } from "./noted.ts";
import { type ListedNode, type NotedNode, notedNothing, stateColumns, stateOf } from "./origin-node.ts";
import { OriginStatus } from "./status.ts";

/** Nodes that are removed in one transaction, because commands wait for it. */
const REMOVED_AT_ONCE = 500;

type Notes = ReadonlyMap<string, Partial<NotedNode>>;

/** A document and its node as the origin lists it. */
export interface Copied {
  readonly document: OriginDocument;
  readonly listed: ListedNode;
}

/** A document whose header was read, and its node as the origin lists it. */
export interface NotedHeader {
  readonly header: DocumentHeader;
  readonly listed: ListedNode;
}

/** A document that can never be stored here. */
export interface RefusedDocument {
  readonly document: OriginDocument;
  readonly reason: string;
}

/**
 * Servers that are copied into this store (origins), and what is noted of their nodes. A document is stored in the transaction
 * that notes it, so what is noted is the cursor: what was not stored before this process ended is found as a difference.
 */
export class Origins {
  readonly #database: Database;
  readonly #ingester: Ingester;
  readonly #nodes: NodeIndex;
  readonly #noted = new NotedNodes();
  #statuses: readonly OriginStatus[] = [];

  constructor(database: Database, ingester: Ingester, nodes: NodeIndex) {
    this.#database = database;
    this.#ingester = ingester;
    this.#nodes = nodes;
  }

  /** How each origin is followed, in their order; empty where none is. */
  get statuses(): readonly OriginStatus[] {
    return this.#statuses;
  }

  /** Follows these origins from now on, and forgets others: their nodes become this store's own. */
  async begin(origins: readonly { readonly name: string; readonly url: string }[]): Promise<readonly OriginStatus[]> {
    const names = origins.map(({ name }) => name);
    await this.#ingester.transactions.run((tx) => this.#noted.load(tx, names));
    this.#statuses = origins.map(({ name, url }) => new OriginStatus(name, url));
    return this.#statuses;
  }

  /** What is noted of the nodes of an origin, by name. */
  noted(origin: string): ReadonlyMap<string, NotedNode> {
    return this.#noted.of(origin);
  }

  /** The row of a node here. */
  stored(certname: string): NodeRow | undefined {
    return this.#nodes.get(certname);
  }

  /** Names that several origins have, in their order. */
  get shared(): readonly string[] {
    return this.#noted.shared;
  }

  /** Names of nodes that only this origin has, and of which something newer is here. */
  ahead(origin: string): string[] {
    return [...this.noted(origin).values()]
      .filter(
        (node) => isAhead(node, this.stored(node.certname)) && [...this.#noted.having(node.certname)].length === 1,
      )
      .map(({ certname }) => certname);
  }

  /**
   * Stores documents and notes them. A document that can never be stored is noted as if it were, so that it is not fetched again.
   * @returns those
   */
  async store(origin: string, copied: readonly Copied[]): Promise<RefusedDocument[]> {
    const { prepared, refused } = await this.#prepare(copied.map(({ document }) => document));
    const notes = new Map<string, Partial<NotedNode>>();
    for (const { document, listed } of copied) {
      notes.set(listed.certname, { ...notes.get(listed.certname), ...stateOf(listed), ...noteOf(document, listed) });
    }
    await this.#change((tx, caches) => this.#write(tx, caches, origin, notes, prepared));
    return refused;
  }

  /**
   * Notes documents whose content is not needed, with what is around it where that is stored. Those of which a command has stored
   * other content meanwhile are not noted.
   */
  async note(origin: string, documents: readonly NotedHeader[]): Promise<void> {
    if (documents.length === 0) return;
    await this.#change((tx, caches) => {
      const notes = new Map<string, Partial<NotedNode>>();
      const prepared: Prepared[] = [];
      for (const { header, listed } of documents) {
        const { kind, certname, produced, hash } = header;
        const decision = decideDocument(header, this.noted(origin).get(certname), caches.nodes.get(certname));
        if (decision === "fetch") continue;
        if (decision === "touch") prepared.push(this.#touch(header, listed));
        const timestamp = listed[`${kind}_timestamp`];
        const note = { [`${kind}_timestamp`]: timestamp, [`${kind}_produced`]: produced, [`${kind}_hash`]: hash };
        notes.set(certname, { ...stateOf(listed), ...note });
      }
      return this.#write(tx, caches, origin, notes, prepared);
    });
  }

  /** Notes that nodes are stored as the origin lists them, but for documents that were fetched later than the list. */
  async settle(origin: string, listed: readonly ListedNode[]): Promise<void> {
    const notes = new Map(
      listed.map((node) => {
        const { facts_timestamp: _, catalog_timestamp: __, ...others } = node;
        return [node.certname, others];
      }),
    );
    if (notes.size === 0) return;
    await this.#change((tx, caches) => this.#write(tx, caches, origin, notes, []));
  }

  /** Deletes nodes that an origin has deleted, unless another one has them: the last one decides. */
  async remove(origin: string, certnames: readonly string[]): Promise<void> {
    for (let at = 0; at < certnames.length; at += REMOVED_AT_ONCE) {
      const part = certnames.slice(at, at + REMOVED_AT_ONCE);
      const only = part.filter((name) => [...this.#noted.having(name)].every(([other]) => other === origin));
      await this.#change(async (tx, { nodes }) => {
        const gone = new Map(part.map((name) => [name, undefined]));
        const changes = await this.#noted.write(tx, origin, gone, (name) => nodes.idOf(name));
        const rows = only.map((name) => nodes.get(name)).filter((node) => node !== undefined);
        await removeNodes(tx, nodes, rows);
        return changes;
      });
    }
  }

  /** The reports here of the nodes of an origin by hour, since a time. */
  async hours(origin: string, since: Timestamp): Promise<Hours> {
    const rows = await this.#database.rows<{ name: string } & Hour>(
      `SELECT strftime(producer_timestamp, '%Y-%m-%d %H') AS name, count(*)::DOUBLE AS count, min(hash) AS min, max(hash) AS max
        FROM reports WHERE id > 0 AND producer_timestamp >= $1
        AND node_id IN (SELECT node_id FROM origin_nodes WHERE origin = $2) GROUP BY 1`,
      [{ micros: since }, origin],
    );
    return new Map(rows.map(({ name, count, min, max }) => [name, { count, min, max }]));
  }

  /** Those of some reports that are not stored, by their hashes. */
  async missingReports(hashes: readonly string[]): Promise<string[]> {
    if (hashes.length === 0) return [];
    const rows = await this.#database.rows<{ hash: string }>(
      "SELECT hash FROM reports WHERE hash IN (SELECT unnest($1))",
      [hashes],
    );
    const stored = new Set(rows.map(({ hash }) => hash));
    return hashes.filter((hash) => !stored.has(hash));
  }

  async #prepare(documents: readonly OriginDocument[]): Promise<{
    readonly prepared: readonly Prepared[];
    readonly refused: RefusedDocument[];
  }> {
    const results = await this.#ingester.prepare(documents.map(({ submission }) => submission));
    const prepared: Prepared[] = [];
    const refused: RefusedDocument[] = [];
    for (const [index, document] of documents.entries()) {
      const result = results[index];
      if (result === undefined) throw new Error("a document was not prepared");
      if ("prepared" in result) {
        prepared.push((await this.#otherwise(document, result.prepared)) ?? result.prepared);
        continue;
      }
      if (result.isDefect || result.isOfMachine === true) throw errorOf(result);
      refused.push({ document, reason: errorOf(result).message });
    }
    return { prepared, refused };
  }

  /** The same catalog spelled otherwise, where that has the origin's hash. */
  async #otherwise({ otherwise, hash }: OriginDocument, prepared: Prepared): Promise<Prepared | undefined> {
    if (otherwise === undefined || hasHash(prepared, hash)) return undefined;
    const [result] = await this.#ingester.prepare([otherwise()]);
    if (result === undefined || !("prepared" in result)) return undefined;
    return hasHash(result.prepared, hash) ? result.prepared : undefined;
  }

  #touch({ kind, certname, produced, environment, producer, meta }: DocumentHeader, listed: ListedNode): Unchanged {
    const command = kind === "facts" ? "replace facts" : "replace catalog";
    const base = {
      kind: "unchanged",
      certname,
      producerTimestamp: produced,
      received: listed[`${kind}_timestamp`] ?? produced,
      contentDigest: this.#ingester.digestOf({ certname, command }),
    } as const;
    if (meta !== undefined) return { ...base, command: "replace catalog", meta };
    return { ...base, command: "replace facts", environment, producer };
  }

  async #write(
    tx: Transaction,
    caches: TableCaches,
    origin: string,
    notes: Notes,
    prepared: readonly Prepared[],
  ): Promise<NotedChange[]> {
    if (prepared.length > 0) await this.#ingester.writeIn(tx, prepared);
    await this.#writeStates(tx, caches, origin, notes);
    return this.#noted.write(tx, origin, notes, (name) => caches.nodes.idOf(name));
  }

  /** Gives nodes the states that their origins list, which no command sets; that of the origin with the newest document counts. */
  async #writeStates(tx: Transaction, { nodes, recorder }: TableCaches, origin: string, notes: Notes): Promise<void> {
    await recorder?.begin(tx);
    for (const [certname, note] of notes) {
      const own: NotedNode = { ...notedNothing(certname), ...this.noted(origin).get(certname), ...note };
      const isOlder = [...this.#noted.having(certname)].some(
        ([name, node]) => name !== origin && newest(node) > newest(own),
      );
      const node = nodes.get(certname);
      if (isOlder || (node !== undefined && stateColumns.every((column) => node[column] === own[column]))) continue;
      const changed = nodes.change(certname);
      const before = valuesOf(changed);
      Object.assign(changed, stateOf(own));
      recorder?.nodes.note(changed, before, own.deactivated ?? own.expired ?? newest(own));
    }
    await nodes.write(tx);
    await recorder?.nodes.write(tx);
  }

  async #change(work: (tx: Transaction, caches: TableCaches) => Promise<readonly NotedChange[]>): Promise<void> {
    this.#noted.commit(await this.#ingester.transactions.run(work));
  }
}

/** When the newest document of a node was produced. */
function newest({ facts_produced: facts, catalog_produced: catalog }: NotedNode): Timestamp {
  return (facts ?? 0n) > (catalog ?? 0n) ? (facts ?? 0n) : (catalog ?? 0n);
}

function noteOf({ kind, submission, produced, hash }: OriginDocument, listed: ListedNode): Partial<NotedNode> {
  switch (kind) {
    case "facts":
      return { facts_timestamp: submission.received, facts_produced: produced, facts_hash: hash };
    case "catalog":
      return { catalog_timestamp: submission.received, catalog_produced: produced, catalog_hash: hash };
    case "inputs":
      return { inputs_produced: listed.inputs_produced, inputs_uuid: listed.inputs_uuid };
    case "report":
      return {};
  }
}

function hasHash(prepared: Prepared, hash: string | null): boolean {
  return prepared.command === "replace catalog" && prepared.kind === "full" && prepared.meta.hash === hash;
}
