import { deleteRowsOf, rowsOfIds } from "../../engine/rows-of-ids.ts";
import type { Transaction } from "../../engine/transaction.ts";
import type { Package } from "../../hash/hashes.ts";
import type { FactRecorder } from "../../history/fact-recorder.ts";
import type { VolatilePaths } from "../../history/volatile-facts.ts";
import { pathKeySql, pathRow } from "../fact-paths.ts";
import type { PreparedFacts, PreparedLeaf } from "../prepared.ts";
import type { RowText } from "../row-text.ts";
import { Yielder } from "../yielder.ts";
import { append } from "./append.ts";
import { type Batch, replacedNodes } from "./batch.ts";
import { Dictionary } from "./dictionary.ts";
import { VolatileRows } from "./volatile-rows.ts";
import { FactRowAppenders } from "./fact-row-appenders.ts";
import { deleteFacts } from "./fact-tables.ts";

/** SQL of the text that identifies a package. */
const PACKAGE_KEY = "concat_ws(chr(1), name, version, provider)";

/** Writes fact sets with their packages. */
export class FactsWriter {
  readonly #paths = new Dictionary("fact_paths", pathKeySql);
  readonly #packages = new Dictionary("packages", PACKAGE_KEY);
  /** Undefined: none are known, because no changes are recorded. */
  readonly #volatile: VolatileRows | undefined;

  constructor(volatile?: VolatilePaths) {
    this.#volatile = volatile && new VolatileRows(volatile);
  }

  /** Forgets the ids of fact paths and packages. */
  clear(): void {
    this.#paths.clear();
    this.#packages.clear();
    this.#volatile?.clear();
  }

  /** @param recorder records what changes */
  async write(tx: Transaction, batch: Batch, recorder: FactRecorder | undefined): Promise<void> {
    const { facts } = batch;
    if (facts.size === 0) return;
    const otherPackages = this.#withOtherPackages(facts);
    const replacedPackages = replacedNodes(otherPackages);
    const recorded = await recorder?.begin(tx, batch, replacedPackages);
    const droppedPackages = await packagesOf(tx, replacedPackages);
    const steady = this.#steadyNodes(facts);
    await deleteFacts(
      tx,
      replacedNodes(facts).filter((node) => !steady.has(node)),
    );
    await this.#volatile?.delete(tx, [...steady]);
    await deleteRowsOf(tx, "node_packages", "node_id", replacedPackages);
    await this.#writeRows(tx, facts, steady);
    const packages = await this.#writePackages(tx, otherPackages);
    if (recorded !== undefined) await recorder?.record(tx, batch, recorded, packages);
    for (const { node, data } of facts.values()) node.facts_steady_digest = data.steadyDigest ?? null;
    await this.#deleteUnused(tx, droppedPackages);
  }

