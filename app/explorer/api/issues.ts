import { dataKey } from "#storage/data-key.ts";
import { issueKinds, issueOrders, issueStates } from "#storage/issues/issue.ts";
import type { IssueDetailSpec, IssueListSpec, IssuesSpec } from "#storage/issues/issue-store.ts";
import type { HttpRequest } from "../../http/request.ts";
import type { HttpResponse } from "../../http/response.ts";
import { json } from "../../openapi/replies.ts";
import type { ExplorerServices } from "../services.ts";
import { answerReadably, cachedAnswer, withRevision } from "./answer.ts";
import { asOfParameter, type RequestedState, requestedState } from "./as-of.ts";
import { type DescribedParameter, operations } from "./described.ts";
import type { Endpoint } from "./endpoint.ts";
import { chosen, type Given, readGiven, single, wholeNumber } from "./given.ts";
import { rangeParameters, readRange } from "./range.ts";
import { shapes } from "./shapes.ts";
import { LARGEST_BODY, readQuery } from "./selection.ts";

const MOST_ISSUES = 1000;
const USUAL_ISSUES = 100;

const text = { type: "string" } as const;

export const scopeParameters: readonly DescribedParameter[] = [
  ...rangeParameters,
  asOfParameter,
  { name: "env", description: "Reports of this environment", schema: text },
  {
    name: "query",
    description: "Reports of the nodes that this query selects, in PQL or as an AST",
    schema: { ...text, default: "nodes{}" },
  },
  {
    name: "certname",
    description: "Issues that this node has, active or not; they are counted over all nodes that `query` selects",
    schema: text,
  },
];

const listParameters: readonly DescribedParameter[] = [
  ...scopeParameters,
  { name: "kind", description: "Issues of this kind", schema: { enum: issueKinds } },
  { name: "state", description: "Issues in this state", schema: { enum: issueStates } },
  { name: "common", description: "Issues with this message, whatever resource has it", schema: text },
  { name: "type", description: "Issues of resources of this type", schema: text },
  { name: "class", description: "Issues of resources in this class", schema: text },
  { name: "sort", description: "What is the highest first", schema: { enum: issueOrders, default: "still" } },
  {
    name: "limit",
    description: "Issues, at most",
    schema: { type: "integer", minimum: 1, maximum: MOST_ISSUES, default: USUAL_ISSUES },
  },
];

const detailParameters: readonly DescribedParameter[] = [
  ...scopeParameters,
  {
    name: "zone",
    description: "The time zone with whose hours and days the buckets of the histogram begin",
    schema: { ...text, default: "UTC" },
  },
];

/** What fails: failures of all reports in a time range, the same ones joined. */
export const issues: Endpoint = {
  path: "issues",
  describe: () =>
    operations(
      {
        summary: "List what fails, with the nodes it reaches and since when",
        description:
          "Failed events, and errors in the logs of runs. What differs between nodes and runs is folded, and what is then the same " +
          "is one issue.",
        ok: json("Issues", withRevision(shapes.issues)),
      },
      listParameters,
    ),
  handle: (services, request) => answerReadably(services, request, (signal) => answerList(services, request, signal)),
};

/** One issue. */
export const issueDetail: Endpoint = {
  path: "issues/:id",
  describe: () =>
    operations(
      {
        summary: "Show one issue: its messages, nodes and reports",
        ok: json("The issue", withRevision(shapes["issues/:id"])),
        missing: "No report in the time range has that issue",
      },
      detailParameters,
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
  handle: (services, request) => answerReadably(services, request, (signal) => answerDetail(services, request, signal)),
};

async function answerList(
  services: ExplorerServices,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const given = await readGiven(request, namesOf(listParameters), LARGEST_BODY);
  const state = await requestedState(given, services.store);
  const { issues: known } = state;
  const spec: IssueListSpec = {
    ...readScope(given, services, state),
    filter: {
      ...chosen(given, "kind", issueKinds),
      ...chosen(given, "state", issueStates),
      ...optional(given, "common"),
      ...optional(given, "type"),
      ...optional(given, "class"),
    },
    order: chosen(given, "sort", issueOrders).sort ?? "still",
    limit: wholeNumber(given, "limit", { least: 1, most: MOST_ISSUES, otherwise: USUAL_ISSUES }),
  };
  const answered = { of: "issues" as const, key: `${state.key} ${dataKey(spec)}` };
  return cachedAnswer(services, request, answered, signal, (working) => known.list(spec, { signal: working }));
}

async function answerDetail(
  services: ExplorerServices,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const { id = "" } = request.segments;
  const given = await readGiven(request, namesOf(detailParameters), LARGEST_BODY);
  const state = await requestedState(given, services.store);
  const { issues: known } = state;
  const spec: IssueDetailSpec = { ...readScope(given, services, state), id, zone: single(given, "zone") ?? "UTC" };
  const answered = { of: "issues/:id" as const, key: `${state.key} ${dataKey(spec)}` };
  return cachedAnswer(services, request, answered, signal, (working) => known.detail(spec, { signal: working }));
}

export function namesOf(parameters: readonly DescribedParameter[]): string[] {
  return parameters.map(({ name }) => name);
}

export function readScope(given: Given, { queries }: ExplorerServices, { clock }: RequestedState): IssuesSpec {
  const [environment, certname] = [single(given, "env"), single(given, "certname")];
  return {
    ...readRange(given, clock),
    now: Number(clock.now() / 1000n),
    nodes: readQuery(single(given, "query") ?? "nodes{}", queries.settings),
    ...(environment === undefined ? {} : { environment }),
    ...(certname === undefined ? {} : { certname }),
  };
}

function optional<Name extends string>(given: Given, name: Name): Partial<Record<Name, string>> {
  const value = single(given, name);
  return (value === undefined ? {} : { [name]: value }) as Partial<Record<Name, string>>;
}
