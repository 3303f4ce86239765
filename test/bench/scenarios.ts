import type { Options } from "./options.ts";
import { peerQueries } from "./peer/queries.ts";
import { benchQueries } from "./queries.ts";
import type { Scenario } from "./scenario.ts";
import { measureFixtureStart } from "./scenarios/fixture-start.ts";
import { commandMetrics, measureCommands } from "./scenarios/commands.ts";
import { coldCode } from "./scenarios/cold-code.ts";
import { measureExport } from "./scenarios/export.ts";
import { measureFleet } from "./scenarios/fleet.ts";
import { fleetHourScenario } from "./scenarios/fleet-hour.ts";
import { pageScenarios } from "./scenarios/pages.ts";
import { measurePackage } from "./scenarios/package.ts";
import { explorerScenarios } from "./scenarios/explorer.ts";
import { growthScenarios } from "./scenarios/growth.ts";
import { largeFleetScenario } from "./scenarios/large-fleet.ts";
import { largeDocumentsScenario } from "./scenarios/large-documents.ts";
import { historyScenarios } from "./scenarios/history.ts";
import { measureOpening, openingMetrics } from "./scenarios/opening.ts";
import { mixedLoadScenarios } from "./scenarios/mixed-load.ts";
import { measureImport } from "./scenarios/import.ts";
import { peerArchiveScenarios } from "./scenarios/peer-archives.ts";
import { peerIngestionScenarios } from "./scenarios/peer-ingestion.ts";
import { peerQueryScenarios } from "./scenarios/peer-queries.ts";
import { resourceScenarios } from "./scenarios/resources.ts";
import { tenPeople } from "./scenarios/ten-people.ts";
import { measureReplicas } from "./scenarios/replicas.ts";
import { measureStatusUnderLoad } from "./scenarios/status-under-load.ts";
import { measureQuery } from "./scenarios/queries.ts";
import { measureStreaming } from "./scenarios/streaming.ts";

const GIB = 2 ** 30;
const MB = 1e6;
/** in ms */
const DAY = 86_400_000;

/** Everything that is measured, in this order; what imports comes first and leaves its data to the others. */
export function allScenarios(options: Options): Scenario[] {
  return [
    ...ownScenarios,
    ...pageScenarios(),
    ...explorerScenarios(),
    tenPeople,
    ...peerIngestionScenarios(),
    ...peerQueryScenarios(peerQueries(options.oracle)),
    ...peerArchiveScenarios(),
    ...resourceScenarios(peerQueries(options.oracle)),
    ...mixedLoadScenarios(peerQueries(options.oracle)),
    coldCode,
    largeDocumentsScenario,
    ...growthScenarios(options),
    ...fleetScenarios(options),
    fleetHourScenario(options),
    largeFleetScenario(options),
    ...historyScenarios(options),
  ];
}

/** More than this from one half of the samples to the other is growth, less is noise. */
const LEVEL = 1.1;

const overTime: Scenario["metrics"] = {
  hour: { unit: "hours" },
  speed: { unit: "commands/s" },
  waiting: { unit: "commands" },
  maintenance: { unit: "milliseconds" },
  reports: { unit: "reports" },
  "data directory": { unit: "bytes" },
  memory: { unit: "bytes" },
};

function fleetScenarios({ fleet: { nodes, runs } }: Options): Scenario[] {
  return [
    {
      name: "fleet-day",
      shows: `${nodes} nodes, half-hourly runs, as fast as they are taken in; a sample for each simulated hour`,
      metrics: { ...overTime, "memory, growth": { unit: "ratio", target: { atMost: LEVEL } } },
      measure: (bench) => measureFleet(bench, { nodes, runs, sampledEvery: 1, keepReports: DAY }),
    },
    {
      name: "fleet-week",
      shows: "a twentieth of these nodes for seven days, of which reports are kept two; a sample every six hours",
      metrics: {
        ...overTime,
        "data directory, growth": { unit: "ratio", target: { atMost: LEVEL } },
        "memory, growth": { unit: "ratio", target: { atMost: LEVEL } },
      },
      measure: (bench) =>
        measureFleet(bench, { nodes: Math.ceil(nodes / 20), runs: 7 * 48, sampledEvery: 6, keepReports: 2 * DAY }),
    },
  ];
}

/** The longest acceptable time for the status of the service, and for an acknowledgement, in ms. */
const PROMPT = 50;