  /** Nodes of which only volatile facts have changed, so that their other rows remain. */
  #steadyNodes(facts: Batch["facts"]): ReadonlySet<number> {
    const steady = [...facts].filter(
      ([, { node, data, replaces }]) =>
        replaces &&
        data.steadyDigest !== undefined &&
        data.steadyDigest === node.facts_steady_digest &&
        this.#volatile?.areApart(data.facts) === true,
    );
    return new Set(steady.map(([id]) => id));
  }

  /** @param steady nodes of which only volatile rows are written */
  async #writeRows(tx: Transaction, facts: Batch["facts"], steady: ReadonlySet<number>): Promise<void> {
    const volatile = this.#volatile;
    const keys = new Set<string>();
    for (const [node, { data }] of facts) {
      for (const [path] of data.leaves) if (!steady.has(node) || volatile?.hasLeaf(path) === true) keys.add(path);
      for (const path of data.structured) if (!steady.has(node) || volatile?.hasPart(path) === true) keys.add(path);
    }
    const paths = await this.#paths.resolve(tx, keys);
    await append(tx, "fact_paths", paths.fresh, (key) => [paths.id(key), ...pathRow(key)]);
    for (const key of paths.fresh) volatile?.add(key, paths.id(key));

    const volatilePaths = await volatile?.paths(tx);
    const rows = await FactRowAppenders.open(tx, steady.size === facts.size);
    const yielder = new Yielder();
    for (const [node, { data }] of facts) {
      const areApart = steady.has(node) || volatile?.areApart(data.facts) === true;
      for (const [name, value, key] of data.facts) {
        const isVolatile = volatile?.hasFact(name) === true;
        if (steady.has(node) && !isVolatile) continue;
        rows.fact(node, name, value, key, isVolatile);
        if (yielder.isDue()) await yielder.yield();
      }
      for (const leaf of data.leaves) {
        const path = paths.id(leaf[0]);
        const isApart = areApart && volatilePaths?.has(path) === true;
        if (steady.has(node) && !isApart) continue;
        const [value, key] = textsOf(leaf, data.facts);
        rows.leaf(node, path, value, key, isApart);
        if (yielder.isDue()) await yielder.yield();
      }
    }
    await rows.close();
  }

  /** Those whose packages are not known to be the stored ones. */
  #withOtherPackages(facts: Batch["facts"]): Batch["facts"] {
    const others = [...facts].filter(
      ([, { node, data, replaces }]) => !replaces || node.packages_digest !== data.packagesDigest,
    );
    return new Map(others);
  }

  /** @returns the id of each package */
  async #writePackages(tx: Transaction, facts: Batch["facts"]): Promise<(tuple: Package) => number> {
    const tuples = new Map<string, Package>();
    for (const { node, data } of facts.values()) node.packages_digest = data.packagesDigest;
    for (const { data } of facts.values()) for (const tuple of data.packages) tuples.set(packageKey(tuple), tuple);
    if (tuples.size === 0) return () => 0;
    const packages = await this.#packages.resolve(tx, new Set(tuples.keys()));
    await append(tx, "packages", packages.fresh, (key) => [packages.id(key), ...(tuples.get(key) ?? [])]);
    const rows = await tx.appender("node_packages");
    for (const [node, { data }] of facts) {
      for (const tuple of data.packages) rows.row(node, packages.id(packageKey(tuple)));
    }
    rows.close();
    return (tuple) => packages.id(packageKey(tuple));
  }

  /** Deletes those of the packages that no node has any more (`reference/lifecycle.md §6`). */
  async #deleteUnused(tx: Transaction, ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    const deleted = await tx.returning<{ key: string }>(
      "packages",
      `DELETE FROM packages WHERE id IN (
         SELECT unnest($1::INTEGER[]) EXCEPT SELECT package_id FROM node_packages) RETURNING ${PACKAGE_KEY} AS key`,
      [`[${ids.join(",")}]`],
    );
    this.#packages.delete(deleted.map(({ key }) => key));
  }
}

/** What {@link PACKAGE_KEY} is of a row. */
function packageKey(tuple: Package): string {
  return tuple.join("\u0001");
}

/** Value and sort key of a leaf. */
function textsOf(leaf: PreparedLeaf, facts: PreparedFacts["facts"]): readonly [value: RowText, sortKey: string] {
  if (leaf.length === 3) return [leaf[1], leaf[2]];
  const [, value, key] = facts[leaf[1]] ?? [];
  if (value === undefined || key === undefined) throw new Error(`there is no fact ${leaf[1]} for a leaf`);
  return [value, key];
}

/** The packages that the given nodes have so far. */
async function packagesOf(tx: Transaction, nodes: readonly number[]): Promise<number[]> {
  if (nodes.length === 0) return [];
  const rows = await tx.rows<{ id: number }>(
    `SELECT DISTINCT package_id AS id FROM ${rowsOfIds("node_packages", "node_id", nodes)}`,
  );
  return rows.map(({ id }) => id);
}
