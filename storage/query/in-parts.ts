import type { ReadableDatabase } from "../engine/overlaid.ts";
import { isOutOfMemory } from "../engine/error-classes.ts";
import type { Rows } from "../engine/rows.ts";
import type { Snapshot } from "../engine/snapshot.ts";
import type { ReadOptions, Statement } from "../engine/statements.ts";
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

/** Documents that the engine makes together, 2,048 of them, may take as much outside of its memory. */
const DOCUMENTS_BYTES = 128 * 1024 * 1024;

export interface PlanOptions extends ReadOptions {
  /** Called before megabytes are read list by list or returned; an error that it throws ends the query. */
  readonly beforeLong?: () => void;
}

/**
 * Opens the result of a plan and waits for its first rows: with one statement; in parts where rows have texts of megabytes, because
 * the engine would copy all of them several times in memory that it does not count, or lists as of factsets for which the part for
 * long texts has no room, or where the engine has too little memory.
 */
export async function openPlan(database: ReadableDatabase, plan: Plan, options: PlanOptions): Promise<QueryResult> {
  const statements = plan.inParts?.();
  const sizes = await sizesOf(database, statements, options);
  const isLong = sizes.size > 0 || (statements?.listsOf !== undefined && memoryBudget().longTexts < DOCUMENTS_BYTES);
  if (statements !== undefined && isLong) return openInParts(database, { statements, sizes }, options);
  try {
    return await openResult(database, plan.rows, options);
  } catch (error) {
    if (!isOutOfMemory(error)) throw error;
    const more = { ...options, extraMemory: true };
    if (statements === undefined) return openResult(database, plan.rows, more);
    return openInParts(database, { statements, sizes }, more);
  }
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

/** A result that is read in parts. */
interface InParts {
  readonly statements: StatementsInParts;
  readonly sizes: Sizes;
}

/**
 * Opens a result in parts, one after another, and waits for its first rows.
 * @throws CensusError "unavailable" where a single row needs more memory than is available, others as `openResult`
 */
async function openInParts(database: ReadableDatabase, result: InParts, options: PlanOptions): Promise<QueryResult> {
  const rows = rowsInParts(database, result, options);
  try {
    const first = await rows.next();
    return { rows: resume(first, rows) };
  } catch (error) {
    throw queryError(error);
  }
}

/** What is left of a result. */
interface Rest {
  /** Undefined: they are not known yet. */
  keys: readonly string[] | undefined;
  /** The place of the first key that is left. */
  from: number;
  /** Keys of the next part, at most. */
  size: number;
  /** Whether the engine has too little memory for the first of them alone. */
  isTooLarge: boolean;
}

/** The engine had too little memory for a part; that has ended the transaction. */
class PartTooLarge extends Error {}

/** The parts show one state of the store, or a later one from where the engine had too little memory for a part. */
async function* rowsInParts(
  database: ReadableDatabase,
  result: InParts,
  options: PlanOptions,
): AsyncGenerator<Rows, void> {
  const rest: Rest = { keys: undefined, from: 0, size: 32, isTooLarge: false };
  for (;;) {
    try {
      return yield* database.snapshot(([view]) => restInParts(view, result, rest, options), options);
    } catch (error) {
      if (!(error instanceof PartTooLarge)) throw error;
    }
  }
}

async function* restInParts(
  view: Snapshot,
  { statements: { keys: keysOf, rowsOf, listsOf }, sizes }: InParts,
  rest: Rest,
  options: PlanOptions,
): AsyncGenerator<Rows, void> {
  const keys = (rest.keys ??= await textsOf(view, keysOf));
  while (rest.from < keys.length) {
    const part = keys.slice(rest.from, rest.from + keysThatFit(keys, rest, sizes));
    const [key = ""] = part;
    const characters = part.reduce((sum, one) => sum + (sizes.get(one) ?? 0), 0);
    if (listsOf !== undefined && part.length === 1 && (rest.isTooLarge || characters > PART_BYTES)) {
      yield* reading(characters, () => longRow(view, listsOf(key)), options);
      rest.from++;
      rest.isTooLarge = false;
      continue;
    }
    let [bytes, count] = [0, 0];
    try {
      const streamed = (): AsyncGenerator<Rows> => view.stream(rowsOf(part));
      for await (const rows of characters > LONG_BYTES ? reading(characters, streamed, options) : streamed()) {
        for (let row = 0; row < rows.count; row++) bytes += rows.length(row);
        count += rows.count;
        if (bytes > LONG_BYTES) options.beforeLong?.();
        yield rows;
      }
    } catch (error) {
      if (count > 0 || !isOutOfMemory(error) || (part.length === 1 && listsOf === undefined)) throw error;
      rest.size = Math.ceil(part.length / 4);
      rest.isTooLarge = part.length === 1;
      throw new PartTooLarge("a part is too large", { cause: error });
    }
    rest.from += part.length;
    const fitting = Math.floor((part.length * PART_BYTES) / Math.max(1, bytes));
    rest.size = Math.max(1, Math.min(4096, rest.size * 16, fitting));
  }
}

async function textsOf(view: Snapshot, statement: Statement): Promise<string[]> {
  const all: string[] = [];
  for await (const rows of view.stream(statement)) for (const text of rows.texts()) all.push(text);
  return all;
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

/** How many keys fit into the next part: at least one, with long texts of no more than a part's size. */
function keysThatFit(keys: readonly string[], { from, size }: Rest, sizes: Sizes): number {
  let characters = 0;
  for (let count = 0; count < size && from + count < keys.length; count++) {
    characters += sizes.get(keys[from + count] ?? "") ?? 0;
    if (characters > PART_BYTES && count > 0) return count;
  }
  return size;
}
