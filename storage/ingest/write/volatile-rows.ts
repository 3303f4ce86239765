import type { Transaction } from "../../engine/transaction.ts";
import type { VolatilePaths } from "../../history/volatile-facts.ts";
import { hasSpacedFacts } from "../fact-digests.ts";
import { pathOfKey } from "../fact-paths.ts";
import type { PreparedFacts } from "../prepared.ts";
import { deleteVolatileFacts } from "./fact-tables.ts";

/**
 * The rows of fact sets that change from run to run by themselves. Where nothing else has changed, only these are replaced: a
 * tenth of what a run would otherwise write.
 */
export class VolatileRows {
  readonly #volatile: VolatilePaths;
  /** Ids of the paths of volatile scalars; undefined: not read yet. */
  #paths: Set<number> | undefined;

  constructor(volatile: VolatilePaths) {
    this.#volatile = volatile;
  }

  /** Forgets the ids of paths. */
  clear(): void {
    this.#paths = undefined;
  }

  /**
   * Whether those of a fact set can be replaced without the others, and its leaves are in a table of their own: not where a row is
   * so long that it is kept apart from others.
   */
  areApart(facts: PreparedFacts["facts"]): boolean {
    return this.#volatile.names !== undefined && !hasSpacedFacts(facts, this.#volatile);
  }

  /** Whether a top-level fact, or a part of it, is volatile. */
  hasFact(name: string): boolean {
    return this.#volatile.names?.has(name) === true;
  }

  /** @param key of the dictionary of paths */
  hasLeaf(key: string): boolean {
    return this.#volatile.has(pathOfKey(key));
  }

  /** Whether the fact in a path has volatile parts. @param key as of {@link hasLeaf} */
  hasPart(key: string): boolean {
    return this.hasFact(String((JSON.parse(pathOfKey(key)) as unknown[])[0]));
  }

  /** Notes the id of a path that is new. */
  add(key: string, id: number): void {
    if (this.#paths !== undefined && this.hasLeaf(key)) this.#paths.add(id);
  }

  /** Deletes these rows of some nodes. */
  async delete(tx: Transaction, nodes: readonly number[]): Promise<void> {
    await deleteVolatileFacts(tx, nodes, this.#volatile.names ?? []);
  }

  /** Ids of the paths of volatile scalars. Empty where the options name facts that cannot be looked up by their name. */
  async paths(tx: Transaction): Promise<ReadonlySet<number>> {
    this.#paths ??= await this.#stored(tx);
    return this.#paths;
  }

  async #stored(tx: Transaction): Promise<Set<number>> {
    const names = [...(this.#volatile.names ?? [])];
    const rows = await tx.rows<{ id: number; path: string }>(
      "SELECT id, path_json AS path FROM fact_paths WHERE name IN (SELECT unnest($1::JSON::VARCHAR[]))",
      [JSON.stringify(names)],
    );
    return new Set(rows.filter(({ path }) => this.#volatile.has(path)).map(({ id }) => id));
  }
}
