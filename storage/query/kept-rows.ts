import { compareBytewise } from "../bytewise.ts";
import type { Database } from "../engine/database.ts";
import type { ReadOptions, Statement } from "../engine/statements.ts";
import { parseJson } from "../json.ts";
import { memoryBudget } from "../memory/budget.ts";
import type { NodeChanges } from "../nodes/node-changes.ts";
import { partsRead } from "../nodes/parts-read.ts";
import { fixedFields } from "./compile/facets.ts";
import { TOO_LONG } from "./compile/node-columns.ts";
import { compileRowsByNode } from "./compile/rows-by-node.ts";
import type { CompileContext } from "./compile/statement.ts";
import { isOfNodeAlone } from "./facets/node-facets.ts";
import { KeptResults } from "./kept-results.ts";
import type { Order, Selection } from "./tree.ts";

/** Entities with rows that only the commands of their node change. */
const entities: ReadonlySet<string> = new Set(["facts", "resources", "fact_nodes"]);

/** Rows of a query that are kept, at most; and what a row takes in memory besides its texts. */
const MOST_ROWS = 30_000;
const ROW_BYTES = 120;

/** If more nodes have changed, all rows are read again. */
const MOST_CHANGED = 32;

type Key = string | null;

interface Row {
  readonly node: number;
  readonly keys: readonly Key[];
  readonly text: string;
}

/** The rows of a query as of some commit; replaced rather than changed. */
interface Kept {
  /** The number of the last commit that it includes. */
  readonly commit: number;
  /** In the order of the query. */
  readonly rows: readonly Row[];
  readonly bytes: number;
}

/** A page of a list. */
export interface KeptPage {
  readonly texts: string[];
  /** The number of rows before limit and offset. */
  readonly total: number;
}

/**
 * Keeps the rows of lists in an order, such as a fact's values on all nodes. After a command only the rows of its node are read again:
 * of three million facts the engine needs more than 100 ms to find the 10,000 of one path and their order, but some milliseconds for those of one
 * node. Rows are kept from the second time on.
 */
export class KeptRows {
  readonly #database: Database;
  readonly #changes: NodeChanges;
  /** By statement and order. */
  readonly #kept: KeptResults<Kept>;

  /** @param limit maximum bytes of the cache */
  constructor(database: Database, changes: NodeChanges, limit = memoryBudget().keptRows) {
    this.#database = database;
    this.#changes = changes;
    this.#kept = new KeptResults(limit);
  }

  /** Bytes of the cache. */
  get bytes(): number {
    return this.#kept.bytes;
  }

  /**
   * A page as of one state of the store, which includes all earlier commits.
   * @returns undefined if the engine must read it
   */
  async read(selection: Selection, context: CompileContext, options: ReadOptions): Promise<KeptPage | undefined> {
    if (!canBeKept(selection)) return undefined;
    const statement = compileRowsByNode(selection, context);
    const { orderBy = [] } = selection.paging;
    const directions = orderBy.map(({ descending }) => (descending ? "-" : "+")).join("");
    const found = this.#kept.find(statement, `${directions} `);
    if (found === undefined) return undefined;
    const { key, kept } = found;
    const { versions } = this.#database;
    const { moment } = versions;
    const commit = this.#changes.number;
    const changed = kept === "seen" ? undefined : this.#changes.since(kept.commit, partsRead([statement.sql]));
    if (kept === "seen" || changed === undefined || changed.length > MOST_CHANGED) {
      // One statement reads one state, which may be a later one.
      const rows = await this.#rows(statement, options);
      const made = rows && keptOf(commit, rows.toSorted(inOrder(orderBy)));
      this.#kept.keep(key, made ?? "unfit");
      return made && pageOf(made, selection);
    }
    const renewed = await this.#renewed(kept, { changed, commit, orderBy }, async () =>
      this.#rows(compileRowsByNode(selection, context, changed), options),
    );
    this.#kept.keep(key, renewed ?? "unfit");
    // Otherwise a commit may have changed the rows of other nodes before these were read.
    const isOneState = changed.length === 0 || (moment !== undefined && versions.moment === moment);
    return renewed && isOneState ? pageOf(renewed, selection) : undefined;
  }

  async #renewed(
    { rows, ...kept }: Kept,
    { changed, commit, orderBy }: { changed: readonly number[]; commit: number; orderBy: readonly Order[] },
    read: () => Promise<readonly Row[] | undefined>,
  ): Promise<Kept | undefined> {
    if (changed.length === 0) return { ...kept, rows, commit };
    const fresh = await read();
    if (fresh === undefined) return undefined;
    const isChanged = new Set(changed);
    const others = rows.filter(({ node }) => !isChanged.has(node));
    return keptOf(commit, merged(others, fresh.toSorted(inOrder(orderBy)), inOrder(orderBy)));
  }

  /** @returns undefined if there are too many, or one is too long */
  async #rows(statement: Statement, options: ReadOptions): Promise<readonly Row[] | undefined> {
    const found: Row[] = [];
    let bytes = 0;
    for await (const rows of this.#database.stream(statement, options)) {
      for (const written of rows.texts()) {
        const row = rowOf(written);
        if (row === undefined) return undefined;
        found.push(row);
        bytes += bytesOf(row);
      }
      if (found.length > MOST_ROWS || !this.#kept.fits({ bytes })) return undefined;
    }
    return found;
  }
}

