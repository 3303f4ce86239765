import type { DocumentKind } from "../../archive/document-kinds.ts";
import type { Transaction } from "../../engine/transaction.ts";
import { type HistorySource, restoreHistory, type Target } from "../../history/archived/restore.ts";
import { valuesOf } from "../../history/node-recorder.ts";
import type { Recorder } from "../../history/recorder.ts";
import type { NodeRow } from "../../nodes/columns.ts";
import type { NodeIndex } from "../../nodes/node-index.ts";
import type { Timestamp } from "../../time.ts";
import { reportsWithFailures } from "../../issues/stored-reports.ts";
import { storeFailures } from "../../issues/store-failures.ts";
import { activate, deactivate } from "../../nodes/node-state.ts";
import type { ContentDigests } from "../content-digests.ts";
import type { Outcome } from "../outcome.ts";
import type { Prepared, PreparedCatalog, PreparedFacts, Unchanged } from "../prepared.ts";
import { Batch } from "./batch.ts";
import { CatalogsWriter } from "./catalogs.ts";
import {
  decideCatalog,
  decideExpiration,
  decideFacts,
  decideInputs,
  decideReport,
  decideReportHead,
  forgetDocuments,
} from "./decide.ts";
import { Names } from "./dictionary.ts";
import { FactsWriter } from "./facts.ts";
import { writeInputs } from "./inputs.ts";
import { StoredReports, type WriteOptions, writeReports } from "./reports.ts";

/** What is cached of the tables between transactions. */
export interface TableCaches {
  /** The rows of `nodes`, all of them. */
  readonly nodes: NodeIndex;
  /** Records changes of nodes; undefined: none are recorded. */
  readonly recorder: Recorder | undefined;
  /** Reads what the first batch of a large store would wait for. */
  preload(tx: Transaction): Promise<void>;
  /** Forgets the ids of resources, edges, packages and fact paths, and the names of environments and producers. */
  clearDictionaries(): void;
  /** Forgets everything: after a rollback, or where the tables have been replaced. */
  clear(): void;
}

/**
 * Turns batches of prepared commands into rows: decides for each command whether it is stale, unchanged or new
 * (`reference/commands.md §4`), then touches each table once per batch.
 */
export class Writer implements TableCaches {
  readonly nodes: NodeIndex;
  readonly recorder: Recorder | undefined;
  readonly #digests: ContentDigests;
  readonly #facts: FactsWriter;
  readonly #catalogs = new CatalogsWriter();
  readonly #environments = new Names("environments");
  readonly #producers = new Names("producers");
  readonly #reports = new StoredReports();
  readonly #isFollowing: boolean;
  /** Reports of the transaction whose failures are not stored yet. */
  #failed: bigint[] = [];

  /** @param isFollowing whether what is stored must not depend on which commands are in one batch */
  constructor(nodes: NodeIndex, digests: ContentDigests, recorder: Recorder | undefined, isFollowing = false) {
    this.#isFollowing = isFollowing;
    this.nodes = nodes;
    this.recorder = recorder;
    this.#facts = new FactsWriter(recorder?.facts.volatile);
    this.#digests = digests;
  }

  async preload(tx: Transaction): Promise<void> {
    await this.nodes.load(tx);
    await this.#catalogs.preload(tx);
  }

  clear(): void {
    this.nodes.clear();
    this.clearDictionaries();
    this.#catalogs.clear();
    this.#reports.clear();
    this.#failed = [];
    this.recorder?.clear();
  }

