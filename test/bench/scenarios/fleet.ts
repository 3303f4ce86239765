import { rmSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { awaitIdle, queueDepth } from "../awaiting.ts";
import type { Bench } from "../bench.ts";
import { type Child, startChild } from "../child.ts";
import type { ClockMessage, FleetServerInput } from "../children/fleet-server.ts";
import type { ServeOutput } from "../children/serve.ts";
import { countOf } from "../counts.ts";
import { directorySize } from "../directory-size.ts";
import { Fleet } from "../fleet/fleet.ts";
import { memoryOf } from "../memory.ts";
import { benchFolder } from "../population.ts";
import { CommandPoster } from "../posting.ts";
import { SampleBook, type Samples } from "../scenario.ts";

const CONNECTIONS = 8;
const RUNS_PER_HOUR = 2;

type Server = Child<ServeOutput>;

/** How a simulation goes. */
export interface FleetPlan {
  readonly nodes: number;
  /** half-hourly runs of each node */
  readonly runs: number;
  /** simulated hours from one sample of every figure to the next */
  readonly sampledEvery: number;
  /** how long reports and their events are kept, in ms; they go a whole UTC day at a time (`reference/lifecycle.md §5`) */
  readonly keepReports: number;
}

/**
 * Simulated hours of a fleet, each as fast as Census takes them in, its clock moving with them, and the maintenance that
 * would be due after each.
 */
export async function measureFleet(
  bench: Bench,
  { nodes, runs, sampledEvery, keepReports }: FleetPlan,
): Promise<Samples> {
  const directory = join(benchFolder, "data", `fleet-${nodes}-nodes`);
  rmSync(directory, { recursive: true, force: true });
  const fleet = new Fleet(nodes);
  const input: FleetServerInput = { directory, now: fleet.endOf(-1), keepReports };
  const server = await startChild<ServeOutput>("fleet-server", input, bench.profile);
  const book = new SampleBook();
  try {
    for (let run = 0; run < runs; run += RUNS_PER_HOUR) {
      const hour = run / RUNS_PER_HOUR + 1;
      const passed = await passHour({ server, fleet }, run, Math.min(runs, run + RUNS_PER_HOUR));
      if (hour % sampledEvery > 0) continue;
      for (const [name, value] of Object.entries({ hour, ...passed })) book.add(name, value);
      book.add("data directory", directorySize(directory));
      bench.progress(`hour ${hour} of ${Math.ceil(runs / RUNS_PER_HOUR)}: ${shown(book.samples())}`);
    }
  } finally {
    await server.close();
    rmSync(directory, { recursive: true, force: true });
  }
  return withGrowth(book.samples());
}

interface Simulation {
  readonly server: Server;
  readonly fleet: Fleet;
}

/** What an hour came to, by the name of the figure. */
interface Passed {
  readonly speed: number;
  readonly waiting: number | undefined;
  readonly maintenance: number;
  readonly reports: number;
  readonly memory: number | undefined;
}

async function passHour({ server, fleet }: Simulation, from: number, to: number): Promise<Passed> {
  const { url } = server.value;
  const started = performance.now();
  let commands = 0;
  const poster = await CommandPoster.open(url, CONNECTIONS);
  for (let run = from; run < to; run++) {
    const clock: ClockMessage = { now: fleet.endOf(run) };
    await server.send(clock);
    commands += await poster.postAll(fleet.run(run));
  }
  poster.close();
  const waiting = await queueDepth(url);
  await awaitIdle(url);
  const seconds = (performance.now() - started) / 1000;
  const maintenance = await maintain(url);
  const reports = await countOf(url, "reports");
  return { speed: commands / seconds, waiting, maintenance, reports, memory: memoryOf(server.pid)?.now };
}

/**
 * What the scheduler would do by then, requested through the admin API (`reference/lifecycle.md §7.1`).
 * @returns how many ms it took
 */
async function maintain(url: string): Promise<number> {
  const started = performance.now();
  const body = JSON.stringify({ command: "clean", version: 1, payload: [] });
  const answer = await fetch(`${url}/pdb/admin/v1/cmd`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  if (!answer.ok) throw new Error(`clean: ${answer.status} ${(await answer.text()).slice(0, 300)}`);
  await answer.text();
  return performance.now() - started;
}

/** With how far the sizes have grown, for those who look no further. */
function withGrowth(samples: Samples): Samples {
  const growths = ["data directory", "memory"].map((name) => [`${name}, growth`, growth(samples[name])] as const);
  return { ...samples, ...Object.fromEntries(growths) };
}

/** By how many times the peak of the last half of the samples is that of the first: sizes go up and down with each purge. */
function growth(samples: readonly number[] = []): number[] {
  const half = Math.floor(samples.length / 2);
  return half === 0 ? [] : [Math.max(...samples.slice(-half)) / Math.max(...samples.slice(0, half))];
}

function shown(samples: Samples): string {
  return Object.entries(samples)
    .map(([name, values]) => `${name} ${Math.round(values.at(-1) ?? 0)}`)
    .join(", ");
}
