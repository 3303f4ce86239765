import type { Store } from "#storage/store.ts";
import { type HttpRequest, readBodyBytes, workSignal } from "../http/request.ts";
import { formPairs } from "./form-pairs.ts";
import { LARGE_BODY, readLargeQuery } from "./large-query.ts";
import { type ParameterRules, type QueryParameters, readParameters } from "./parameters.ts";
import type { Target } from "./query-spec.ts";
import type { LargeReading } from "./query-worker.ts";
import type { QuerySettings } from "./settings.ts";

/** What parameters are read with. */
export interface ReadingContext {
  readonly store: Store;
  readonly settings: QuerySettings;
}

export interface ReadRequest {
  readonly parameters: QueryParameters;
  /** The query was too large to be read here: its plans are ready. */
  readonly large?: LargeReading | undefined;
}

/**
 * Reads the parameters of a request; a large query off the event loop.
 * @throws QueryError for invalid parameters; CensusError "timeout" when reading takes longer than a query may
 */
export async function readRequest(
  request: HttpRequest,
  rules: ParameterRules,
  target: Target,
  context: ReadingContext,
): Promise<ReadRequest> {
  const { settings } = context;
  const { pretty, bodyMaxSize } = settings;
  const { method, headers } = request.message;
  const { search } = request;
  if (method === "POST") {
    const bytes = await readBodyBytes(request, bodyMaxSize);
    if (isLarge(bytes, rules)) return readLarge(request, bytes, undefined, rules, target, context);
    return { parameters: readParameters(rules, { method: "POST", body: bytes.toString("utf8") }, { pretty }) };
  }
  // puppetdb-ruby sends a GET whose form-encoded body carries the query.
  if (headers["content-type"]?.startsWith("application/x-www-form-urlencoded") === true) {
    const bytes = await readBodyBytes(request, bodyMaxSize);
    if (isLarge(bytes, rules)) return readLarge(request, bytes, search, rules, target, context);
    const form = formPairs(bytes.toString("utf8"));
    return { parameters: readParameters(rules, { method: "GET", params: formPairs(search), form }, { pretty }) };
  }
  return { parameters: readParameters(rules, { method: "GET", params: formPairs(search) }, { pretty }) };
}

function isLarge(bytes: Buffer, { query }: ParameterRules): boolean {
  return bytes.length >= LARGE_BODY && query !== "refused";
}

async function readLarge(
  httpRequest: HttpRequest,
  body: Buffer,
  search: string | undefined,
  rules: ParameterRules,
  target: Target,
  { store, settings }: ReadingContext,
): Promise<ReadRequest> {
  const { timeoutDefaultMs: limit, agentReportsOnly, limits, pretty } = settings;
  const { signal, end } = workSignal(
    httpRequest,
    limit,
    `Query exceeded timeout of ${limit / 1000} s while it was read`,
  );
  try {
    const request = {
      body,
      search,
      rules,
      target,
      settings: { agentReportsOnly, limits, pretty },
      context: store.queries.planningContext,
    };
    const large = await readLargeQuery(request, signal);
    return { parameters: large.parameters, large };
  } finally {
    end();
  }
}
