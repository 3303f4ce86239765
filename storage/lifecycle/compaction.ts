import { setTimeout as pause } from "node:timers/promises";
import type { Database } from "../engine/database.ts";
import { type FileSpace, fileSpace, hasManyHoles, HOLES, type TableSpace, tableSpaces, wasted } from "./file-space.ts";
import { emptySparseGroups, inOrder } from "./join-groups.ts";
import { moveRows } from "./move-rows.ts";
import { rewriteTable } from "./rewrite-table.ts";
import { rangeOf, type RowGroup, rowGroups } from "./row-groups.ts";

/*
 * The engine only releases space at the end of its file. So when much of the file is unused, what is at its end is moved into
 * the free blocks before it: small tables in one transaction, large ones a row group at a time, because commands wait for each
 * transaction. At a checkpoint the engine itself joins row groups that have room for each other's rows; a table that has many
 * holes nevertheless, as one of a single group may, is moved as well.
 */

/** Compact only if at least this many blocks (of 256 KiB) and this part of the file can be freed. */
const WORTHWHILE = { blocks: 16, share: 1 / 8 };
/**
 * Blocks of what is moved in one transaction, at most: a table or a row group, which must fit into the engine's memory when it is
 * unpacked. A table whose groups are larger is rewritten as long as it has no more than `most`; then it stays where it is.
 */
const TOGETHER = { usual: 64, most: 256 };

/** How long to wait for earlier queries (pause in ms): they prevent what they read from being freed. */
const WAIT = { attempts: 20, pause: 100 };

/** The result of a compaction. */
export interface Compaction {
  /** bytes of the file */
  readonly before: number;
  readonly after: number;
  /** Blocks that could be freed and were not. */
  readonly left: number;
}

/**
 * Makes the file of a database smaller when much of it is unused, while others read and write it.
 * @param earlier what the compaction before has left: it is not tried again for these blocks alone
 * @returns undefined when there was nothing to gain, or running queries prevented it
 * @throws the signal's reason between two steps; completed steps remain
 */
export async function compact(database: Database, signal: AbortSignal, earlier = 0): Promise<Compaction | undefined> {
  if (database.place === "memory" || !(await checkpointed(database, signal))) return undefined;
  const before = await fileSpace(database);
  const tables = await tableSpaces(database);
  const useless = unused(before, tables) - earlier;
  if (useless < WORTHWHILE.blocks || useless < before.total * WORTHWHILE.share) return undefined;
  for (const space of tables) {
    if (!hasManyHoles(space)) continue;
    // In a large file the engine leaves alone what remains of a group.
    if (!database.isVacuumed) await emptySparseGroups(database, space, { most: 1 - HOLES, signal });
    else await move(database, await piecesOf(database, space), signal);
    if (!(await checkpointed(database, signal))) return undefined;
  }
  const after = await moveDown(database, signal);
  const left = unused(after, await tableSpaces(database));
  return { before: before.total * before.blockSize, after: after.total * after.blockSize, left };
}

/** Blocks that could be freed, about. */
function unused({ free }: FileSpace, tables: readonly TableSpace[]): number {
  return tables.reduce((sum, table) => sum + wasted(table), free);
}

/** A small table, or a part of a large one, with the number and the highest number of its blocks. */
type Piece = TableSpace | RowGroup;

/** Moves what is at the end of the file to the front until little can be gained, or everything was moved. */
async function moveDown(database: Database, signal: AbortSignal): Promise<FileSpace> {
  /** What was moved because the engine's own metadata is at the end: of each table, all from this row on. */
  const moved = new Map<string, number>();
  let space = await fileSpace(database);
  let isByPlace = true;
  // Each round moves what fits into the free blocks.
  for (let round = 1; round <= 16; round++) {
    const { pieces, end } = await movable(database, space);
    if (space.total - end <= space.total / 16) break;
    // The metadata moves with the rows that it describes, but it is unknown which these are.
    const candidates = isByPlace
      ? pieces.filter(({ last }) => last >= end).toSorted(byPlace)
      : pieces.filter((piece) => firstRow(piece) < (moved.get(piece.table) ?? Infinity)).toSorted(byRow);
    const chosen = thatFit(candidates, space.free);
    if (chosen.length > 0) await move(database, chosen, signal);
    else if (!isByPlace || space.lastOfEngine < end) break;
    if (!isByPlace) for (const piece of chosen) moved.set(piece.table, firstRow(piece));
    if (!(await checkpointed(database, signal))) break;
    const { total } = space;
    space = await fileSpace(database);
    isByPlace = space.total < total || space.lastOfEngine < end;
  }
  return space;
}

/** All that can be moved, and where the file could end: not before what cannot be moved. */
async function movable(
  database: Database,
  { total, free }: FileSpace,
): Promise<{ readonly pieces: readonly Piece[]; readonly end: number }> {
  const pieces: Piece[] = [];
  let end = total - free;
  for (const table of await tableSpaces(database)) {
    const own = await piecesOf(database, table);
    if (own.length === 0) end = Math.max(end, table.last + 1);
    pieces.push(...own);
  }
  return { pieces, end };
}

function byPlace(one: Piece, other: Piece): number {
  return other.last - one.last;
}

/** Tables from their ends, so that what a checkpoint frees does not change where the others begin; small ones first. */
function byRow(one: Piece, other: Piece): number {
  return firstRow(other) - firstRow(one);
}

function firstRow(piece: Piece): number {
  return "first" in piece ? piece.first : Number.MAX_SAFE_INTEGER;
}

/** The first pieces that have room in free blocks. */
function thatFit(pieces: readonly Piece[], free: number): Piece[] {
  let room = free;
  const end = pieces.findIndex(({ blocks }) => (room -= blocks) < 0);
  return pieces.slice(0, end === -1 ? undefined : end);
}

/** The pieces in which a table can be moved: none for a large one whose order matters, or whose row groups are too large. */
async function piecesOf(database: Database, table: TableSpace): Promise<Piece[]> {
  if (table.blocks <= TOGETHER.usual) return [table];
  if (inOrder.has(table.table)) return [];
  const groups = await rowGroups(database, table.table);
  if (groups.every(({ blocks }) => blocks <= TOGETHER.usual)) return groups;
  return table.blocks <= TOGETHER.most ? [table] : [];
}

async function move(database: Database, pieces: readonly Piece[], signal: AbortSignal): Promise<void> {
  for (const piece of pieces.toSorted(byRow)) {
    signal.throwIfAborted();
    if ("first" in piece) await database.transaction((tx) => moveRows(tx, rangeOf(piece)));
    else await rewriteTable(database, piece.table, signal);
  }
}

/** @returns false when a query that began before the last change still prevents it */
async function checkpointed(database: Database, signal: AbortSignal): Promise<boolean> {
  for (let attempt = 1; attempt <= WAIT.attempts; attempt++) {
    signal.throwIfAborted();
    if (await database.checkpoint()) return true;
    await pause(WAIT.pause, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
  return false;
}