const ownScenarios: readonly Scenario[] = [
  {
    name: "import",
    shows: "an archive into a new data directory, then the same archive again",
    metrics: {
      speed: { unit: "commands/s", target: { atLeast: 1200 } },
      "speed, reading and parsing alone": { unit: "commands/s" },
      "CPU time": { unit: "seconds" },
      "peak memory": { unit: "bytes", target: { atMost: GIB } },
      "data directory": { unit: "bytes" },
      "again, unchanged": { unit: "seconds" },
      "again, data directory": { unit: "bytes" },
    },
    measure: measureImport,
  },
  {
    name: "opening",
    shows: "an archive of 1,000 nodes that was never opened, from the start of the packed program",
    metrics: openingMetrics(3),
    measure: (bench) => measureOpening(bench, 1000),
  },
  {
    name: "large-opening",
    shows: "the same of 10,000 nodes",
    isLong: true,
    metrics: openingMetrics(25),
    measure: (bench) => measureOpening(bench, 10_000),
  },
  {
    name: "export",
    shows: "everything as an archive over HTTP; memory should grow no more with ten times the nodes",
    metrics: {
      time: { unit: "seconds" },
      archive: { unit: "bytes" },
      "memory growth": { unit: "bytes", target: { atMost: 64 * MB } },
    },
    measure: measureExport,
  },
  {
    name: "status-under-load",
    shows: "the status of a service that stores a catalog of 10 MB and 1,000 others, requested all the time",
    metrics: {
      "slowest answer": { unit: "milliseconds", target: { atMost: PROMPT } },
      "99th percentile": { unit: "milliseconds" },
      "stored after": { unit: "seconds" },
    },
    measure: measureStatusUnderLoad,
  },
  {
    name: "replicas",
    shows: "100 commands a second to three servers by turns, which share a log in PostgreSQL on the same machine",
    metrics: {
      "acknowledged, median": { unit: "milliseconds" },
      "acknowledged, 99th percentile": { unit: "milliseconds", target: { atMost: PROMPT } },
      "seen on all, median": { unit: "milliseconds" },
      "seen on all, 95th percentile": { unit: "milliseconds", target: { atMost: 200 } },
    },
    measure: measureReplicas,
  },
  {
    name: "fixture-start",
    shows: "the packed program's `census fixture` with its 50 nodes, from the start of the process; and `reset()`",
    metrics: {
      "bare node": { unit: "milliseconds" },
      ready: { unit: "milliseconds", target: { atMost: 300 } },
      "first answer": { unit: "milliseconds", target: { atMost: 300 } },
      "ready, other nodes": { unit: "milliseconds" },
      reset: { unit: "milliseconds", target: { atMost: 100 } },
      "reset, unchanged": { unit: "milliseconds" },
    },
    measure: measureFixtureStart,
  },
  {
    name: "commands",
    shows: "each command that answers a question about an archive which was opened before, from its start to its end",
    metrics: commandMetrics,
    measure: measureCommands,
  },
  {
    name: "package",
    shows:
      "the packaged program: its size, and how soon it answers beside a server of a few lines that is packaged alike",
    metrics: {
      size: { unit: "bytes", target: { atMost: 135 * MB } },
      archive: { unit: "bytes", target: { atMost: 50 * MB } },
      "--version": { unit: "milliseconds" },
      "--version, beyond node's": { unit: "milliseconds", target: { atMost: 30 } },
      "first answer, mini server": { unit: "milliseconds" },
      "first answer, empty store": { unit: "milliseconds" },
      "first answer, empty store, beside the mini server": { unit: "ratio", target: { atMost: 1.3 } },
      "first answer, population's store": { unit: "milliseconds" },
      "first answer, population's store, beside the mini server": { unit: "ratio", target: { atMost: 2 } },
      "memory after the start": { unit: "bytes", target: { atMost: 150 * MB } },
    },
    measure: measurePackage,
  },
  ...[false, true].map((gzip): Scenario => ({
    name: gzip ? "streaming/gzip" : "streaming/plain",
    shows: `every resource of every node over HTTP${gzip ? ", compressed" : ""}`,
    metrics: {
      speed: { unit: "rows/s", target: { atLeast: 40_000 } },
      "memory growth": { unit: "bytes", target: { atMost: 64 * MB } },
      sent: { unit: "bytes" },
    },
    measure: (bench) => measureStreaming(bench, { gzip }),
  })),
  ...benchQueries.map((query): Scenario => ({
    name: `query/${query.name}`,
    shows: query.shows,
    metrics: {
      answer: { unit: "milliseconds" },
      again: { unit: "milliseconds" },
      compile: { unit: "milliseconds", target: { atMost: 1 } },
    },
    measure: (bench) => measureQuery(bench, query),
  })),
];
