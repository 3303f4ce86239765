import type { Transaction } from "../engine/transaction.ts";
import type { PreparedFacts } from "../ingest/prepared.ts";
import { append } from "../ingest/write/append.ts";
import type { Batch } from "../ingest/write/batch.ts";
import { Yielder } from "../ingest/yielder.ts";
import { type Difference, differences, type State } from "./differences.ts";
import { type PackageIds, packageDifferences } from "./packages.ts";
import { factsTable, packagesTable, type Change } from "./tables.ts";
import { recordedValues, StoredFacts } from "./stored-facts.ts";
import type { VolatilePaths } from "./volatile-facts.ts";

/** What is replaced, by the node's id, as far as it changes. */
export interface ReplacedFacts {
  readonly values: ReadonlyMap<number, State>;
  /** Ids of packages. */
  readonly packages: ReadonlyMap<number, readonly number[]>;
}

/** Records which facts and packages of nodes change. */
export class FactRecorder {
  readonly stored: StoredFacts;
  readonly volatile: VolatilePaths;

  /** @param nodes how many nodes the store has; undefined while that is unknown */
  constructor(volatile: VolatilePaths, nodes: () => number | undefined) {
    this.volatile = volatile;
    this.stored = new StoredFacts(volatile, nodes);
  }

  /**
   * To be called before fact sets are replaced.
   * @param replacedPackages ids of the nodes whose packages are replaced
   * @returns what {@link record} needs
   */
  async begin(tx: Transaction, { facts }: Batch, replacedPackages: readonly number[]): Promise<ReplacedFacts> {
    const nodes = [...facts].flatMap(([id, { node, data, replaces }]) => {
      const isSame = data.steadyDigest !== undefined && data.steadyDigest === node.facts_steady_digest;
      return replaces && !isSame ? [id] : [];
    });
    const packages = await this.stored.packages(tx, replacedPackages);
    return {
      values: nodes.length === 0 ? new Map() : await this.stored.values(tx, nodes),
      packages: new Map(replacedPackages.map((id) => [id, packages(id)])),
    };
  }

  /** To be called when they have been replaced, before packages that no node has are deleted. */
  async record(tx: Transaction, { facts }: Batch, replaced: ReplacedFacts, packageIds: PackageIds): Promise<void> {
    const values: Change[] = [];
    const yielder = new Yielder();
    for (const [node, before] of replaced.values) {
      const data = facts.get(node)?.data;
      if (data !== undefined)
        values.push(...differences(before, recordedValues(data, this.volatile)).map(rowOf(node, data)));
      if (yielder.isDue()) await yielder.yield();
    }
    await append(tx, factsTable.name, values, factsTable.cells);
    const withPackages = [...replaced.packages].flatMap(([node, before]) => {
      const data = facts.get(node)?.data;
      return data === undefined ? [] : [{ node, data, before }];
    });
    const packages: Change[] = [];
    for (const [{ node, data }, changed] of await packageDifferences(tx, withPackages, packageIds)) {
      packages.push(...changed.map(rowOf(node, data)));
    }
    await append(tx, packagesTable.name, packages, packagesTable.cells);
  }
}

function rowOf(node: number, { producerTimestamp }: PreparedFacts): (difference: Difference) => Change {
  return (difference) => ({ ...difference, node, changed: producerTimestamp, transaction: null });
}
