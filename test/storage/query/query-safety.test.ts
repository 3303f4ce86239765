import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CensusError } from "#storage/errors.ts";
import { parseJson } from "#storage/json.ts";
import type { Plan, QuerySpec } from "#storage/query/query.ts";
import type { Store } from "#storage/store.ts";
import { queryRows, everyRow, populatedStore } from "#test/fixture-store.ts";
import { entityNames, MARK, orderings, queries } from "./random-ast.ts";

let store: Store;
beforeAll(async () => {
  store = await populatedStore();
});
afterAll(() => store.close());

/** Any query returns rows or fails with an error for the client; another exception fails the test. */
async function outcomeOf(spec: QuerySpec): Promise<"answered" | "refused"> {
  let plan: Plan;
  try {
    plan = store.queries.plan(spec);
  } catch (error) {
    return refusedBy(error);
  }
  expect(plan.rows.sql, "a text of the query stands in the statement").not.toContain(MARK);
  try {
    const { rows } = await store.queries.run(plan, { withTotal: true });
    for await (const batch of rows) for (const row of batch.texts()) parseJson(row);
    return "answered";
  } catch (error) {
    return refusedBy(error);
  }
}

function refusedBy(error: unknown): "refused" {
  if (error instanceof CensusError && error.code === "bad-input") return "refused";
  throw error;
}

describe("any query", () => {
  it.each(entityNames)("of %s returns rows or an error for the client", async (entity) => {
    const outcomes = { answered: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(queries(entity), orderings(entity), async (query, orderBy) => {
        outcomes[await outcomeOf({ of: everyRow(entity), query, orderBy })]++;
        outcomes[await outcomeOf({ of: "root", query: ["from", entity, query] })]++;
      }),
      { seed: 7, numRuns: 250 },
    );
    // A generator that only makes nonsense would prove nothing.
    expect(outcomes.answered).toBeGreaterThan(20);
    expect(outcomes.refused).toBeGreaterThan(20);
  });

  it("does not change the data", async () => {
    expect(await queryRows(store, { of: everyRow("nodes") })).toHaveLength(6);
  });
});
