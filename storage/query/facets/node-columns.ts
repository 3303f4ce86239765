import type { Database } from "../../engine/database.ts";
import { hasPatterns } from "../../engine/pattern-run.ts";
import type { ReadOptions, Statement } from "../../engine/statements.ts";
import { parseJson } from "../../json.ts";
import { memoryBudget } from "../../memory/budget.ts";
import { RecentlyUsed } from "../../memory/recently-used.ts";
import type { NodeChanges } from "../../nodes/node-changes.ts";
import { partsRead } from "../../nodes/parts-read.ts";
import {
  compileNodeColumns,
  nodeColumnKey,
  type NodeColumn,
  type RowsOfNodes,
  TOO_LONG,
} from "../compile/node-columns.ts";
import type { CompileContext } from "../compile/statement.ts";
import { statementKey } from "../statement-key.ts";

/** The text, or null, by the node's id; undefined if there is no such node, or it has no such row. */
export type NodeValues = readonly (string | null | undefined)[];

/** The distinct texts of a column, which nodes share; some may be unused. */
class SharedTexts {
  readonly #texts = new Map<string, string>();
  #bytes = 0;

  get size(): number {
    return this.#texts.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The same text. */
  shared(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    this.#texts.set(text, text);
    this.#bytes += TEXT_BYTES + 2 * text.length;
    return text;
  }
}

/** A column as of some commit; replaced rather than changed. */
interface Kept {
  /** The number of the last commit that it includes. */
  readonly commit: number;
  readonly values: NodeValues;
  readonly texts: SharedTexts;
}

/** A column is not cached because a value is too long. */
type Unfit = "unfit";

interface Wanted {
  readonly key: string;
  /** Of the column among those that are wanted. */
  readonly index: number;
}

type NodeRow = readonly [id: number, ...cells: (string | null | typeof TOO_LONG)[]];

/** Reads some columns, of all nodes or of some. */
type RowsOf = (which: readonly Wanted[], ids?: readonly number[]) => Promise<readonly NodeRow[]>;

/**
 * If more nodes have changed, all are read, because the engine needs a millisecond or more to find the facts of each.
 */
const MOST_CHANGED = 32;

/** Memory of a distinct text besides its characters, bytes. */
const TEXT_BYTES = 100;

/**
 * Caches the columns of nodes that facets count. After a command only the nodes that it changed are read again:
 * the engine needs 100 ms to find three facts of 10,000 nodes, but only some milliseconds for those of one.
 */
export class NodeColumns {
  readonly #database: Database;
  readonly #changes: NodeChanges;
  readonly #kept: RecentlyUsed<Kept | Unfit>;

  /** @param limit maximum bytes of the cache */
  constructor(database: Database, changes: NodeChanges, limit = memoryBudget().keptColumns) {
    this.#database = database;
    this.#changes = changes;
    this.#kept = new RecentlyUsed({ bytes: limit, sizeOf });
  }

  /** Bytes of the cache. */
  get bytes(): number {
    return this.#kept.bytes;
  }

