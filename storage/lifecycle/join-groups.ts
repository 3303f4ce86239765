import { setTimeout as pause } from "node:timers/promises";
import type { Database } from "../engine/database.ts";
import { GROUP_ROWS } from "../engine/file-layout.ts";
import { historyTables } from "../history/state.ts";
import { hasManyHoles, type TableSpace, tableSpaces } from "./file-space.ts";
import { moveRows, type RowRange } from "./move-rows.ts";
import { rangeOf, type RowGroup, rowGroups } from "./row-groups.ts";

/*
 * In a large file each checkpoint adds a row group to every table that has got rows since the last one, and deleted rows leave
 * holes: the engine would join groups at each checkpoint, and commands would wait for it (`storage/engine/engine-file.ts`). So they
 * are joined here, in transactions that take as long as those of a batch of commands.
 */

/** Row groups are joined after this many checkpoints. */
export const CHECKPOINTS = 16;

/** What is joined at once, at most: rows of full groups, or blocks where a full group would have more than a compaction can move. */
const JOINED = { groups: 4, blocks: 64 };

/** Large tables whose rows keep their order: they only grow, and are deleted from the beginning. */
export const inOrder: ReadonlySet<string> = new Set(historyTables);

/**
 * Joins small row groups of a large file, and moves rows out of groups that are mostly holes, while others read and write it.
 * @throws the signal's reason between two steps; completed steps remain
 */
export async function joinRowGroups(database: Database, signal: AbortSignal): Promise<void> {
  // Also where it fails: it is tried again after as many checkpoints.
  database.countCheckpointsAnew();
  for (const space of await tableSpaces(database)) {
    const { table } = space;
    const together = rowsTogether(space);
    const keepsOrder = inOrder.has(table);
    const runs = runsToJoin(await rowGroups(database, table), keepsOrder ? together : rowsJoined(space));
    // One at the end keeps the order of rows.
    for (const run of keepsOrder ? runs.slice(0, 1) : runs) await join(database, { run, together, signal });
    if (hasManyHoles(space)) await emptySparseGroups(database, space, { most: 1 / 2, signal });
  }
}

interface Joining {
  /** neighbours, at least one */
  readonly run: readonly RowGroup[];
  /** Rows that are moved in one transaction, at most. */
  readonly together: number;
  readonly signal: AbortSignal;
}

/**
 * Moves the rows of a run to the end of its table, where they fill other groups.
 * @throws the signal's reason between two steps
 */
async function join(database: Database, { run, together, signal }: Joining): Promise<void> {
  const [first, last] = [run[0], run.at(-1)];
  if (first === undefined || last === undefined) return;
  const range: RowRange = { ...rangeOf(first), last: rangeOf(last).last };
  signal.throwIfAborted();
  if (range.last - range.first < together) return moveInTurn(database, range, signal);
  // From the end, because a checkpoint drops empty groups, which changes the numbers of all rows after them.
  for (const group of run.toReversed()) await empty(database, { group, together, signal });
}

/** How many rows of a table are moved in one transaction. */
function rowsTogether(space: TableSpace): number {
  // About 16 blocks (of 256 KiB).
  return Math.max(1, Math.min(GROUP_ROWS, rowsOf(space, 16)));
}

/** How many rows of a table are joined at once. */
function rowsJoined(space: TableSpace): number {
  const rows = rowsOf(space, JOINED.blocks);
  return rows < GROUP_ROWS ? rows : JOINED.groups * GROUP_ROWS;
}

/** The rows of some blocks, about. */
function rowsOf({ allocated, blocks }: TableSpace, some: number): number {
  return Math.floor((allocated * some) / Math.max(1, blocks));
}

/**
 * Neighbouring groups to join, those at the end of the table first: moving them changes the numbers of no rows before.
 * A group is joined only with others that have as many rows together, so that rows are moved the fewer times the more there are,
 * and only where half as many groups are left.
 * @param most rows of a run
 */
export function runsToJoin(groups: readonly RowGroup[], most: number): (readonly RowGroup[])[] {
  const runs: (readonly RowGroup[])[] = [];
  for (let end = groups.length; end > 0;) {
    const begin = beginOfRun(groups, end, most);
    if (begin < end) runs.push(groups.slice(begin, end));
    end = Math.min(begin, end - 1);
  }
  return runs;
}

/** Where the longest run of groups begins that ends before `end`; `end` itself: there is none. */
function beginOfRun(groups: readonly RowGroup[], end: number, most: number): number {
  let [rows, largest, begin] = [0, 0, end];
  for (let at = end - 1; at >= 0; at--) {
    const { rows: own } = groups[at] as RowGroup;
    rows += own;
    largest = Math.max(largest, own);
    if (rows > most) break;
    const count = end - at;
    const isFewer = Math.ceil(rows / GROUP_ROWS) <= count / 2;
    // To find the rows of a node the engine reads, in the worst case, a block of each
    // group: with 8 neighbours, catalogs of 100,000 nodes have five times as many groups.
    if (count >= 4 && largest <= rows / 2 && isFewer) begin = at;
  }
  return begin;
}

/** What {@link emptySparseGroups} does. */
interface Emptying {
  /** The part of a group's rows that is left at most. */
  readonly most: number;
  readonly signal: AbortSignal;
}

/** Moves what is left of groups that are mostly holes to the end of their table. @throws the signal's reason between two steps */
export async function emptySparseGroups(
  database: Database,
  space: TableSpace,
  { most, signal }: Emptying,
): Promise<void> {
  const { table } = space;
  if (inOrder.has(table)) return;
  // From the end, because a checkpoint drops empty groups, which changes the numbers of all rows after them.
  for (const group of (await rowGroups(database, table)).toReversed()) {
    signal.throwIfAborted();
    if ((await liveRows(database, group)) > group.rows * most) continue;
    await empty(database, { group, together: rowsTogether(space), signal });
  }
}

/** Moves all rows of a group, this many in a transaction. */
async function empty(
  database: Database,
  { group, together, signal }: { readonly group: RowGroup; readonly together: number; readonly signal: AbortSignal },
): Promise<void> {
  const { table, first: begin, last: end } = rangeOf(group);
  for (let first = begin; ;) {
    signal.throwIfAborted();
    const [part] = await database.rows<{ last: number | null }>(
      `SELECT max(rowid)::DOUBLE AS last FROM
        (SELECT rowid FROM "${table}" WHERE rowid BETWEEN $1 AND $2 ORDER BY rowid LIMIT ${together})`,
      [BigInt(first), BigInt(end)],
    );
    const last = part?.last ?? undefined;
    if (last === undefined) return;
    await moveInTurn(database, { table, first, last }, signal);
    first = last + 1;
  }
}

/** Moves rows, then lets commands be stored that have waited for it. */
async function moveInTurn(database: Database, range: RowRange, signal: AbortSignal): Promise<void> {
  const begun = performance.now();
  await database.transaction((tx) => moveRows(tx, range));
  // The duration includes the wait for others.
  const rest = 2 * (performance.now() - begun);
  await pause(rest, undefined, { signal }).catch(() => signal.throwIfAborted());
}

async function liveRows(database: Database, group: RowGroup): Promise<number> {
  const { table, first, last } = rangeOf(group);
  const [row] = await database.rows<{ live: number }>(
    `SELECT count(*)::DOUBLE AS live FROM "${table}" WHERE rowid BETWEEN $1 AND $2`,
    [BigInt(first), BigInt(last)],
  );
  return row?.live ?? 0;
}
