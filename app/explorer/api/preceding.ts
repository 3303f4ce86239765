import { dataKey } from "#storage/data-key.ts";
import type { PrecedingSpec } from "#storage/issues/issue-store.ts";
import type { HttpRequest } from "../../http/request.ts";
import type { HttpResponse } from "../../http/response.ts";
import { json } from "../../openapi/replies.ts";
import type { ExplorerServices } from "../services.ts";
import { answerReadably, cachedAnswer, withRevision } from "./answer.ts";
import { requestedState } from "./as-of.ts";
import { type DescribedParameter, operations } from "./described.ts";
import type { Endpoint } from "./endpoint.ts";
import { readGiven, single, wholeNumber } from "./given.ts";
import { namesOf, readScope, scopeParameters } from "./issues.ts";
import { readSpan } from "./range.ts";
import { shapes } from "./shapes.ts";
import { LARGEST_BODY } from "./selection.ts";

const MOST = 1000;
const USUAL = 100;

const text = { type: "string" } as const;

const parameters: readonly DescribedParameter[] = [
  ...scopeParameters,
  {
    name: "within",
    description:
      "How long before a node's first failure in the time range a change counts: minutes, hours, days or weeks",
    schema: { type: "string", pattern: "^\\d{1,4}[mhdw]$", default: "24h" },
  },
  {
    name: "limit",
    description: "Changes, at most",
    schema: { type: "integer", minimum: 1, maximum: MOST, default: USUAL },
  },
];

/** What changed on the nodes of an issue shortly before they had it. */
export const precedingOfIssue: Endpoint = {
  path: "issues/:id/preceding",
  describe: () =>
    operations(
      {
        summary: "Find what changed on the nodes of an issue shortly before, and not on others",
        description:
          "Recorded changes of facts, packages, resources, environment, code version and producer that at least half of the " +
          "nodes had in the time before their first failure, and whose share among the other nodes is smaller by more than 20 %. " +
          "None where no changes are recorded.",
        ok: json("The changes", withRevision(shapes["issues/:id/preceding"])),
        missing: "No report in the time range has that issue",
      },
      parameters,
      [
        {
          name: "id",
          in: "path",
          required: true,
          description: "Which issue",
          schema: text,
          example: "v2-0123456789ab",
        },
      ],
    ),
  handle: (services, request) =>
    answerReadably(services, request, (signal) => answerPreceding(services, request, signal)),
};

async function answerPreceding(
  services: ExplorerServices,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const { id = "" } = request.segments;
  const given = await readGiven(request, namesOf(parameters), LARGEST_BODY);
  const state = await requestedState(given, services.store);
  const { issues: known } = state;
  const spec: PrecedingSpec = {
    ...readScope(given, services, state),
    id,
    within: readSpan("within", single(given, "within") ?? "24h"),
    limit: wholeNumber(given, "limit", { least: 1, most: MOST, otherwise: USUAL }),
  };
  const answered = { of: "issues/:id/preceding" as const, key: `${state.key} ${dataKey(spec)}` };
  return cachedAnswer(services, request, answered, signal, (working) => known.preceding(spec, { signal: working }));
}
