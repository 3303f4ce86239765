import { afterAll } from "vitest";
import type { Side } from "#storage/diff/side.ts";
import type { Submission } from "#storage/ingest/submission.ts";
import type { Store } from "#storage/store.ts";
import { emptyStore } from "#test/fixture-store.ts";

/** A store of these commands as one side of a comparison; closed when the test file ends. */
export async function sideOf(submissions: readonly Submission[]): Promise<Side> {
  const store = await emptyStore();
  afterAll(() => store.close());
  for (const submission of submissions) await store.submit(submission);
  return sideOfStore(store);
}

export function sideOfStore(store: Store): Side {
  return {
    isBytewise: true,
    query: async function* (query) {
      const { rows } = await store.queries.run(store.queries.plan({ of: "root", query }));
      for await (const batch of rows) yield batch.texts();
    },
  };
}

/** The same as a server whose database orders texts in another way, and lays out JSON differently. */
export function foreign(side: Side): Side {
  return {
    isBytewise: false,
    query: async function* (query) {
      const rows: string[] = [];
      for await (const batch of side.query(query)) rows.push(...batch);
      yield rows.reverse().map((text) => ` ${text}`);
    },
  };
}
