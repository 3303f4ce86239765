import { isNumber, isObject, type Json, numberText, stringifyJson } from "#storage/json.ts";
import type { FactPath } from "../pql/fact-path.ts";
import { literal, query } from "../pql/text.ts";
import { signal, type Signal } from "@preact/signals";
import { pathOf } from "../data/fetch-json.ts";
import { load } from "../data/load.ts";
import type { Facets } from "#storage/query/facets/answer.ts";

/** How common a fact's value is. */
export interface FleetShare {
  /** Nodes with this value. */
  readonly same: number;
  /** Nodes with the fact, and the number of its different values. */
  readonly nodes: number;
  readonly values: number;
}

/** A scalar in the facts of a node. */
export interface Leaf {
  readonly path: FactPath;
  readonly value: Json;
}

/** The query that counts nodes with the same values as these leaves. */
export function sharesPql(leaves: readonly Leaf[]): string {
  const conditions = leaves.map(
    ({ path, value }) => `(path = ${stringifyJson([...path])} and ${valueCondition(value)})`,
  );
  return query("fact_contents", {
    select: ["path", "value", "count()"],
    where: conditions.join(" or "),
    groupBy: ["path", "value"],
  });
}

function valueCondition(value: Json): string {
  if (value === null) return "value is null";
  if (isNumber(value)) return `value = ${numberText(value)}`;
  return `value = ${literal(value as string | boolean)}`;
}

/** A value that is rarer than this among nodes that have few different ones is worth a look. */
const RARE = 0.05;
/** Facts whose values are shared by fewer nodes on average identify nodes: an address, a name. */
const LEAST_SHARED = 4;

/** Whether a value is unusual: few nodes have it, and it is not one that differs on every node. */
export function isRare({ same, nodes, values }: FleetShare): boolean {
  if (nodes < 2 * LEAST_SHARED || values < 2) return false;
  return same / nodes < RARE && nodes / values >= LEAST_SHARED;
}

/** Leaves counted by one query. */
const BATCH = 50;
/** Waits for all lines that appear at the same time, ms. */
const GATHERING_MS = 30;

/** Counts how many nodes have the same values, in batches, for the leaves that are seen. */
export class FleetShares {
  readonly #shares = new Map<string, Signal<FleetShare | undefined>>();
  readonly #waiting = new Map<string, Leaf>();
  readonly #controller = new AbortController();
  #isWorking = false;

  /** The share of a leaf; undefined until it is counted. */
  of(leaf: Leaf): Signal<FleetShare | undefined> {
    const id = stringifyJson([...leaf.path]);
    let share = this.#shares.get(id);
    if (share === undefined) {
      share = signal(undefined);
      this.#shares.set(id, share);
      this.#waiting.set(id, leaf);
      if (!this.#isWorking) void this.#work();
    }
    return share;
  }

  /** Stops counting. */
  close(): void {
    this.#controller.abort();
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    await new Promise((resolve) => setTimeout(resolve, GATHERING_MS));
    try {
      while (this.#waiting.size > 0) {
        const batch = [...this.#waiting].slice(0, BATCH);
        for (const [id] of batch) this.#waiting.delete(id);
        await this.#count(batch.map(([, leaf]) => leaf));
      }
    } catch {
      // Aborted, or refused: the lines stay without a share.
    }
    this.#isWorking = false;
  }

  async #count(leaves: readonly Leaf[]): Promise<void> {
    const { signal } = this.#controller;
    const [same, paths] = await Promise.all([
      load({ path: "/pdb/query/v4", parameters: { query: sharesPql(leaves) } }, signal),
      load({ path: pathOf("facets"), parameters: pathParameters(leaves) }, signal),
    ]);
    const counts = new Map<string, number>();
    for (const row of shareRows(same.value)) {
      counts.set(stringifyJson([row["path"] ?? null, row["value"] ?? null]), Number(row["count"]));
    }
    const byPath = new Map<string, { nodes: number; values: number }>();
    for (const { value, count, distinct = 0 } of distinctOf(paths.value)) {
      byPath.set(stringifyJson(value), { nodes: count, values: distinct });
    }
    for (const { path, value } of leaves) {
      const id = stringifyJson([...path]);
      const { nodes = 0, values = 0 } = byPath.get(id) ?? {};
      const share = this.#shares.get(id);
      if (share !== undefined)
        share.value = { same: counts.get(stringifyJson([[...path], value])) ?? 0, nodes, values };
    }
  }
}

function pathParameters(leaves: readonly Leaf[]): Record<string, string | number> {
  const paths = leaves.map(({ path }) => stringifyJson([...path])).join(", ");
  return {
    query: query("fact_contents", { where: `path in [${paths}]` }),
    facet: "path",
    distinct: "value",
    limit: BATCH,
  };
}

function shareRows(value: Json): readonly { readonly [key: string]: Json }[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function distinctOf(value: Json): readonly { value: Json; count: number; distinct?: number }[] {
  return (value as unknown as Facets).facets[0]?.values ?? [];
}
