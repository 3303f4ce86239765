import { type Silence, silenceAt } from "#storage/states/node-state.ts";
import { dataKey } from "#storage/data-key.ts";
import { CensusError, messageOf } from "#storage/errors.ts";
import { type Json, parseJson } from "#storage/json.ts";
import { readFilterText } from "#storage/query/facets/filter-text.ts";
import { type FacetFilter, type FacetsSpec } from "#storage/query/facets/facets.ts";
import type { HttpRequest } from "../../http/request.ts";
import type { HttpResponse } from "../../http/response.ts";
import { json } from "../../openapi/replies.ts";
import type { QuerySettings } from "../../query/settings.ts";
import type { ExplorerServices } from "../services.ts";
import { answerReadably, cachedAnswer, withRevision } from "./answer.ts";
import { asOfParameter, requestedState } from "./as-of.ts";
import { type DescribedParameter, operations } from "./described.ts";
import type { Endpoint } from "./endpoint.ts";
import { type Given, readGiven, required, single, wholeNumber } from "./given.ts";
import { shapes } from "./shapes.ts";
import { LARGEST_BODY, readQuery, silence } from "./selection.ts";

const MOST_VALUES = 1000;
const USUAL_VALUES = 10;

const text = { type: "string" } as const;

const parameters: readonly DescribedParameter[] = [
  {
    name: "query",
    description: "The rows: one entity and its conditions, in PQL or as an AST",
    schema: text,
    required: true,
    example: "nodes{}",
  },
  {
    name: "facet",
    description:
      "A field whose values are counted, or several separated by commas, whose combinations are: a field of the entity, a " +
      "path into a document (`parameters.ensure`), of `nodes` also `state`, a path into the facts (`facts.os.name`) and a " +
      "field of the catalog or the factset (`catalogs.producer`), and `origins.name`. Of a list each element is a value",
    schema: text,
    isRepeated: true,
    example: ["state", "facts.os.family"],
  },
  {
    name: "filter",
    description:
      "`FIELD=JSON` or `FIELD!=JSON`: only rows with, or without, that value, null for none. Of several values of one field " +
      "any will do. The counts of a facet leave out the filters of its own fields",
    schema: text,
    isRepeated: true,
    example: ['latest_report_status="failed"'],
  },
  {
    name: "limit",
    description: "Values of a facet, at most",
    schema: { type: "integer", minimum: 1, maximum: MOST_VALUES, default: USUAL_VALUES },
  },
  { name: "like", description: "Only values that contain this text, in whatever case", schema: text },
  { name: "per", description: "The field whose distinct values are counted, in place of rows", schema: text },
  { name: "distinct", description: "The field whose number of distinct values is added to each value", schema: text },
  asOfParameter,
];

const names = parameters.map(({ name }) => name);

/** The values of some fields in the rows of a query, each with its count. */
export const facets: Endpoint = {
  path: "facets",
  describe: () =>
    operations(
      {
        summary: "Count the values of fields in the rows of a query",
        description: "Every count is of one state of the store.",
        ok: json("The most frequent values", withRevision(shapes.facets)),
      },
      parameters,
    ),
  handle: (services, request) => answerReadably(services, request, (signal) => answerFacets(services, request, signal)),
};

async function answerFacets(
  services: ExplorerServices,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const { settings } = services.queries;
  const given = await readGiven(request, names, LARGEST_BODY);
  const { queries, clock, asOf, key } = await requestedState(given, services.store);
  // An answer that does not depend on the time is the same at any.
  const silent = mentionsState(given) ? silence(services, clock) : silenceAt(0, 0);
  const spec = readSpec(given, settings, silent);
  const plan = queries.planFacets(spec);
  const answered = {
    of: "facets" as const,
    key: `${key} ${dataKey(spec)}`,
    plan: asOf === undefined ? plan : undefined,
  };
  return cachedAnswer(services, request, answered, signal, (working) =>
    queries.facets(plan, { signal: working, patternMs: settings.patternMs }),
  );
}

/** Whether the answer depends on the time. */
function mentionsState(given: Given): boolean {
  return ["facet", "filter", "per", "distinct"]
    .flatMap((name) => given.get(name) ?? [])
    .some((value) => value.includes("state"));
}

function readSpec(given: Given, settings: QuerySettings, silent: Silence): FacetsSpec {
  const [like, per, distinct] = [single(given, "like"), single(given, "per"), single(given, "distinct")];
  return {
    ...readQuery(required(given, "query"), settings),
    facets: (given.get("facet") ?? []).map(fieldNames),
    filters: (given.get("filter") ?? []).map(readFilter),
    limit: wholeNumber(given, "limit", { least: 1, most: MOST_VALUES, otherwise: USUAL_VALUES }),
    ...(like === undefined ? {} : { like }),
    ...(per === undefined ? {} : { per }),
    ...(distinct === undefined ? {} : { distinct }),
    silence: silent,
  };
}

/** Names between commas, but for commas in quotes: `type,parameters."a,b"`. */
function fieldNames(facet: string): string[] {
  return facet.match(/(?:"[^"]*"|[^,"]|")+/g) ?? [""];
}

/**
 * `FIELD=JSON` or `FIELD!=JSON`. Names with an equals sign are in quotes, as in PQL: `facts."a=b"=1`.
 * @throws CensusError "bad-input" when it is neither
 */
function readFilter(filter: string): FacetFilter {
  const found = readFilterText(filter);
  if (found === undefined) {
    throw new CensusError(
      "bad-input",
      `filter ${JSON.stringify(filter)}: write FIELD=JSON or FIELD!=JSON, as in status="failed"`,
    );
  }
  const { field, excludes, written } = found;
  return { field, value: found.value ?? readValue(field, written), excludes };
}

function readValue(field: string, value: string): Json {
  try {
    return parseJson(value);
  } catch (error) {
    const advice = `a text is written in quotes, ${field}=${JSON.stringify(value)}`;
    throw new CensusError("bad-input", `filter of ${field}: ${messageOf(error)}; ${advice}`, { cause: error });
  }
}
