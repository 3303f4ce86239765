import { rmSync } from "node:fs";
import { defaultRetention } from "#storage/lifecycle/retention.ts";
import type { Queries } from "#storage/query/queries.ts";
import { Store } from "#storage/store.ts";
import { type Clock, timestampOfMillis } from "#storage/time.ts";
import { Fleet } from "../fleet/fleet.ts";
import { pastBenchQueries } from "../queries.ts";
import { planWith } from "../query-request.ts";
import { processorTime } from "../processor-time.ts";
import { statisticsOf } from "../statistics.ts";
import { submissionOf } from "../submission.ts";
import { runJob } from "./job.ts";

/** The fleet whose past state is queried. */
export interface PastQueriesInput {
  readonly directory: string;
  readonly nodes: number;
}

/** Processor time of all threads for a query, in ms: medians. */
export interface PastQueryTimes {
  readonly name: string;
  readonly present: number;
  readonly past: number;
}

/** Half-hourly runs of each node that changed its facts and its catalog; the last is after the time whose state is queried. */
const RUNS = 3;

const WARM_UPS = 3;
const ROUNDS = 20;

runJob(async ({ directory, nodes }: PastQueriesInput): Promise<PastQueryTimes[]> => {
  rmSync(directory, { recursive: true, force: true });
  const fleet = new Fleet(nodes, { changesAll: true });
  let now = fleet.endOf(-1);
  const clock: Clock = { now: () => timestampOfMillis(now) };
  const store = await Store.open({ directory, clock, retention: defaultRetention });
  for (let run = 0; run < RUNS; run++) {
    const commands = [...fleet.run(run)];
    now = fleet.endOf(run);
    await Promise.all(commands.map(async (command) => store.submit(submissionOf(command, clock.now()))));
  }
  const past = await store.queriesAt(timestampOfMillis(fleet.endOf(RUNS - 2)));
  const times: PastQueryTimes[] = [];
  for (const query of pastBenchQueries) {
    const spent = { present: [] as number[], past: [] as number[] };
    for (let round = -WARM_UPS; round < ROUNDS; round++) {
      const turns = [
        { queries: store.queries, into: spent.present },
        { queries: past, into: spent.past },
      ];
      for (const { queries, into } of round % 2 === 0 ? turns : turns.reverse()) {
        const ms = await processorTime(() => readAll(queries, query));
        if (round >= 0) into.push(ms);
      }
    }
    const { name } = query;
    times.push({ name, present: statisticsOf(spent.present).median, past: statisticsOf(spent.past).median });
  }
  await store.close();
  rmSync(directory, { recursive: true, force: true });
  return times;
});

async function readAll(queries: Queries, query: (typeof pastBenchQueries)[number]): Promise<void> {
  const { rows } = await queries.run(planWith(queries, query));
  for await (const batch of rows) batch.end();
}
