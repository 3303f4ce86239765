import type { Transaction } from "../../engine/transaction.ts";
import type { NodeRow } from "../../nodes/columns.ts";
import type { NodeIndex } from "../../nodes/node-index.ts";
import { activate, deactivate } from "../../nodes/node-state.ts";
import type { Outcome } from "../outcome.ts";
import type { Prepared, PreparedCatalog, PreparedFacts, Unchanged } from "../prepared.ts";
import type { NodeDigests } from "../shortcuts/node-digests.ts";
import { Batch } from "./batch.ts";
import { CatalogsWriter } from "./catalogs.ts";
import { decideCatalog, decideExpiration, decideFacts, decideInputs, decideReport } from "./decide.ts";
import { Names } from "./dictionary.ts";
import { FactsWriter } from "./facts.ts";
import { writeInputs } from "./inputs.ts";
import { StoredReports, type WriteOptions, writeReports } from "./reports.ts";

/** What is cached of the tables between transactions. */
export interface TableCaches {
  /** The rows of `nodes`, all of them. */
  readonly nodes: NodeIndex;
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
  readonly #digests: NodeDigests;
  readonly #facts = new FactsWriter();
  readonly #catalogs = new CatalogsWriter();
  readonly #environments = new Names("environments");
  readonly #producers = new Names("producers");
  readonly #reports = new StoredReports();

  constructor(nodes: NodeIndex, digests: NodeDigests) {
    this.nodes = nodes;
    this.#digests = digests;
  }

  clear(): void {
    this.nodes.clear();
    this.clearDictionaries();
    this.#reports.clear();
  }

  clearDictionaries(): void {
    for (const cache of [this.#facts, this.#catalogs, this.#environments, this.#producers]) cache.clear();
  }

  /**
   * Indexes of commands that were unchanged when they were prepared but may not be when their turn comes: those must be
   * prepared in full.
   */
  outdated(commands: readonly Prepared[]): number[] {
    const changing = new Set<string>();
    return commands.flatMap((command, index) => {
      if (command.command !== "replace facts" && command.command !== "replace catalog") return [];
      const key = `${command.command}\0${command.certname}`;
      if (command.contentDigest !== this.#digests.of(command)) changing.add(key);
      return command.kind === "unchanged" && changing.has(key) ? [index] : [];
    });
  }

  /** @returns the outcome of each command, in their order */
  async write(tx: Transaction, commands: readonly Prepared[], options: WriteOptions): Promise<Outcome[]> {
    const { storesCorrectiveChange } = options;
    await this.nodes.load(tx);
    const reportHashes = await this.#reports.hashesOf(tx, commands, this.nodes);
    const batch = new Batch(await this.#reports.nextId(tx));
    const outcomes = commands.map((command): Outcome => {
      // Empty inputs change nothing and create no node (`reference/commands.md §3.5`).
      if (command.command === "replace catalog inputs" && command.inputs.length === 0) return "unchanged";
      const node = this.nodes.change(command.certname);
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
          if (reportHashes.has(command.meta.hash)) return "duplicate";
          reportHashes.add(command.meta.hash);
          return decideReport(batch, node, command, storesCorrectiveChange);
        }
      }
    });
    this.#reports.used(batch.nextReportId);
    await this.#facts.write(tx, batch);
    await this.#catalogs.write(tx, batch);
    await writeInputs(tx, batch);
    await writeReports(tx, batch, options);
    await this.#environments.add(tx, batch.environments);
    await this.#producers.add(tx, batch.producers);
    await this.nodes.write(tx);
    return outcomes;
  }

  #withDigest(node: NodeRow, command: PreparedFacts | PreparedCatalog | Unchanged, outcome: Outcome): Outcome {
    if (outcome !== "stale") this.#digests.set(node, command.command, command.contentDigest);
    return outcome;
  }
}
