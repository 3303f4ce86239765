import type { Database } from "../../engine/database.ts";
import type { ReadOptions, Statement } from "../../engine/statements.ts";
import { parseJson } from "../../json.ts";
import { memoryBudget } from "../../memory/budget.ts";
import type { NodeChanges } from "../../nodes/node-changes.ts";
import { partsRead } from "../../nodes/parts-read.ts";
import type { FacetSelection } from "../compile/facets.ts";
import { TOO_LONG } from "../compile/node-columns.ts";
import type { CompileContext } from "../compile/statement.ts";
import { ALL_ROWS, compileStripes, type Stripes } from "../compile/stripes.ts";
import { KeptResults } from "../kept-results.ts";
import type { Facets } from "./facets.ts";
import type { FacetField } from "./field.ts";
import { facetOf } from "./groups.ts";
import { isKeptField, isOfNodeAlone } from "./node-facets.ts";

/** Entities with many rows for each node, which only its own commands change. */
const entities: ReadonlySet<string> = new Set(["resources", "fact_nodes"]);

/** Nodes are divided into this many stripes, unless there are few. */
const STRIPES = 48;
const LEAST_WIDTH = 32;

/** Stripes where only all rows are counted, which takes no memory for groups. */
const STRIPES_OF_TOTALS = 20_000;

/** If the changes are in more stripes, all rows are counted again. */
const MOST_STRIPES = 8;

/** Groups of all stripes together that are kept, at most; and what a stripe, a group, and the sum of a group take in memory besides their texts. */
const MOST_GROUPS = 200_000;
const STRIPE_BYTES = 100;
const GROUP_BYTES = 24;
const SUM_BYTES = 300;

type Cell = string | null | typeof TOO_LONG;
type Row = readonly [
  facet: number,
  stripe: number,
  count: number,
  nodes: number,
  keys: readonly Cell[],
  values: readonly Cell[],
];

/** A group of all stripes. */
interface Sum {
  readonly key: string;
  readonly texts: readonly (string | null)[];
  written: readonly (string | null)[];
  count: number;
  nodes: number;
}

interface Stripe {
  total: number;
  /** Of each facet the groups and their counts here. */
  readonly groups: { readonly sum: Sum; readonly count: number; readonly nodes: number }[][];
}

interface Kept {
  /** The number of the last commit that it includes. */
  commit: number;
  readonly width: number;
  readonly stripes: Map<number, Stripe>;
  /** Of each facet, by the text of the keys. */
  readonly sums: readonly Map<string, Sum>[];
  bytes: number;
}

/**
 * Keeps the groups of facets of resources and facts by stripes of nodes. After a command only the stripe of its node is counted again:
 * in a fleet of 10,000 nodes the engine needs 100 to 200 ms to count the titles of all files, but some milliseconds for those of a
 * fiftieth of the nodes, whose rows are mostly beside each other. Rows are counted so from the second time on.
 */
export class StripedCounts {
  readonly #database: Database;
  readonly #changes: NodeChanges;
  readonly #kept: KeptResults<Kept>;

  /** @param limit maximum bytes of the cache */
  constructor(database: Database, changes: NodeChanges, limit = memoryBudget().keptGroups) {
    this.#database = database;
    this.#changes = changes;
    this.#kept = new KeptResults(limit);
  }

  /** Bytes of the cache. */
  get bytes(): number {
    return this.#kept.bytes;
  }

  /**
   * Facets as of one state of the store, which includes all earlier commits.
   * @returns undefined if the engine must count all rows
   */
  async read(wanted: FacetSelection, context: CompileContext, options: ReadOptions): Promise<Facets | undefined> {
    if (!canBeStriped(wanted)) return undefined;
    const statement = compileStripes(wanted, { width: 1 }, context);
    const found = this.#kept.find(statement);
    if (found === undefined) return undefined;
    const { key, kept } = found;
    const commit = this.#changes.number;
    const rowsOf = async (stripes: Stripes): Promise<readonly Row[] | undefined> =>
      this.#rows(compileStripes(wanted, stripes, context), options);
    const changed = kept === "seen" ? undefined : this.#changed(kept, statement.sql);
    if (kept === "seen" || changed === undefined) {
      const made = await this.#made(wanted.facets.length, commit, rowsOf);
      this.#kept.keep(key, made ?? "unfit");
      return made && facetsOf(wanted, made);
    }
    return this.#renewed(wanted, { key, kept, changed, commit }, rowsOf);
  }