  /**
   * The values of some columns for each node, as of one state of the store, which includes all earlier commits.
   * @param wanted columns over rows of which each node has one at most; a node without one has no values
   * @returns undefined if they cannot be cached, or are not of one state
   */
  async read(
    { rows, columns }: { readonly rows: RowsOfNodes; readonly columns: readonly NodeColumn[] },
    context: CompileContext,
    options: ReadOptions,
  ): Promise<readonly NodeValues[] | undefined> {
    const statements = columns.map((column) => nodeColumnKey(rows, column, context));
    if (statements.some(({ values }) => hasPatterns(values))) return undefined;
    const wanted = statements.map((statement, index): Wanted => ({ key: statementKey(statement), index }));
    if (wanted.some(({ key }) => this.#kept.peek(key) === "unfit")) return undefined;
    const rowsOf = async (which: readonly Wanted[], ids?: readonly number[]): Promise<readonly NodeRow[]> => {
      const chosen = which.flatMap(({ index }) => columns[index] ?? []);
      return this.#rows(compileNodeColumns(rows, chosen, context, ids), options);
    };
    const isRead = (): ((part: string) => boolean) => partsRead([compileNodeColumns(rows, columns, context).sql]);
    const renewed = await this.#renewed(wanted, isRead, rowsOf);
    const found = renewed?.columns ?? (await this.#readAnew(wanted, rowsOf));
    for (const [index, { key }] of wanted.entries()) this.#keep(key, found[index] ?? "unfit");
    return renewed?.isOneState === false || found.some((column) => column === "unfit")
      ? undefined
      : found.flatMap((column) => (column === "unfit" ? [] : [column.values]));
  }

  /**
   * The cached columns, updated for changed nodes, and the columns that are missing.
   * @returns undefined if everything must be read, because much has changed
   */
  async #renewed(
    wanted: readonly Wanted[],
    isRead: () => (part: string) => boolean,
    rowsOf: RowsOf,
  ): Promise<{ readonly columns: readonly (Kept | Unfit)[]; readonly isOneState: boolean } | undefined> {
    const { versions } = this.#database;
    const { moment } = versions;
    const commit = this.#changes.number;
    const kept = new Map<Wanted, Kept>();
    for (const each of wanted) {
      const found = this.#kept.peek(each.key);
      if (found !== undefined && found !== "unfit") kept.set(each, found);
    }
    if (kept.size === 0) return undefined;
    const changed = this.#changes.since(Math.min(...[...kept.values()].map((each) => each.commit)), isRead());
    if (changed === undefined || changed.length > MOST_CHANGED) return undefined;
    const [old, missing] = [wanted.filter((each) => kept.has(each)), wanted.filter((each) => !kept.has(each))];
    // All columns of a node that has changed are read together.
    const changes = changed.length === 0 ? [] : await rowsOf(old, changed);
    const anew = missing.length === 0 ? [] : await rowsOf(missing);
    // A commit may have changed other nodes before these were read.
    const isOneState = moment !== undefined && versions.moment === moment;
    if (missing.length > 0 && !isOneState) return undefined;
    const columns = wanted.map((each): Kept | Unfit => {
      const found = kept.get(each);
      if (found === undefined) return columnOf(anew, missing.indexOf(each), commit);
      if (changed.length === 0) return { ...found, commit };
      const values = [...found.values];
      for (const id of changed) values[id] = undefined;
      return withRows({ values, texts: found.texts, commit }, changes, old.indexOf(each));
    });
    return { columns, isOneState: changed.length === 0 || isOneState };
  }

  /** All columns as of one state, which may be a later commit than the one they are labelled with. */
  async #readAnew(wanted: readonly Wanted[], rowsOf: RowsOf): Promise<readonly (Kept | Unfit)[]> {
    const commit = this.#changes.number;
    const rows = await rowsOf(wanted);
    return wanted.map((_, cell) => columnOf(rows, cell, commit));
  }

  async #rows(statement: Statement, options: ReadOptions): Promise<readonly NodeRow[]> {
    const found: NodeRow[] = [];
    for await (const rows of this.#database.stream(statement, options)) {
      for (const text of rows.texts()) found.push(parseJson(text) as unknown as NodeRow);
    }
    return found;
  }

  #keep(key: string, column: Kept | Unfit): void {
    const before = this.#kept.peek(key);
    // Another request may have read it as of a later commit.
    const isOlder = before !== undefined && before !== "unfit" && column !== "unfit" && before.commit > column.commit;
    this.#kept.set(key, isOlder ? before : column);
  }
}

function columnOf(rows: readonly NodeRow[], cell: number, commit: number): Kept | Unfit {
  return withRows({ values: [], texts: new SharedTexts(), commit }, rows, cell);
}

/** A column with the cells of some rows. */
function withRows(
  { values, texts, commit }: { values: (string | null | undefined)[]; texts: SharedTexts; commit: number },
  rows: readonly NodeRow[],
  cell: number,
): Kept | Unfit {
  for (const [id, ...cells] of rows) {
    const text = cells[cell] ?? null;
    if (text === TOO_LONG) return "unfit";
    values[id] = text === null ? null : texts.shared(text);
  }
  // Unused texts do not matter until there are more of them than nodes.
  if (texts.size <= 2 * values.length) return { commit, values, texts };
  const inUse = new SharedTexts();
  for (const text of values) if (typeof text === "string") inUse.shared(text);
  return { commit, values, texts: inUse };
}

function sizeOf(column: Kept | Unfit, key: string): number {
  return 2 * key.length + (column === "unfit" ? 0 : 8 * column.values.length + column.texts.bytes);
}
