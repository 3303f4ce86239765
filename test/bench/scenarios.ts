import { benchQueries } from "./queries.ts";
import type { Scenario } from "./scenario.ts";
import { measureImport } from "./scenarios/import.ts";
import { measureQuery } from "./scenarios/queries.ts";
import { measureStreaming } from "./scenarios/streaming.ts";

const GIB = 2 ** 30;
const MB = 1e6;

/** Everything that is measured, in this order; what imports comes first and leaves its data to the others. */
export const scenarios: readonly Scenario[] = [
  {
    name: "import",
    shows: "an archive into a new data directory, then the same archive again",
    metrics: {
      speed: { unit: "commands/s", target: { atLeast: 300 } },
      "CPU time": { unit: "seconds" },
      "peak memory": { unit: "bytes", target: { atMost: GIB } },
      "data directory": { unit: "bytes" },
      "again, unchanged": { unit: "seconds" },
      "again, data directory": { unit: "bytes" },
    },
    measure: measureImport,
  },
  ...[false, true].map((gzip): Scenario => ({
    name: gzip ? "streaming/gzip" : "streaming/plain",
    shows: `every resource of every node over HTTP${gzip ? ", compressed" : ""}`,
    metrics: {
      speed: { unit: "rows/s", target: { atLeast: 40_000 } },
      "memory growth": { unit: "bytes", target: { atMost: 150 * MB } },
      sent: { unit: "bytes" },
    },
    measure: (bench) => measureStreaming(bench, { gzip }),
  })),
  ...benchQueries.map((query): Scenario => ({
    name: `query/${query.name}`,
    shows: query.shows,
    metrics: { answer: { unit: "milliseconds" }, compile: { unit: "milliseconds", target: { atMost: 1 } } },
    measure: (bench) => measureQuery(bench, query),
  })),
];
