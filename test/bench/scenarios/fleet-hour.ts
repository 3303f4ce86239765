import { once } from "node:events";
import { createWriteStream, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { awaitIdle } from "../awaiting.ts";
import type { Bench } from "../bench.ts";
import { type CensusProcess, fromSource, startCensus } from "../census-process.ts";
import type { AgentsOutput } from "../children/agents.ts";
import type { DashboardsOutput } from "../children/dashboards.ts";
import { hourMetrics, hourSamples, type Measured } from "../fleet-hour/figures.ts";
import { type MaintenanceRun, maintenanceRuns, runsByOperation } from "../fleet-hour/maintenance.ts";
import {
  commandsPerSecond,
  DASHBOARDS,
  durationOf,
  type Hour,
  type Load,
  QUERIES_PER_SECOND,
} from "../fleet-hour/plan.ts";
import { discardedCommands } from "../fleet-hour/queue-metrics.ts";
import { serverSettings } from "../fleet-hour/server-settings.ts";
import { copyOf, type StoredFleet, storedFleet } from "../fleet-hour/stored-fleet.ts";
import { watchSizes } from "../fleet-hour/watch.ts";
import { atRest } from "../machine.ts";
import { memoryOf } from "../memory.ts";
import type { Options } from "../options.ts";
import { benchFolder } from "../population.ts";
import type { Samples, Scenario } from "../scenario.ts";

/** The log of the server and the series, in the folder of the benchmark. */
const file = {
  log: join(benchFolder, "fleet-hour.log"),
  series: join(benchFolder, "fleet-hour.json"),
};

/** Time for the processes that send requests to start, in ms. */
const HEAD_START = 5000;

/** An hour of a fleet in real time: agents and dashboards beside all maintenance. */
export function fleetHourScenario({ hour, keep }: Pick<Options, "hour" | "keep">): Scenario {
  const rate = commandsPerSecond(hour).toFixed(0);
  return {
    name: "fleet-hour",
    shows:
      `${hour.nodes} nodes that run every half hour (${rate} commands/s) and ${DASHBOARDS} dashboards ` +
      `(${QUERIES_PER_SECOND} queries/s) for ${hour.minutes} minutes`,
    isLong: true,
    metrics: hourMetrics(hour),
    measure: async (bench): Promise<Samples> => {
      const fleet = await storedFleet(bench, hour.nodes);
      const directory = copyOf(fleet);
      try {
        const { measured, begin } = await measureHour(bench, { hour, fleet, directory });
        writeFileSync(file.series, `${JSON.stringify({ ...hour, begin, ...measured }, null, 1)}\n`);
        reportDetails(bench, measured, hour);
        return hourSamples(hour, measured);
      } finally {
        if (!keep) rmSync(directory, { recursive: true, force: true });
      }
    },
  };
}

interface Subject {
  readonly hour: Hour;
  readonly fleet: StoredFleet;
  readonly directory: string;
}

async function measureHour(
  bench: Bench,
  { hour, fleet, directory }: Subject,
): Promise<{ readonly measured: Measured; readonly begin: number }> {
  // What was written for the copy is not this server's.
  await atRest();
  const log = createWriteStream(file.log);
  await once(log, "open");
  const words = serverSettings(hour, fleet, Date.now());
  const server = await startCensus(directory, undefined, fromSource(bench.profile), words, log);
  const begin = Date.now() + HEAD_START;
  let sent: Omit<Measured, "maintenance">;
  try {
    sent = await measureServer(bench, server, { ...hour, url: server.url, begin });
  } finally {
    await server.close();
    log.close();
  }
  return { measured: { ...sent, maintenance: maintenanceRuns(readFileSync(file.log, "utf8")) }, begin };
}

async function measureServer(bench: Bench, server: CensusProcess, load: Load): Promise<Omit<Measured, "maintenance">> {
  const failed = new AbortController();
  const watching = watchSizes(server, load, { signal: failed.signal, progress: (text) => bench.progress(text) });
  const sending = Promise.all([
    bench.run<AgentsOutput>("agents", load),
    bench.run<DashboardsOutput>("dashboards", load),
  ]);
  sending.catch(() => failed.abort());
  const [[agents, dashboards], sizes] = await Promise.all([sending, watching]);
  const peakMemory = memoryOf(server.pid)?.peak;
  await awaitIdle(server.url);
  const discarded = await discardedCommands(server.url);
  return { agents, dashboards, sizes, discarded, peakMemory };
}

/** Says what the figures do not. */
function reportDetails(bench: Bench, { agents, dashboards, maintenance }: Measured, hour: Hour): void {
  const seconds = durationOf(hour) / 1000;
  const part = (busy: number): string => `${((busy * 100) / seconds).toFixed(1)} %`;
  bench.progress(
    `a processor was busy for ${part(agents.processor)} with sending commands, ${part(dashboards.processor)} with queries`,
  );
  if (agents.refusal !== undefined) bench.progress(`first refused command: ${agents.refusal}`);
  if (dashboards.failure !== undefined) bench.progress(`first failed query: ${dashboards.failure}`);
  for (const [name, { count, median, p99, slowest }] of Object.entries(dashboards.byName)) {
    const times = [median, p99, slowest].map((ms) => ms.toFixed(ms < 10 ? 1 : 0)).join(", ");
    bench.progress(`${name.padEnd(24)}${count} times; median, 99th percentile and slowest in ms: ${times}`);
  }
  for (const [name, count] of runsByOperation(maintenance)) {
    bench.progress(`${name.padEnd(24)}${count} runs, in ms: ${durationsOf(maintenance, name)}`);
  }
  bench.progress(`the series and the log of the server: ${Object.values(file).join(", ")}`);
}

function durationsOf(maintenance: readonly MaintenanceRun[], name: string): string {
  return maintenance
    .filter(({ operation }) => operation === name)
    .map(({ duration, hasFailed }) => `${duration}${hasFailed ? " (failed)" : ""}`)
    .join(", ");
}
