import type { Database } from "../../engine/database.ts";
import type { ReadOptions, Statement } from "../../engine/statements.ts";
import { parseJson } from "../../json.ts";
import { memoryBudget } from "../../memory/budget.ts";
import type { NodeChanges } from "../../nodes/node-changes.ts";
import { partsRead } from "../../nodes/parts-read.ts";
import type { FacetSelection } from "../compile/facets.ts";
import { TOO_LONG } from "../compile/node-columns.ts";
import type { CompileContext } from "../compile/statement.ts";
import { compileValuesByNode } from "../compile/values-by-node.ts";
import { KeptResults } from "../kept-results.ts";
import type { Facets } from "./facets.ts";
import type { FacetField } from "./field.ts";
import { facetOf } from "./groups.ts";
import { isKeptField, isOfNodeAlone } from "./node-facets.ts";

/** If more nodes have changed, all are read again. */
const MOST_CHANGED = 32;

/** Memory of a value of a node, of a different value, and of a node, bytes. */
const [VALUE_BYTES, DISTINCT_BYTES, NODE_BYTES] = [24, 90, 200];

/** Rows with the same text in a field. */
interface Group {
  readonly key: string | null;
  count: number;
  /** The number of rows by the numbers that distinguish their values. */
  readonly values: Map<number, number>;
}

/** The rows of a node. */
interface NodeRows {
  readonly groups: readonly Group[];
  readonly numbers: readonly (number | null)[];
}

interface Kept {
  /** The number of the last commit that it includes. */
  commit: number;
  readonly groups: Map<string | null, Group>;
  readonly nodes: Map<number, NodeRows>;
  bytes: number;
}

type Row = readonly [
  node: number,
  keys: readonly (string | null | typeof TOO_LONG)[],
  numbers: readonly (number | null)[],
];

interface Wanted {
  readonly field: FacetField;
  readonly distinct: FacetField;
}

/**
 * Keeps which values the facts of each node have, to count the different ones of each fact. After a command only the facts of its node are
 * read again: of 10,000 nodes the engine needs 80 ms to read all values. They are kept from the second time on.
 */
export class DistinctCounts {
  readonly #database: Database;
  readonly #changes: NodeChanges;
  readonly #kept: KeptResults<Kept>;

  /** @param limit maximum bytes of the cache */
  constructor(database: Database, changes: NodeChanges, limit = memoryBudget().keptValues) {
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
   * @returns undefined if the engine must count
   */
  async read(selection: FacetSelection, context: CompileContext, options: ReadOptions): Promise<Facets | undefined> {
    const wanted = wantedOf(selection);
    if (wanted === undefined) return undefined;
    const statement = compileValuesByNode(selection.rows, wanted, context);
    const found = this.#kept.find(statement);
    if (found === undefined) return undefined;
    const { key, kept } = found;
    const { versions } = this.#database;
    const { moment } = versions;
    const commit = this.#changes.number;
    const changed = kept === "seen" ? undefined : this.#changes.since(kept.commit, partsRead([statement.sql]));
    if (kept === "seen" || changed === undefined || changed.length > MOST_CHANGED) {
      const made = await this.#made(commit, statement, options);
      this.#kept.keep(key, made ?? "unfit");
      return made && facetsOf(selection, wanted, made);
    }
    if (changed.length > 0) {
      const before = kept.commit;
      const rows: Row[] = [];
      const only = compileValuesByNode(selection.rows, wanted, context, changed);
      for await (const some of this.#rows(only, options)) rows.push(...some);
      // Another request may have renewed it meanwhile.
      if (!this.#kept.has(key, kept) || kept.commit !== before) return undefined;
      for (const node of changed) remove(kept, node);
      kept.commit = commit;
      if (!isAdded(kept, rows) || !this.#kept.fits(kept)) {
        this.#kept.keep(key, "unfit");
        return undefined;
      }
    } else kept.commit = commit;
    this.#kept.keep(key, kept);
    // Otherwise a commit may have changed the facts of other nodes before these were read.
    const isOneState = changed.length === 0 || (moment !== undefined && versions.moment === moment);
    return isOneState ? facetsOf(selection, wanted, kept) : undefined;
  }

  /** One statement reads one state, which may be a later one. */
  async #made(commit: number, statement: Statement, options: ReadOptions): Promise<Kept | undefined> {
    const made: Kept = { commit, groups: new Map(), nodes: new Map(), bytes: 0 };
    for await (const rows of this.#rows(statement, options)) {
      if (!isAdded(made, rows) || !this.#kept.fits(made)) return undefined;
    }
    return made;
  }

  async *#rows(statement: Statement, options: ReadOptions): AsyncGenerator<Row[]> {
    for await (const rows of this.#database.stream(statement, options)) {
      yield rows.texts().map((text) => parseJson(text) as unknown as Row);
    }
  }
}

/** The fields, where each fact of a node is counted by its name and different values are counted. */
function wantedOf({ rows, facets, filters, like, per, distinct }: FacetSelection): Wanted | undefined {
  const [fields, ...others] = facets;
  const [field] = fields ?? [];
  if (rows.entity.alias !== "facts" || others.length > 0 || fields?.length !== 1 || field === undefined)
    return undefined;
  if (filters.length > 0 || like !== undefined || per !== undefined || distinct === undefined) return undefined;
  const isKept = isKeptField(field) && (rows.where === null || isOfNodeAlone(rows.where));
  return isKept && distinct.kind === "field" && distinct.name !== field.name ? { field, distinct } : undefined;
}

/**
 * Adds the rows of nodes.
 * @returns whether all can be kept
 */
function isAdded(kept: Kept, rows: readonly Row[]): boolean {
  for (const [node, keys, numbers] of rows) {
    const groups: Group[] = [];
    for (const [index, key] of keys.entries()) {
      if (key === TOO_LONG) return false;
      let group = kept.groups.get(key);
      if (group === undefined) kept.groups.set(key, (group = { key, count: 0, values: new Map() }));
      groups.push(group);
      group.count++;
      const number = numbers[index] ?? null;
      if (number === null) continue;
      const before = group.values.get(number) ?? 0;
      group.values.set(number, before + 1);
      if (before === 0) kept.bytes += DISTINCT_BYTES;
    }
    kept.nodes.set(node, { groups, numbers });
    kept.bytes += NODE_BYTES + VALUE_BYTES * groups.length;
  }
  return true;
}

function remove(kept: Kept, node: number): void {
  const rows = kept.nodes.get(node);
  if (rows === undefined) return;
  kept.nodes.delete(node);
  kept.bytes -= NODE_BYTES + VALUE_BYTES * rows.groups.length;
  for (const [index, group] of rows.groups.entries()) {
    const number = rows.numbers[index] ?? null;
    if (--group.count === 0) kept.groups.delete(group.key);
    if (number === null) continue;
    const left = (group.values.get(number) ?? 0) - 1;
    if (left > 0) {
      group.values.set(number, left);
    } else {
      group.values.delete(number);
      kept.bytes -= DISTINCT_BYTES;
    }
  }
}

function facetsOf({ limit }: FacetSelection, { field }: Wanted, { groups }: Kept): Facets {
  const found = [...groups.values()].map(({ key, count, values }) => ({ texts: [key], count, distinct: values.size }));
  return { total: found.reduce((sum, { count }) => sum + count, 0), facets: [facetOf([field], found, limit)] };
}
