import { Readable } from "node:stream";
import { CensusError } from "#storage/errors.ts";
import { forbiddenRequest } from "../http/forbidden.ts";
import { type HttpResponse, textResponse } from "../http/response.ts";
import type { RouteTable } from "../http/route.ts";
import type { MetricsContext } from "../metrics/context.ts";
import { issueLines, nodeLines, reportLines, stateLines, statusLines } from "../metrics/prometheus/fleet.ts";
import { processMetrics } from "../metrics/prometheus/process.ts";
import { serviceMetrics } from "../metrics/prometheus/service.ts";
import { signInMetrics } from "../metrics/prometheus/sign-in.ts";
import { metricText, prometheusType } from "../metrics/prometheus/text.ts";
import { plain } from "../openapi/replies.ts";
import type { Operation } from "../openapi/types.ts";
import { formPairs } from "../query/form-pairs.ts";
import type { SignInServices } from "./sign-in.ts";
import { version } from "../version.ts";

/** What metrics are read from. */
export interface MetricsServices extends SignInServices {
  readonly metrics: MetricsContext;
}

/** `GET /metrics`: metrics in the text format of Prometheus, with the names that PuppetDB's exporters use. */
export const prometheusRoutes: RouteTable<MetricsServices> = {
  routes: [
    {
      path: "/metrics",
      anySpelling: true,
      methods: ["GET"],
      refuseMethod: ({ message, path }) => forbiddenRequest(message, path),
      family: "metrics",
      metered: "/metrics",
      describe: () => ({ get: operation }),
      handle: ({ metrics, signIn }, { search }) => answerPrometheus({ ...metrics, signIn }, search),
    },
  ],
};

interface Sources extends MetricsContext, Pick<MetricsServices, "signIn"> {}

/** The parts of `/metrics`, which `collect[]` selects. */
const collectors: Readonly<Record<string, (context: Sources) => AsyncIterable<string>>> = {
  service: serviceLines,
  fleet: fleetLines,
  nodes: ({ store }) => nodeLines(store),
  reports: ({ store }) => reportLines(store),
};

/** Those without series of each node, of which there may be hundreds of thousands. */
const defaultCollectors = ["service", "fleet"];

function answerPrometheus(context: Sources, search: string): HttpResponse {
  const selected = formPairs(search).flatMap(([name, value]) => (name === "collect[]" ? [value] : []));
  const unknown = selected.find((name) => !Object.hasOwn(collectors, name));
  if (unknown !== undefined) {
    return textResponse(
      `Unknown collector '${unknown}'; collect[] must be one of ${Object.keys(collectors).join(", ")}`,
    );
  }
  const pieces = pageOf(
    context,
    selected.length > 0 ? selected : context.isPerNode ? Object.keys(collectors) : defaultCollectors,
  );
  return {
    status: 200,
    headers: { "content-type": prometheusType },
    body: Readable.from(pieces, { objectMode: false }),
  };
}

/** Characters that are gathered before they are written. */
const PIECE = 64 * 1024;

async function* pageOf(context: Sources, names: readonly string[]): AsyncGenerator<string> {
  let piece = "";
  for (const name of new Set(names)) {
    for await (const lines of readable(name, collectors[name]?.(context) ?? [])) {
      piece += lines;
      if (piece.length < PIECE) continue;
      yield piece;
      piece = "";
    }
  }
  yield piece;
}

/** Where the store cannot be read, as when it is damaged, the other metrics are still sent. */
async function* readable(name: string, lines: AsyncIterable<string> | readonly string[]): AsyncGenerator<string> {
  try {
    yield* lines;
  } catch (error) {
    if (!(error instanceof CensusError) || error.code !== "unavailable") throw error;
    yield `# ${name}: ${error.message.replaceAll("\n", " ")}\n`;
  }
}

async function* fleetLines({ store, silentAfter }: MetricsContext): AsyncGenerator<string> {
  yield* statusLines(store);
  yield* stateLines(store, silentAfter);
  yield* issueLines(store);
}

async function* serviceLines({ registry, figures, signIn }: Sources): AsyncGenerator<string> {
  const metrics = [
    ...processMetrics(figures, version),
    ...(await serviceMetrics(registry)),
    ...(signIn === undefined ? [] : signInMetrics(signIn)),
  ];
  yield metrics.map(metricText).join("");
}

const operation: Operation = {
  summary: "Read all metrics in the text format of Prometheus",
  parameters: [
    {
      name: "collect[]",
      in: "query",
      description: "Only these collectors; default: service and fleet, and with `metrics-per-node` all",
      schema: { type: "array", items: { enum: Object.keys(collectors) } },
    },
  ],
  responses: {
    "200": { description: "Lines", content: { "text/plain; version=0.0.4": { schema: { type: "string" } } } },
    "400": plain("Unknown collector"),
  },
};
