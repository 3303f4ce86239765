import type { Transaction } from "../engine/transaction.ts";
import type { PreparedFacts } from "../ingest/prepared.ts";
import { append } from "../ingest/write/append.ts";
import type { Batch } from "../ingest/write/batch.ts";
import { Yielder } from "../ingest/yielder.ts";
import { type Difference, differences } from "./differences.ts";
import { type PackageIds, packageDifferences } from "./packages.ts";
import { factsTable, packagesTable, type Change } from "./tables.ts";
import { type RecordedFacts, recordedValues, StoredFacts } from "./stored-facts.ts";
import type { VolatilePaths } from "./volatile-facts.ts";

/** Fact sets before they are replaced, by the node's id. */
export type ReplacedFacts = ReadonlyMap<number, RecordedFacts>;

/** Records which facts and packages of nodes change. */
export class FactRecorder {
  readonly stored: StoredFacts;
  readonly volatile: VolatilePaths;
  /** The steady digests of stored fact sets, by the node's id, as far as they are known. */
  readonly #digests = new Map<number, string>();

  constructor(volatile: VolatilePaths) {
    this.volatile = volatile;
    this.stored = new StoredFacts(volatile);
  }

  /** Forgets the stored fact sets. */
  clear(): void {
    this.#digests.clear();
    this.stored.clear();
  }

  /**
   * To be called before fact sets are replaced.
   * @returns what {@link record} needs: the fact sets that change
   */
  async begin(tx: Transaction, { facts }: Batch): Promise<ReplacedFacts> {
    const nodes = [...facts].flatMap(([node, { data, replaces }]) => {
      const { steadyDigest } = data;
      const isSame = steadyDigest !== undefined && this.#digests.get(node) === steadyDigest;
      return replaces && !isSame ? [node] : [];
    });
    if (nodes.length === 0) return new Map();
    const read = await this.stored.read(tx, nodes);
    return new Map(nodes.map((node) => [node, read(node)]));
  }

  /** To be called when they have been replaced, before packages that no node has are deleted. */
  async record(tx: Transaction, { facts }: Batch, replaced: ReplacedFacts, packageIds: PackageIds): Promise<void> {
    for (const [node, { data }] of facts) this.#known(node, data);
    const values: Change[] = [];
    const yielder = new Yielder();
    const withPackages: { node: number; data: PreparedFacts; before: readonly number[] }[] = [];
    for (const [node, before] of replaced) {
      const data = facts.get(node)?.data;
      if (data === undefined) continue;
      if (yielder.isDue()) await yielder.yield();
      const changed = differences(before.values, recordedValues(data, this.volatile));
      values.push(...changed.map(rowOf(node, data)));
      withPackages.push({ node, data, before: before.packages });
    }
    await append(tx, factsTable.name, values, factsTable.cells);
    const packages: Change[] = [];
    for (const [{ node, data }, changed] of await packageDifferences(tx, withPackages, packageIds)) {
      packages.push(...changed.map(rowOf(node, data)));
    }
    await append(tx, packagesTable.name, packages, packagesTable.cells);
  }

  #known(node: number, { steadyDigest }: PreparedFacts): void {
    if (steadyDigest === undefined) this.#digests.delete(node);
    else this.#digests.set(node, steadyDigest);
  }
}

function rowOf(node: number, { producerTimestamp }: PreparedFacts): (difference: Difference) => Change {
  return (difference) => ({ ...difference, node, changed: producerTimestamp, transaction: null });
}
