import { rmSync } from "node:fs";
import { join } from "node:path";
import { Store } from "#storage/store.ts";
import { type Clock, timestampOfMillis } from "#storage/time.ts";
import { Fleet } from "../fleet/fleet.ts";
import { processorTime } from "../processor-time.ts";
import { rowsOf } from "../rows-of.ts";
import { submissionOf } from "../submission.ts";
import { runJob } from "./job.ts";

/** The fleet whose commands are stored with and without history. */
export interface HistoryInput {
  readonly directory: string;
  readonly nodes: number;
  /** half-hourly runs of each node */
  readonly runs: number;
  /** whether every fact set and every catalog has a recorded change */
  readonly changesAll: boolean;
}

/** What it took; processor time of all threads. */
export interface HistoryOutput {
  /** milliseconds for each command, a number for each run of the fleet */
  readonly without: readonly number[];
  readonly recorded: readonly number[];
  /** milliseconds to return all recorded changes of a node, a number for each node */
  readonly logs: readonly number[];
  /** recorded changes of all nodes */
  readonly changes: number;
}

/** Runs before the first that counts: the first stores everything, the next ones load code and caches. */
const WARM_UPS = 3;

/** Nodes whose changes are queried. */
const LOGS = 20;

const changeEntities = ["fact_changes", "resource_changes", "package_changes", "catalog_changes"] as const;

runJob(async ({ directory, nodes, runs, changesAll }: HistoryInput): Promise<HistoryOutput> => {
  rmSync(directory, { recursive: true, force: true });
  const fleet = new Fleet(nodes, { changesAll });
  let now = fleet.endOf(-1);
  const clock: Clock = { now: () => timestampOfMillis(now) };
  const without = await Store.open({ directory: join(directory, "without"), clock, retention: { historyTtl: 0n } });
  const recorded = await Store.open({ directory: join(directory, "recorded"), clock });
  const spent = { without: [] as number[], recorded: [] as number[] };
  for (let run = 0; run < runs + WARM_UPS; run++) {
    const commands = [...fleet.run(run)];
    now = fleet.endOf(run);
    // The first of both has the processor's caches cold.
    const turns = [
      { store: without, into: spent.without },
      { store: recorded, into: spent.recorded },
    ];
    for (const { store, into } of run % 2 === 0 ? turns : turns.reverse()) {
      const received = clock.now();
      const ms = await processorTime(async () => {
        await Promise.all(commands.map(async (command) => store.submit(submissionOf(command, received))));
      });
      if (run >= WARM_UPS) into.push(ms / commands.length);
    }
  }
  await without.close();
  const logs: number[] = [];
  for (const certname of [...fleet.certnames].slice(0, LOGS)) {
    logs.push(
      await processorTime(async () => {
        for (const entity of changeEntities) await rowsOf(recorded, `${entity} { certname = "${certname}" }`);
      }),
    );
  }
  let changes = 0;
  for (const entity of changeEntities) changes += await rowsOf(recorded, `${entity}[certname] {}`);
  await recorded.close();
  rmSync(directory, { recursive: true, force: true });
  return { ...spent, logs, changes };
});
