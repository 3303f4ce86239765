import type { Database } from "../engine/database.ts";
import { isOutOfMemory } from "../engine/error-classes.ts";
import type { Rows } from "../engine/rows.ts";
import type { ReadOptions } from "../engine/statements.ts";
import type { StatementsInParts } from "./compile/statement.ts";
import { type Answer, openAnswer, type Plan, questionError, resume } from "./query.ts";

/** Bytes that a part of an answer should have: the engine takes several times as much to make it. */
const PART = 8 * 1024 * 1024;

/** Keys of the first part. */
const FIRST = 16;

/** Keys of a part at most. */
const MOST = 4096;

/** Asks the engine, in parts where it cannot make the answer in one go, and waits for the first rows. */
export async function openPlan(database: Database, plan: Plan, options: ReadOptions): Promise<Answer> {
  try {
    return await openAnswer(database, plan.rows, options);
  } catch (error) {
    if (!isOutOfMemory(error)) throw error;
    const statements = plan.inParts?.();
    const more = { ...options, withMore: true };
    return statements === undefined ? openAnswer(database, plan.rows, more) : openInParts(database, statements, more);
  }
}

/**
 * Asks the engine for an answer that it cannot make in one go, a part after another, and waits for the first rows. Each part
 * is of the state that is stored when its turn comes.
 * @throws CensusError "unavailable" where a single row takes more memory than there is, others as `openAnswer`
 */
async function openInParts(
  database: Database,
  statements: StatementsInParts,
  options: ReadOptions = {},
): Promise<Answer> {
  const rows = rowsInParts(database, statements, options);
  try {
    const first = await rows.next();
    return { rows: resume(first, rows) };
  } catch (error) {
    throw questionError(error);
  }
}

async function* rowsInParts(
  database: Database,
  { keys: keysOf, rowsOf }: StatementsInParts,
  options: ReadOptions,
): AsyncGenerator<Rows, void> {
  const keys: string[] = [];
  for await (const texts of database.texts(keysOf, options)) for (const key of texts) keys.push(key);
  let size = FIRST;
  for (let from = 0; from < keys.length;) {
    const part = keys.slice(from, from + size);
    let [bytes, count] = [0, 0];
    try {
      for await (const rows of database.answer(rowsOf(part), options)) {
        for (let row = 0; row < rows.count; row++) bytes += rows.length(row);
        count += rows.count;
        yield rows;
      }
    } catch (error) {
      if (count > 0 || part.length === 1 || !isOutOfMemory(error)) throw error;
      size = Math.ceil(part.length / 4);
      continue;
    }
    from += part.length;
    size = Math.max(1, Math.min(MOST, size * 2, Math.floor((part.length * PART) / Math.max(1, bytes))));
  }
}
