import type { Plan } from "#storage/query/query.ts";
import type { Queries } from "#storage/query/queries.ts";

/**
 * The JSON texts of all rows of a plan that has few.
 * @param signal ends the query
 * @throws as `Queries.run` does
 */
export async function textsOf(queries: Queries, plan: Plan, signal: AbortSignal): Promise<string[]> {
  const texts: string[] = [];
  const { rows } = await queries.run(plan, { signal });
  for await (const batch of rows) texts.push(...batch.texts());
  return texts;
}
