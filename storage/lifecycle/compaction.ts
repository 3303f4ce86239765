import { setTimeout as pause } from "node:timers/promises";
import type { Database } from "../engine/database.ts";
import { type FileSpace, fileSpace, type TableSpace, tableSpaces, wasted } from "./file-space.ts";
import { rewriteTable } from "./rewrite-table.ts";

/*
 * The engine only releases space at the end of its file, and only frees space where a whole group of 122,880 rows is
 * deleted. So when much of the file is unused, tables with many holes are rewritten first, and then those at the end of the
 * file, as long as they fit into the free space before them. The file ends up with at most twice the needed size: with more
 * than half of the file free, every table fits.
 */

/** Compact only if at least this many blocks (of 256 KiB) and this part of the file can be freed. */
const WORTHWHILE = { blocks: 16, share: 1 / 8 };
/**
 * During a compaction, tables with this share of holes are rewritten, and tables are moved until at most this share is
 * free.
 */
const HOLES = 1 / 8;
const REMAINDER = 1 / 16;
/** Maximum moves of one table. */
const MOVES = 2;

/** How long to wait for earlier queries (pause in ms): they prevent what they read from being freed. */
const WAIT = { attempts: 20, pause: 100 };

/** The result of a compaction; sizes in bytes. */
export interface Compaction {
  readonly before: number;
  readonly after: number;
}

/**
 * Makes the file of a database smaller when much of it is unused.
 * @returns undefined when there was nothing to gain, or running queries prevented it
 * @throws the signal's reason between two steps; completed steps remain
 */
export async function compact(database: Database, signal: AbortSignal): Promise<Compaction | undefined> {
  if (database.place === "memory" || !(await checkpointed(database, signal))) return undefined;
  const before = await fileSpace(database);
  const tables = await tableSpaces(database);
  const useless = tables.reduce((sum, table) => sum + wasted(table), before.free);
  if (useless < WORTHWHILE.blocks || useless < before.total * WORTHWHILE.share) return undefined;
  for (const space of tables) {
    if (wasted(space) === 0 || wasted(space) < space.blocks * HOLES) continue;
    if (!(await rewrite(database, space, signal))) return undefined;
  }
  const after = await moveDown(database, signal);
  if (after.total >= before.total) return undefined;
  return { before: before.total * before.blockSize, after: after.total * after.blockSize };
}

/** Moves the last table to the front until little is free, or the last table does not fit. */
async function moveDown(database: Database, signal: AbortSignal): Promise<FileSpace> {
  const moves = new Map<string, number>();
  for (;;) {
    const space = await fileSpace(database);
    if (space.free <= space.total * REMAINDER) return space;
    const next = nextToMove(await tableSpaces(database), space, moves);
    if (next === undefined || !(await rewrite(database, next, signal))) return space;
    moves.set(next.table, (moves.get(next.table) ?? 0) + 1);
  }
}

/**
 * The table at the end of the file. Where the engine's own metadata about tables are after it, they move together with
 * their tables, but it is unknown with which: then the smallest of the least moved tables is chosen.
 */
function nextToMove(
  tables: readonly TableSpace[],
  { free, lastOfEngine }: FileSpace,
  moves: ReadonlyMap<string, number>,
): TableSpace | undefined {
  const timesMoved = ({ table }: TableSpace): number => moves.get(table) ?? 0;
  const bySize = (a: TableSpace, b: TableSpace): number => timesMoved(a) - timesMoved(b) || a.blocks - b.blocks;
  const last = Math.max(...tables.map((table) => table.last));
  const [next] = tables.toSorted(lastOfEngine > last ? bySize : byPlace);
  return next !== undefined && timesMoved(next) < MOVES && next.blocks <= free ? next : undefined;
}

function byPlace(a: TableSpace, b: TableSpace): number {
  return b.last - a.last;
}

async function rewrite(database: Database, { table }: TableSpace, signal: AbortSignal): Promise<boolean> {
  await rewriteTable(database, table, signal);
  return checkpointed(database, signal);
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
