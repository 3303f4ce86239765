import { Readable } from "node:stream";
import type { H3Event } from "h3";
import { asResponse, respond, textAnswer } from "../http/answers.ts";
import { forbiddenRequest } from "../http/forbidden.ts";
import { nodeRequest, rawTarget } from "../http/request.ts";
import type { MetricsContext } from "../metrics/context.ts";
import { nodeLines, reportLines } from "../metrics/prometheus/fleet.ts";
import { processMetrics } from "../metrics/prometheus/process.ts";
import { serviceMetrics } from "../metrics/prometheus/service.ts";
import { metricText, prometheusType } from "../metrics/prometheus/text.ts";
import { CensusError } from "#storage/errors.ts";
import { formPairs } from "../query/form-pairs.ts";
import { version } from "../version.ts";

/** What `/metrics` consists of; `collect[]` names those that are wanted, nothing named is all of it. */
const collectors: Readonly<Record<string, (context: MetricsContext) => AsyncIterable<string>>> = {
  service: serviceLines,
  nodes: ({ store }) => nodeLines(store),
  reports: ({ store }) => reportLines(store),
};

/** `GET /metrics`: the same figures, and the ones that sites know from an exporter, in the text format of Prometheus. */
export function answerPrometheus(context: MetricsContext, event: H3Event): Response {
  const request = nodeRequest(event);
  const { path, search } = rawTarget(event);
  if (request.method !== "GET") return asResponse(forbiddenRequest(request, path));
  const wanted = formPairs(search).flatMap(([name, value]) => (name === "collect[]" ? [value] : []));
  const unknown = wanted.find((name) => !Object.hasOwn(collectors, name));
  if (unknown !== undefined) {
    const names = Object.keys(collectors).join(", ");
    return textAnswer(`There is no collector '${unknown}'; collect[] takes ${names}`);
  }
  const pieces = pageOf(context, wanted.length === 0 ? Object.keys(collectors) : wanted);
  return respond(Readable.from(pieces, { objectMode: false }), { "content-type": prometheusType });
}

/** Lines are gathered until they are worth a write. */
const PIECE = 64 * 1024;

async function* pageOf(context: MetricsContext, names: readonly string[]): AsyncGenerator<string> {
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

/** A store that cannot be read at present, as one that is damaged, is no reason to keep the other figures back. */
async function* readable(name: string, lines: AsyncIterable<string> | readonly string[]): AsyncGenerator<string> {
  try {
    yield* lines;
  } catch (error) {
    if (!(error instanceof CensusError) || error.code !== "unavailable") throw error;
    yield `# ${name}: ${error.message.replaceAll("\n", " ")}\n`;
  }
}

async function* serviceLines({ registry, figures }: MetricsContext): AsyncGenerator<string> {
  const metrics = [...processMetrics(figures, version), ...(await serviceMetrics(registry))];
  yield metrics.map(metricText).join("");
}
