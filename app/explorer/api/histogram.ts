import { dataKey } from "#storage/data-key.ts";
import { measures } from "#storage/query/histogram/result.ts";
import { MOST_BUCKETS } from "#storage/query/histogram/buckets.ts";
import type { HttpRequest } from "../../http/request.ts";
import type { HttpResponse } from "../../http/response.ts";
import { json } from "../../openapi/replies.ts";
import type { ExplorerServices } from "../services.ts";
import { answerReadably, cachedAnswer, withRevision } from "./answer.ts";
import { asOfParameter, requestedState } from "./as-of.ts";
import { type DescribedParameter, operations } from "./described.ts";
import type { Endpoint } from "./endpoint.ts";
import { chosen, readGiven, required, single, wholeNumber } from "./given.ts";
import { rangeParameters, readRange } from "./range.ts";
import { shapes } from "./shapes.ts";
import { LARGEST_BODY, readQuery } from "./selection.ts";

const USUAL_BUCKETS = 60;

const text = { type: "string" } as const;

const parameters: readonly DescribedParameter[] = [
  {
    name: "query",
    description: "The rows: one entity and its conditions, in PQL or as an AST",
    schema: text,
    required: true,
    example: "reports{}",
  },
  {
    name: "field",
    description: "The time of a row, by which it is counted",
    schema: text,
    required: true,
    example: "producer_timestamp",
  },
  {
    name: "by",
    description:
      "A field whose values are counted apart. Of reports `status` is what became of the run, the first that applies: " +
      "`failed`, `hidden` (it did not fail because it used a cached catalog on failure), `corrective`, `changed`, `pending` " +
      "(noop) or `unchanged`",
    schema: text,
  },
  {
    name: "measure",
    description:
      "What a bucket has: `rows`; of reports by status `nodes`, each with its last run in the bucket; of reports `duration`: " +
      "the number of runs, and the seconds that half and 95 % of them took at most",
    schema: { enum: measures, default: "rows" },
  },
  ...rangeParameters,
  {
    name: "buckets",
    description: "Buckets, at most; one more where the range begins within a bucket",
    schema: { type: "integer", minimum: 1, maximum: MOST_BUCKETS, default: USUAL_BUCKETS },
  },
  {
    name: "zone",
    description: "The time zone with whose hours and days buckets begin, as in `Europe/Berlin`",
    schema: { ...text, default: "UTC" },
  },
  asOfParameter,
];

const names = parameters.map(({ name }) => name);

/** How many rows of a query are of which time. */
export const histogram: Endpoint = {
  path: "histogram",
  describe: () =>
    operations(
      {
        summary: "Count the rows of a query by time",
        ok: json("Counts, empty buckets included", withRevision(shapes.histogram)),
      },
      parameters,
    ),
  handle: (services, request) =>
    answerReadably(services, request, (signal) => answerHistogram(services, request, signal)),
};

async function answerHistogram(
  services: ExplorerServices,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const { settings } = services.queries;
  const given = await readGiven(request, names, LARGEST_BODY);
  const { queries, clock, asOf, key } = await requestedState(given, services.store);
  const by = single(given, "by");
  const spec = {
    ...readQuery(required(given, "query"), settings),
    ...readRange(given, clock),
    field: required(given, "field"),
    ...(by === undefined ? {} : { by }),
    ...chosen(given, "measure", measures),
    buckets: wholeNumber(given, "buckets", { least: 1, most: MOST_BUCKETS, otherwise: USUAL_BUCKETS }),
    zone: single(given, "zone") ?? "UTC",
  };
  const planned = queries.planHistogram(spec);
  const plan = asOf === undefined ? planned.plan : undefined;
  const answered = { of: "histogram" as const, key: `${key} ${dataKey(spec)}`, plan };
  const { patternMs } = settings;
  return cachedAnswer(services, request, answered, signal, (working) =>
    queries.histogram(planned, { signal: working, patternMs }),
  );
}
