import type { ReadableDatabase } from "../engine/overlaid.ts";
import { isOutOfMemory } from "../engine/error-classes.ts";
import type { Rows } from "../engine/rows.ts";
import type { ReadOptions } from "../engine/statements.ts";
import { longTextAllowance } from "../memory/allowance.ts";
import { memoryBudget } from "../memory/budget.ts";
import { waitForMemory } from "../memory/guard.ts";
import type { StatementsInParts } from "./compile/statement.ts";
import { longRow } from "./long-row.ts";
import { type QueryResult, openResult, type Plan, queryError, resume } from "./query.ts";

/** Bytes that a part of a result should have at most: the engine needs several times as much memory to make it. */
const PART_BYTES = 8 * 1024 * 1024;

/** From this number of bytes on, rows of a part take much memory until they are sent. */
const LONG_BYTES = 1024 * 1024;

export interface PlanOptions extends ReadOptions {
  /** Called before megabytes are read list by list or returned; an error that it throws ends the query. */
  readonly beforeLong?: () => void;
}

/**
 * Opens the result of a plan and waits for its first rows: with one statement, or in parts where the engine cannot
 * return the result at once. Where memory is limited, a result with texts of megabytes, or with lists as of factsets,
 * is read in parts from the beginning, because the engine would copy all of them several times in memory that it does not
 * count.
 */
export async function openPlan(database: ReadableDatabase, plan: Plan, options: PlanOptions): Promise<QueryResult> {
  const statements = memoryBudget().readsInParts ? plan.inParts?.() : undefined;
  const sizes = await sizesOf(database, statements, options);
  const isLong = sizes.size > 0 || statements?.listsOf !== undefined;
  if (statements !== undefined && isLong) return openInParts(database, statements, sizes, options);
  try {
    return await openResult(database, plan.rows, options);
  } catch (error) {
    if (!isOutOfMemory(error)) throw error;
    return openWithExtraMemory(database, plan, { ...options, extraMemory: true });
  }
}

/**
 * The same with more memory: with one statement where no row contains lists and memory is not limited, because for parts the tables
 * are read several times; in parts if that is not enough.
 */
async function openWithExtraMemory(database: ReadableDatabase, plan: Plan, options: PlanOptions): Promise<QueryResult> {
  const parts = plan.inParts?.();
  if (parts === undefined) return openResult(database, plan.rows, options);
  if (parts.listsOf === undefined && !memoryBudget().readsInParts) {
    try {
      return await openResult(database, plan.rows, options);
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
    }
  }
  return openInParts(database, parts, await sizesOf(database, parts, options), options);
}

/** Characters of the keys that have long texts. */
type Sizes = ReadonlyMap<string, number>;

async function sizesOf(
  database: ReadableDatabase,
  statements: StatementsInParts | undefined,
  options: ReadOptions,
): Promise<Sizes> {
  if (statements?.sizes === undefined) return new Map();
  const rows = await database.rows<{ id: bigint | number; characters: number }>(statements.sizes, [], options);
  return new Map(rows.map(({ id, characters }) => [String(id), characters]));
}

/**
 * Opens a result in parts, one after another, and waits for its first rows. Each part shows the store as it is when
 * that part is read.
 * @throws CensusError "unavailable" where a single row needs more memory than is available, others as `openResult`
 */
async function openInParts(
  database: ReadableDatabase,
  statements: StatementsInParts,
  sizes: Sizes,
  options: PlanOptions,
): Promise<QueryResult> {
  const rows = rowsInParts(database, statements, sizes, options);
  try {
    const first = await rows.next();
    return { rows: resume(first, rows) };
  } catch (error) {
    throw queryError(error);
  }
}

async function* rowsInParts(
  database: ReadableDatabase,
  { keys: keysOf, rowsOf, listsOf }: StatementsInParts,
  sizes: Sizes,
  options: PlanOptions,
): AsyncGenerator<Rows, void> {
  const keys: string[] = [];
  for await (const texts of database.texts(keysOf, options)) for (const key of texts) keys.push(key);
  let size = 16;
  for (let from = 0; from < keys.length;) {
    const part = keys.slice(from, from + keysThatFit(keys, from, size, sizes));
    const [key = ""] = part;
    const characters = part.reduce((sum, one) => sum + (sizes.get(one) ?? 0), 0);
    if (listsOf !== undefined && part.length === 1 && characters > PART_BYTES) {
      yield* reading(characters, () => longRow(database, listsOf(key), options), options);
      from++;
      continue;
    }
    let [bytes, count] = [0, 0];
    try {
      const streamed = (): AsyncGenerator<Rows> => database.stream(rowsOf(part), options);
      for await (const rows of characters > LONG_BYTES ? reading(characters, streamed, options) : streamed()) {
        for (let row = 0; row < rows.count; row++) bytes += rows.length(row);
        count += rows.count;
        if (bytes > LONG_BYTES) options.beforeLong?.();
        yield rows;
      }
    } catch (error) {
      if (count > 0 || !isOutOfMemory(error)) throw error;
      if (part.length > 1) {
        size = Math.ceil(part.length / 4);
        continue;
      }
      if (listsOf === undefined) throw error;
      yield* reading(characters, () => longRow(database, listsOf(key), options), options);
    }
    from += part.length;
    size = Math.max(1, Math.min(4096, size * 2, Math.floor((part.length * PART_BYTES) / Math.max(1, bytes))));
  }
}

/**
 * Reads rows with long texts when those that are read already leave memory for it.
 * @param characters of the texts, at least
 */
async function* reading(
  characters: number,
  read: () => AsyncGenerator<Rows>,
  { beforeLong, signal }: PlanOptions,
): AsyncGenerator<Rows, void> {
  beforeLong?.();
  const texts = longTextAllowance();
  await texts.acquire(characters, 30_000, signal);
  try {
    await waitForMemory();
    yield* read();
  } finally {
    texts.release(characters);
  }
}

/** How many keys fit into one part: at least one, at most `most`, with long texts of no more than a part's size. */
function keysThatFit(keys: readonly string[], from: number, most: number, sizes: Sizes): number {
  let characters = 0;
  for (let count = 0; count < most && from + count < keys.length; count++) {
    characters += sizes.get(keys[from + count] ?? "") ?? 0;
    if (characters > PART_BYTES && count > 0) return count;
  }
  return most;
}