/** Whether it is a page of rows that belong to nodes, in an order without ties. */
function canBeKept({ entity, columns, where, groupBy, paging: { orderBy, limit } }: Selection): boolean {
  if (limit === undefined || orderBy === undefined || groupBy !== null || !entities.has(entity.alias)) return false;
  if (!columns.every(({ kind }) => kind === "field") || (where !== null && !isOfNodeAlone(where))) return false;
  const known = new Set([...fixedFields(where), ...orderBy.map(({ ref }) => ref.name)]);
  return orderBy.every(isText) && entity.unique?.every((name) => known.has(name)) === true;
}

/** Whether texts are compared, byte by byte. */
function isText({ ref: { field } }: Order): boolean {
  return field.type === "string" || (field.type === "json" && field.sortKey !== undefined);
}

/** @returns undefined if something in it is too long */
function rowOf(written: string): Row | undefined {
  type Cell = Key | typeof TOO_LONG;
  const [node, keys, text] = parseJson(written) as unknown as readonly [number, readonly Cell[], Cell];
  return typeof text === "string" && keys.every((key) => key !== TOO_LONG) ? { node, keys, text } : undefined;
}

function keptOf(commit: number, rows: readonly Row[]): Kept {
  return { commit, rows, bytes: rows.reduce((sum, row) => sum + bytesOf(row), 0) };
}

function bytesOf({ keys, text }: Row): number {
  return keys.reduce((sum, key) => sum + 2 * (key?.length ?? 0), ROW_BYTES + 2 * text.length);
}

/** NULLs are last ascending, first descending. */
function inOrder(orderBy: readonly Order[]): (a: Row, b: Row) => number {
  return (a, b) => {
    for (const [index, { descending }] of orderBy.entries()) {
      const [left, right] = [a.keys[index] ?? null, b.keys[index] ?? null];
      if (left === right) continue;
      const order = left === null ? 1 : right === null ? -1 : compareBytewise(left, right);
      return descending ? -order : order;
    }
    return 0;
  };
}

/** Both lists in one order. */
function merged(rows: readonly Row[], fresh: readonly Row[], compare: (a: Row, b: Row) => number): Row[] {
  let all: Row[] = [];
  let from = 0;
  for (const row of fresh) {
    let [low, high] = [from, rows.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = rows[middle];
      if (other !== undefined && compare(other, row) < 0) low = middle + 1;
      else high = middle;
    }
    all = all.concat(rows.slice(from, low), row);
    from = low;
  }
  return all.concat(rows.slice(from));
}

function pageOf({ rows }: Kept, { paging: { limit, offset = 0n } }: Selection): KeptPage {
  const from = Math.min(Number(offset), rows.length);
  const page = rows.slice(from, from + Math.min(Number(limit ?? 0n), rows.length));
  return { texts: page.map(({ text }) => text), total: rows.length };
}
