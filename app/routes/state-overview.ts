import { QueryError } from "#storage/query/errors.ts";
import { overviewStates } from "#storage/query/state-overview.ts";
import type { Store } from "#storage/store.ts";
import { mediaRefusal } from "../http/negotiation.ts";
import { type HttpResponse, notFound, prettyJsonResponse, textResponse } from "../http/response.ts";
import type { RouteTable } from "../http/route.ts";
import { json, mediaReplies, object, plain } from "../openapi/replies.ts";
import type { Operation } from "../openapi/types.ts";
import { illegalValue } from "../query/conversions.ts";
import { formPairs } from "../query/form-pairs.ts";
import { type Given, givenParameters } from "../query/given.ts";

/** The services that the overview is read from. */
export interface OverviewServices {
  readonly store: Store;
}

/** `GET /pdb/ext/v1/state-overview`: counts of active nodes by state (`reference/lifecycle.md §8`). */
export const stateOverviewRoutes: RouteTable<OverviewServices> = {
  routes: [
    {
      path: "/pdb/ext/v1/state-overview",
      anySpelling: true,
      methods: ["GET"],
      refuseMethod: ({ message, path }) => mediaRefusal(message, path) ?? notFound(),
      family: "query",
      metered: "/pdb/ext/v1/state-overview",
      describe: () => ({ get: operation }),
      handle: ({ store }, { message, path, search }) => mediaRefusal(message, path) ?? overview(store, search),
    },
  ],
  fallbacks: [{ below: "/pdb/ext", methods: "any", family: "query", metered: "/pdb/ext", handle: () => notFound() }],
};

/** The only parameter, and its largest value: 32 bits, as everywhere in PuppetDB. */
const THRESHOLD = "unresponsive_threshold";
const LARGEST = 2 ** 31 - 1;

/** Errors are plain text. */
async function overview(store: Store, search: string): Promise<HttpResponse> {
  try {
    const seconds = readThreshold(givenParameters({ method: "GET", params: formPairs(search) }));
    return prettyJsonResponse(await store.queries.stateOverview(seconds));
  } catch (error) {
    if (error instanceof QueryError) return textResponse(error.message);
    throw error;
  }
}

/** @throws QueryError with the texts of queries (`reference/http.md §3.1`) */
function readThreshold(given: Given): number {
  const text = given.get(THRESHOLD);
  if (text === undefined) throw new QueryError(`Missing required query parameter '${THRESHOLD}'`);
  const unknown = [...given.keys()].find((name) => name !== THRESHOLD);
  if (unknown !== undefined) throw new QueryError(`Unsupported query parameter '${unknown}'`);
  const seconds = typeof text === "string" && /^\+?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (seconds <= LARGEST) return seconds;
  throw illegalValue(THRESHOLD, text, "expected a non-negative integer.");
}

const count = { type: "integer", minimum: 0 } as const;

const operation: Operation = {
  summary: "Count active nodes by state",
  parameters: [
    {
      name: THRESHOLD,
      in: "query",
      required: true,
      description: "Seconds without a report after which a node is unresponsive",
      schema: count,
      example: 7200,
    },
  ],
  responses: {
    "200": json(
      "Counts by state",
      object(Object.fromEntries(overviewStates.map((state) => [state, count])), ...overviewStates),
    ),
    "400": plain("A parameter is invalid"),
    ...mediaReplies,
  },
};