  clearDictionaries(): void {
    for (const cache of [this.#facts, this.#environments, this.#producers]) cache.clear();
    this.#catalogs.clearIds();
  }

  /**
   * Indexes of commands whose content was not read, because the node had stored it on their arrival, and must be read: another content is
   * stored at their turn, or they are older than it, so that the history needs theirs.
   */
  lackingContent(commands: readonly Prepared[]): number[] {
    const changing = new Set<string>();
    const newest = new Map<string, Timestamp>();
    return commands.flatMap((command, index) => {
      if (command.command !== "replace facts" && command.command !== "replace catalog") return [];
      const key = `${command.command}\0${command.certname}`;
      if (command.contentDigest !== this.#digests.of(command)) changing.add(key);
      const { producerTimestamp } = command;
      const stored = newest.get(key) ?? this.#storedTime(command) ?? producerTimestamp;
      const isLate = producerTimestamp < stored;
      newest.set(key, isLate ? stored : producerTimestamp);
      if (command.kind === "full") return [];
      return changing.has(key) || (isLate && this.recorder !== undefined) ? [index] : [];
    });
  }

  #storedTime({ certname, command }: PreparedFacts | PreparedCatalog | Unchanged): Timestamp | null {
    const node = this.nodes.get(certname);
    if (node === undefined) return null;
    return command === "replace facts" ? node.facts_producer_timestamp : node.catalog_producer_timestamp;
  }

  /** @returns the outcome of each command, in their order */
  async write(tx: Transaction, commands: readonly Prepared[], options: WriteOptions): Promise<Outcome[]> {
    await this.nodes.load(tx);
    if (this.#isFollowing) return this.#writeFollowed(tx, commands, options);
    if (this.recorder === undefined) return this.#writePart(tx, commands, options);
    await this.recorder.begin(tx);
    const outcomes: Outcome[] = [];
    for (const part of recordedParts(commands)) outcomes.push(...(await this.#writePart(tx, part, options)));
    return outcomes;
  }

  async #writeFollowed(tx: Transaction, commands: readonly Prepared[], options: WriteOptions): Promise<Outcome[]> {
    await this.recorder?.begin(tx, commands[0]?.received);
    const outcomes: Outcome[] = [];
    for (const replacing of recordedParts(commands)) {
      for (const part of this.recorder === undefined ? [replacing] : this.#apartFromLate(replacing)) {
        outcomes.push(...(await this.#writePart(tx, part, options)));
      }
    }
    return outcomes;
  }

  /** Parts in which a late document is alone: it is recorded by what is stored, which commands after it would change. */
  *#apartFromLate(commands: readonly Prepared[]): Generator<readonly Prepared[]> {
    const late = this.#lateOf(commands);
    let part: Prepared[] = [];
    for (const [index, command] of commands.entries()) {
      if (!late.has(index)) {
        part.push(command);
        continue;
      }
      if (part.length > 0) yield part;
      yield [command];
      part = [];
    }
    if (part.length > 0) yield part;
  }

  /** Indexes of fact sets and catalogs that are older than the newest of their node before them. */
  #lateOf(commands: readonly Prepared[]): ReadonlySet<number> {
    const late = new Set<number>();
    const newest = new Map<string, Timestamp>();
    for (const [index, command] of commands.entries()) {
      if (command.command !== "replace facts" && command.command !== "replace catalog") continue;
      const key = `${command.command}\0${command.certname}`;
      const stored = newest.get(key) ?? this.#storedTime(command);
      if (stored !== null && command.producerTimestamp < stored) late.add(index);
      else newest.set(key, command.producerTimestamp);
    }
    return late;
  }

  /** Stores the failures of the reports that the transaction has written, once the facts of their nodes are stored. */
  async writeFailures(tx: Transaction): Promise<void> {
    const failed = this.#failed;
    this.#failed = [];
    await storeFailures(tx, failed);
  }

  /** Stores the failures of all reports, written by the transaction or before. */
  async writeAllFailures(tx: Transaction): Promise<void> {
    this.#failed = await reportsWithFailures(tx);
    await this.writeFailures(tx);
  }

  /** Stores no failures of the reports that the transaction has written. */
  leaveFailures(): void {
    this.#failed = [];
  }

  /** Forgets what the rows of nodes repeat of documents, whose content is written next. */
  async forgetDocuments(tx: Transaction, kinds: ReadonlySet<DocumentKind>): Promise<void> {
    await this.nodes.load(tx);
    for (const { certname } of this.nodes.all()) forgetDocuments(this.nodes.change(certname), kinds);
  }

  /** See {@link restoreHistory}. */
  async restoreHistory(
    tx: Transaction,
    source: HistorySource,
    options: Pick<Target, "wasEmpty" | "now">,
  ): Promise<void> {
    const { nodes } = this;
    const idOf = (certname: string): number | undefined => nodes.idOf(certname);
    const writeItems: Target["writeItems"] = (catalogs) => this.#catalogs.writeItems(tx, catalogs);
    await restoreHistory({ tx, nodes: nodes.all(), idOf, writeItems, ...options }, source);
  }

  async #writePart(tx: Transaction, commands: readonly Prepared[], options: WriteOptions): Promise<Outcome[]> {
    const { storesCorrectiveChange } = options;
    const reportHashes = await this.#reports.hashesOf(tx, commands, this.nodes);
    const batch = new Batch(await this.#reports.nextId(tx));
    const outcomes = commands.map((command): Outcome => {
      // Empty inputs change nothing and create no node (`reference/commands.md §3.5`).
      if (command.command === "replace catalog inputs" && command.inputs.length === 0) return "unchanged";
      const node = this.nodes.change(command.certname);
      if (this.recorder === undefined) return this.#decide(batch, node, command, reportHashes, storesCorrectiveChange);
      const before = valuesOf(node);
      const outcome = this.#decide(batch, node, command, reportHashes, storesCorrectiveChange);
      this.recorder.nodes.note(node, before, command.producerTimestamp);
      return outcome;
    });
    this.#reports.used(batch.nextReportId);
    await this.#facts.write(tx, batch, this.recorder?.facts);
    await this.#catalogs.write(tx, batch, this.recorder !== undefined);
    await writeInputs(tx, batch);
    this.#failed.push(...(await writeReports(tx, batch, options)));
    await this.#environments.add(tx, batch.environments);
    await this.#producers.add(tx, batch.producers);
    await this.nodes.write(tx);
    await this.#record(tx, batch, commands, outcomes);
    return outcomes;
  }

  /** Records what is not recorded as it is written. */
  async #record(
    tx: Transaction,
    { late }: Batch,
    commands: readonly Prepared[],
    outcomes: readonly Outcome[],
  ): Promise<void> {
    if (this.recorder === undefined) return;
    const { nodes, documents } = this.recorder;
    await nodes.write(tx);
    for (const [at, { command, certname, producerTimestamp: produced }] of commands.entries()) {
      const isCatalog = command === "replace catalog";
      const node = this.nodes.idOf(certname);
      if (node === undefined || outcomes[at] === "stale" || (command !== "replace facts" && !isCatalog)) continue;
      documents.note({ node, isCatalog, produced });
    }
    await documents.write(tx);
    if (late.length === 0) return;
    const catalogs = late.flatMap(({ data }) => (data.command === "replace catalog" ? [data] : []));
    await this.recorder.late.record(tx, late, await this.#catalogs.writeItems(tx, catalogs));
  }

  #decide(
    batch: Batch,
    node: NodeRow,
    command: Prepared,
    reportHashes: Set<string>,
    storesCorrectiveChange: boolean,
  ): Outcome {
    if (command.command === "deactivate node") return deactivate(node, command.producerTimestamp);
    activate(node, command.producerTimestamp);
    switch (command.command) {
      case "replace facts":
        return this.#withDigest(node, command, decideFacts(batch, node, command));
      case "replace catalog":
        return this.#withDigest(node, command, decideCatalog(batch, node, command));
      case "replace catalog inputs":
        return decideInputs(batch, node, command);
      case "configure expiration":
        return decideExpiration(node, command.expireFacts, command.producerTimestamp);
      case "store report": {
        if (command.kind === "unchanged") return decideReportHead(batch, node, command, storesCorrectiveChange);
        if (reportHashes.has(command.meta.hash)) return "duplicate";
        reportHashes.add(command.meta.hash);
        return decideReport(batch, node, command, storesCorrectiveChange);
      }
    }
  }

  #withDigest(node: NodeRow, command: PreparedFacts | PreparedCatalog | Unchanged, outcome: Outcome): Outcome {
    if (outcome !== "stale") this.#digests.set(node, command.command, command.contentDigest);
    return outcome;
  }
}

/**
 * Parts of a batch in which no node has two changed fact sets or catalogs: of those only the last is written, and the change
 * from the first to the second would not be recorded.
 */
function recordedParts(commands: readonly Prepared[]): (readonly Prepared[])[] {
  const parts: Prepared[][] = [];
  let replaced = new Set<string>();
  for (const command of commands) {
    const { kind, certname } = command;
    const key = `${command.command}\0${certname}`;
    const isReplaced =
      kind === "full" && (command.command === "replace facts" || command.command === "replace catalog");
    const last = parts.at(-1);
    if (last === undefined || (isReplaced && replaced.has(key))) {
      parts.push([command]);
      replaced = new Set();
    } else last.push(command);
    if (isReplaced) replaced.add(key);
  }
  return parts;
}
