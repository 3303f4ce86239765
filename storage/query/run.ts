import type { ReadableDatabase } from "../engine/overlaid.ts";
import { wholeRows } from "../engine/joined-text.ts";
import { openPlan, type PlanOptions } from "./in-parts.ts";
import { type QueryResult, type Plan, readCount } from "./query.ts";

/** Options of running a plan. */
export interface QueryRunOptions extends PlanOptions {
  /** Count the rows before limit and offset as well. */
  readonly withTotal?: boolean;
  /** Whether a very long row may come in pieces, each continued by the next; default: every row is whole. */
  readonly inPieces?: boolean;
}

export interface CountedResult extends QueryResult {
  readonly total: bigint | null;
}

/** Runs a plan and waits for the first rows of its result. */
export async function runPlan(
  database: ReadableDatabase,
  plan: Plan,
  options: QueryRunOptions,
): Promise<CountedResult> {
  const result = await countedResult(database, plan, options);
  return options.inPieces === true ? result : { ...result, rows: wholeRows(result.rows) };
}

async function countedResult(database: ReadableDatabase, plan: Plan, options: QueryRunOptions): Promise<CountedResult> {
  if (options.withTotal !== true) return { ...(await openPlan(database, plan, options)), total: null };
  const [answer, total] = await Promise.allSettled([
    openPlan(database, plan, options),
    readCount(database, plan.total(), options),
  ]);
  if (answer.status === "rejected") throw answer.reason;
  if (total.status === "fulfilled") return { ...answer.value, total: total.value };
  await discardResult(answer.value);
  throw total.reason;
}

/** Ends a result that is not read: one whose first rows nobody reads would keep its connection. */
async function discardResult({ rows }: QueryResult): Promise<void> {
  for await (const _ of rows) break;
}