  /** The stripes with changes; undefined: all must be counted. */
  #changed({ commit, width }: Kept, sql: string): readonly number[] | undefined {
    const ids = this.#changes.since(commit, partsRead([sql]));
    if (ids === undefined) return undefined;
    const stripes = [...new Set(ids.map((id) => Math.floor(id / width)))];
    return stripes.length > MOST_STRIPES ? undefined : stripes;
  }

  async #made(
    facets: number,
    commit: number,
    rowsOf: (stripes: Stripes) => Promise<readonly Row[] | undefined>,
  ): Promise<Kept | undefined> {
    const [row] = await this.#database.rows<{ largest: number | null }>("SELECT max(id) AS largest FROM nodes");
    const largest = row?.largest ?? 0;
    const width =
      facets === 0 ? Math.ceil((largest + 1) / STRIPES_OF_TOTALS) : Math.max(LEAST_WIDTH, Math.ceil(largest / STRIPES));
    const rows = await rowsOf({ width });
    const sums = Array.from({ length: facets }, () => new Map<string, Sum>());
    const made: Kept = { commit, width, stripes: new Map(), sums, bytes: 0 };
    return rows !== undefined && isAdded(made, rows) && this.#kept.fits(made) ? made : undefined;
  }

  async #renewed(
    wanted: FacetSelection,
    { key, kept, changed, commit }: { key: string; kept: Kept; changed: readonly number[]; commit: number },
    rowsOf: (stripes: Stripes) => Promise<readonly Row[] | undefined>,
  ): Promise<Facets | undefined> {
    const { versions } = this.#database;
    const [{ moment }, before] = [versions, kept.commit];
    if (changed.length > 0) {
      const rows = await rowsOf({ width: kept.width, only: changed });
      // Another request may have renewed it meanwhile, or a commit may have changed other stripes.
      if (!this.#kept.has(key, kept) || kept.commit !== before) return undefined;
      for (const stripe of changed) drop(kept, stripe);
      kept.commit = commit;
      if (rows === undefined || !isAdded(kept, rows)) {
        this.#kept.keep(key, "unfit");
        return undefined;
      }
      for (const sums of kept.sums) {
        for (const sum of sums.values()) {
          if (sum.count > 0) continue;
          sums.delete(sum.key);
          kept.bytes -= bytesOf(sum);
        }
      }
    } else kept.commit = commit;
    this.#kept.keep(key, kept);
    return moment !== undefined && versions.moment === moment ? facetsOf(wanted, kept) : undefined;
  }

  /** @returns undefined if there are too many */
  async #rows(statement: Statement, options: ReadOptions): Promise<readonly Row[] | undefined> {
    const found: Row[] = [];
    for await (const rows of this.#database.stream(statement, options)) {
      for (const text of rows.texts()) found.push(parseJson(text) as unknown as Row);
      if (found.length > MOST_GROUPS) return undefined;
    }
    return found;
  }
}

/** Whether the counts of stripes add up to those of all rows. */
function canBeStriped({ rows, facets, filters, like, per, distinct }: FacetSelection): boolean {
  if (!entities.has(rows.entity.alias) || filters.length > 0 || like !== undefined) return false;
  if (![per, distinct].every((field) => field === undefined || field.name === "certname")) return false;
  if (rows.where !== null && !isOfNodeAlone(rows.where)) return false;
  return facets.flat().every((field) => isKeptField(field) || isJson(field));
}

function isJson(field: FacetField): boolean {
  return field.kind === "field" && field.ref.field.type === "json";
}

/**
 * Adds the groups of stripes.
 * @returns whether all can be kept
 */
function isAdded(kept: Kept, rows: readonly Row[]): boolean {
  for (const [facet, number, count, nodes, keys, values] of rows) {
    let stripe = kept.stripes.get(number);
    if (stripe === undefined) {
      kept.stripes.set(number, (stripe = { total: 0, groups: kept.sums.map(() => []) }));
      kept.bytes += STRIPE_BYTES;
    }
    if (facet === ALL_ROWS) {
      stripe.total = count;
      continue;
    }
    if (!isText(keys) || !isText(values)) return false;
    const sum = sumOf(kept, facet, keys, values);
    if (sum === undefined) return false;
    sum.count += count;
    sum.nodes += nodes;
    stripe.groups[facet]?.push({ sum, count, nodes });
    kept.bytes += GROUP_BYTES;
  }
  return true;
}

function isText(cells: readonly Cell[]): cells is readonly (string | null)[] {
  return cells.every((cell) => cell !== TOO_LONG);
}

/** @returns undefined if the value is written differently elsewhere */
function sumOf(
  kept: Kept,
  facet: number,
  texts: readonly (string | null)[],
  written: readonly (string | null)[],
): Sum | undefined {
  const key = JSON.stringify(texts);
  const sums = kept.sums[facet];
  const found = sums?.get(key);
  if (found === undefined) {
    const made: Sum = { key, texts, written, count: 0, nodes: 0 };
    sums?.set(key, made);
    kept.bytes += bytesOf(made);
    return made;
  }
  if (found.count === 0) {
    kept.bytes -= bytesOf(found);
    found.written = written;
    kept.bytes += bytesOf(found);
  }
  return found.written.every((text, index) => text === written[index]) ? found : undefined;
}

function bytesOf({ key, written }: Sum): number {
  return SUM_BYTES + 4 * key.length + 2 * written.join("").length;
}

/** Takes the groups of a stripe away; those that are nowhere else remain, with the count 0. */
function drop(kept: Kept, number: number): void {
  const stripe = kept.stripes.get(number);
  if (stripe === undefined) return;
  kept.stripes.delete(number);
  kept.bytes -= STRIPE_BYTES;
  for (const { sum, count, nodes } of stripe.groups.flat()) {
    sum.count -= count;
    sum.nodes -= nodes;
    kept.bytes -= GROUP_BYTES;
  }
}

function facetsOf({ facets, limit, distinct }: FacetSelection, { stripes, sums }: Kept): Facets {
  return {
    total: [...stripes.values()].reduce((sum, { total }) => sum + total, 0),
    facets: facets.map((fields, index) => {
      const groups = [...(sums[index]?.values() ?? [])].map(({ nodes, ...group }) =>
        distinct === undefined ? group : { ...group, distinct: nodes },
      );
      return facetOf(fields, groups, limit);
    }),
  };
}
