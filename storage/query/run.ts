import type { Database } from "../engine/database.ts";
import type { ReadOptions } from "../engine/statements.ts";
import { openPlan } from "./in-parts.ts";
import { type QueryResult, type Plan, readCount } from "./query.ts";

/** What a query may be asked with besides the question. */
export interface QueryRunOptions extends ReadOptions {
  /** Count the rows before limit and offset as well. */
  readonly withTotal?: boolean;
}

export interface CountedResult extends QueryResult {
  readonly total: bigint | null;
}

/** Carries a plan out and waits for the first rows of the answer. */
export async function runPlan(database: Database, plan: Plan, options: QueryRunOptions): Promise<CountedResult> {
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

/** Ends an answer, for nothing would end one that was never begun. */
export async function discardResult({ rows }: QueryResult): Promise<void> {
  for await (const _ of rows) break;
}
