import type { Options } from "./options.ts";
import { peerQueries } from "./peer/queries.ts";
import { benchQueries } from "./queries.ts";
import type { Scenario } from "./scenario.ts";
import { measureFixtureStart } from "./scenarios/fixture-start.ts";
import { commandMetrics, measureCommands } from "./scenarios/commands.ts";
import { measureExport } from "./scenarios/export.ts";
import { fleetHourScenario } from "./scenarios/fleet-hour.ts";
import { pageScenarios } from "./scenarios/pages.ts";
import { measurePackage } from "./scenarios/package.ts";
import { explorerScenarios } from "./scenarios/explorer.ts";
import { largeFleetScenario } from "./scenarios/large-fleet.ts";
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
    fleetHourScenario(options),
    largeFleetScenario(options),
    ...historyScenarios(options),
  ];
}

/** The longest acceptable time for the status of the service, and for an acknowledgement, in ms. */
const PROMPT = 50;

const ownScenarios: readonly Scenario[] = [
  {
    name: "import",
    shows: "an archive into a new data directory, then the same archive again",
    metrics: {
      speed: { unit: "commands/s" },
      "speed, reading and parsing alone": { unit: "commands/s" },
      "CPU time": { unit: "seconds" },
      "peak memory": { unit: "bytes" },
      "data directory": { unit: "bytes" },
      "again, unchanged": { unit: "seconds" },
      "again, data directory": { unit: "bytes" },
    },
    measure: measureImport,
  },
  {
    name: "opening",
    shows: "an archive of 1,000 nodes that was never opened, from the start of the packed program",
    metrics: openingMetrics,
    measure: (bench) => measureOpening(bench, 1000),
  },
  {
    name: "large-opening",
    shows: "the same of 10,000 nodes",
    isLong: true,
    metrics: openingMetrics,
    measure: (bench) => measureOpening(bench, 10_000),
  },
  {
    name: "export",
    shows: "everything as an archive over HTTP; memory should grow no more with ten times the nodes",
    metrics: {
      time: { unit: "seconds" },
      archive: { unit: "bytes" },
      "memory growth": { unit: "bytes" },
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
      "seen on all, 95th percentile": { unit: "milliseconds" },
    },
    measure: measureReplicas,
  },
  {
    name: "fixture-start",
    shows: "the packed program's `census fixture` with its 50 nodes, from the start of the process; and `reset()`",
    metrics: {
      "bare node": { unit: "milliseconds" },
      ready: { unit: "milliseconds" },
      "first answer": { unit: "milliseconds" },
      "ready, other nodes": { unit: "milliseconds" },
      reset: { unit: "milliseconds" },
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
      size: { unit: "bytes" },
      archive: { unit: "bytes" },
      "--version": { unit: "milliseconds" },
      "--version, beyond node's": { unit: "milliseconds" },
      "first answer, mini server": { unit: "milliseconds" },
      "first answer, empty store": { unit: "milliseconds" },
      "first answer, empty store, beside the mini server": { unit: "ratio" },
      "first answer, population's store": { unit: "milliseconds" },
      "first answer, population's store, beside the mini server": { unit: "ratio" },
      "memory after the start": { unit: "bytes" },
    },
    measure: measurePackage,
  },
  ...[false, true].map((gzip): Scenario => ({
    name: gzip ? "streaming/gzip" : "streaming/plain",
    shows: `every resource of every node over HTTP${gzip ? ", compressed" : ""}`,
    metrics: {
      speed: { unit: "rows/s" },
      "memory growth": { unit: "bytes" },
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
      compile: { unit: "milliseconds" },
    },
    measure: (bench) => measureQuery(bench, query),
  })),
];
