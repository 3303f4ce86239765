import type { Transaction } from "../engine/transaction.ts";
import type { PreparedFacts } from "../ingest/prepared.ts";
import { append } from "../ingest/write/append.ts";
import type { Batch } from "../ingest/write/batch.ts";
import type { Timestamp } from "../time.ts";
import { type CopiedRows, copyRows, dropCopies, presentRows } from "./copied-rows.ts";
import type { VolatilePaths } from "./volatile-facts.ts";

/** Bytes of a value; of longer ones the digest is recorded. */
const MAX_VALUE = 4096;

/** A scalar is never an object, so that this is no value. */
const recordedValue = `CASE WHEN strlen(l.value) <= ${MAX_VALUE} THEN l.value
  ELSE concat('{"bytes": ', strlen(l.value), ', "sha1": "', sha1(l.value), '"}') END`;

const leaves: CopiedRows = {
  table: "leaves_before",
  select: `SELECT l.node_id, p.path_json AS path, ${recordedValue} AS value
    FROM fact_leaves l JOIN fact_paths p ON p.id = l.path_id`,
  node: "l.node_id",
};

const packages: CopiedRows = {
  table: "packages_before",
  select: `SELECT nk.node_id, k.name, k.provider, k.version FROM node_packages nk JOIN packages k ON k.id = nk.package_id`,
  node: "nk.node_id",
};

interface LeafChange {
  readonly node: number;
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

interface PackageChange {
  readonly node: number;
  readonly name: string;
  readonly provider: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Records which facts and packages of nodes change. */
export class FactRecorder {
  readonly #volatile: VolatilePaths;
  /** The steady digests of stored fact sets, by the node's id, as far as they are known. */
  readonly #digests = new Map<number, string>();

  constructor(volatile: VolatilePaths) {
    this.#volatile = volatile;
  }

  /** Forgets the stored fact sets. */
  clear(): void {
    this.#digests.clear();
  }

  /**
   * To be called before fact sets are replaced.
   * @returns what {@link record} needs: the nodes with something to record
   */
  async begin(tx: Transaction, { facts }: Batch): Promise<readonly number[]> {
    const nodes = [...facts].flatMap(([node, { data, replaces }]) => {
      const { steadyDigest } = data;
      const isSame = steadyDigest !== undefined && this.#digests.get(node) === steadyDigest;
      return replaces && !isSame ? [node] : [];
    });
    if (nodes.length > 0) await copyRows(tx, [leaves, packages], nodes);
    return nodes;
  }

  /** To be called when they have been replaced, before packages that no node has are deleted. */
  async record(tx: Transaction, { facts }: Batch, nodes: readonly number[]): Promise<void> {
    for (const [node, { data }] of facts) this.#known(node, data);
    if (nodes.length === 0) return;
    const timeOf = (node: number): Timestamp => facts.get(node)?.data.producerTimestamp ?? 0n;
    await this.#recordLeaves(tx, nodes, timeOf);
    await recordPackages(tx, nodes, timeOf);
    await dropCopies(tx, [leaves, packages]);
  }

  #known(node: number, { steadyDigest }: PreparedFacts): void {
    if (steadyDigest === undefined) this.#digests.delete(node);
    else this.#digests.set(node, steadyDigest);
  }

  async #recordLeaves(tx: Transaction, nodes: readonly number[], timeOf: (node: number) => Timestamp): Promise<void> {
    const changes = await tx.rows<LeafChange>(
      `SELECT node_id AS node, path, b.value AS before, a.value AS after
        FROM ${leaves.table} b FULL JOIN (${presentRows(leaves, nodes)}) a USING (node_id, path)
        WHERE b.value IS DISTINCT FROM a.value ORDER BY 1, 2`,
    );
    const recorded = changes.filter(({ path }) => !this.#volatile.has(path));
    await append(tx, "history_facts", recorded, ({ node, path, before, after }) => [
      node,
      path,
      before,
      after,
      timeOf(node),
    ]);
  }
}

async function recordPackages(
  tx: Transaction,
  nodes: readonly number[],
  timeOf: (node: number) => Timestamp,
): Promise<void> {
  const versions = `list(version ORDER BY version) AS versions`;
  const by = "GROUP BY node_id, name, provider";
  const changes = await tx.rows<PackageChange>(
    `SELECT node_id AS node, name, provider, coalesce(b.versions, []) AS before, coalesce(a.versions, []) AS after
      FROM (SELECT node_id, name, provider, ${versions} FROM ${packages.table} ${by}) b
      FULL JOIN (SELECT node_id, name, provider, ${versions} FROM (${presentRows(packages, nodes)}) ${by}) a
      USING (node_id, name, provider)
      WHERE b.versions IS DISTINCT FROM a.versions ORDER BY 1, 2, 3`,
  );
  await append(tx, "history_packages", changes, (change) => [
    change.node,
    change.name,
    change.provider,
    change.before,
    change.after,
    timeOf(change.node),
  ]);
}
