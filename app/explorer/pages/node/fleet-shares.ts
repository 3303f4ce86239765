import { signal, type Signal } from "@preact/signals";
import { isObject, type Json, stringifyJson } from "#storage/json.ts";
import { pathOf } from "../data/fetch-json.ts";
import { load } from "../data/load.ts";
import type { Facets } from "#storage/query/facets/answer.ts";
import { query } from "../pql/text.ts";
import { type FleetShare, type Leaf, sharesPql } from "./shares.ts";

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
