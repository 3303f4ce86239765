import { setTimeout as pause } from "node:timers/promises";
import type { Database } from "../engine/database.ts";
import { type FileSpace, fileSpace, type TableSpace, tableSpaces, wasted } from "./file-space.ts";
import { rewriteTable } from "./rewrite-table.ts";

/*
 * The engine gives room back to the system only at the end of its file, and only rows that fill a group of 122,880 by
 * themselves leave room at all. So when much of the file is of no use, tables that are full of holes are written anew, and
 * after them those that lie at the end, for as long as they fit into what is free before them. What is left is never more
 * than twice what is needed: with more than half of the file free, every table fits.
 */

/** Room that is worth the trouble: at least so many blocks (of 256 KiB), and so much of the file. */
const WORTHWHILE = { blocks: 16, share: 1 / 8 };
/** Once at it, tables with this share of holes are written anew, and room is made until this share of the file is free. */
const HOLES = 1 / 8;
const REMAINDER = 1 / 16;
/** No table is moved more often than this. */
const MOVES = 2;

/** How long answers that were begun earlier are waited for, ms: they keep what they read from being freed. */
const PATIENCE = { attempts: 20, pause: 100 };

/** How a compaction went; sizes in bytes. */
export interface Compaction {
  readonly before: number;
  readonly after: number;
}

/**
 * Makes the file of a database smaller when much of it is of no use.
 * @returns undefined when there was nothing to gain, or answers in progress did not allow it
 * @throws the signal's reason between two steps; what has been done by then stays
 */
export async function compact(database: Database, signal: AbortSignal): Promise<Compaction | undefined> {
  if (database.place === "memory" || !(await checkpointed(database, signal))) return undefined;
  const before = await fileSpace(database);
  const tables = await tableSpaces(database);
  const useless = tables.reduce((sum, table) => sum + wasted(table), before.free);
  if (useless < WORTHWHILE.blocks || useless < before.total * WORTHWHILE.share) return undefined;
  for (const space of tables) {
    if (wasted(space) === 0 || wasted(space) < space.blocks * HOLES) continue;
    if (!(await rewritten(database, space, signal))) return undefined;
  }
  const after = await movedDown(database, signal);
  if (after.total >= before.total) return undefined;
  return { before: before.total * before.blockSize, after: after.total * after.blockSize };
}

/** Moves what lies last to the front until little is free, or what lies last does not fit. */
async function movedDown(database: Database, signal: AbortSignal): Promise<FileSpace> {
  const moves = new Map<string, number>();
  for (;;) {
    const space = await fileSpace(database);
    if (space.free <= space.total * REMAINDER) return space;
    const next = nextToMove(await tableSpaces(database), space, moves);
    if (next === undefined || !(await rewritten(database, next, signal))) return space;
    moves.set(next.table, (moves.get(next.table) ?? 0) + 1);
  }
}

/**
 * The table that lies last. Where the engine's own notes about tables lie behind it, they move with the tables they are
 * about, and it does not tell which: the smallest that has been moved least.
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

async function rewritten(database: Database, { table }: TableSpace, signal: AbortSignal): Promise<boolean> {
  await rewriteTable(database, table, signal);
  return checkpointed(database, signal);
}

/** @returns false when an answer that was begun before the last change still stands in the way */
async function checkpointed(database: Database, signal: AbortSignal): Promise<boolean> {
  for (let attempt = 1; attempt <= PATIENCE.attempts; attempt++) {
    signal.throwIfAborted();
    if (await database.checkpoint()) return true;
    await pause(PATIENCE.pause, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
  return false;
}
