import { dataKey } from "#storage/data-key.ts";
import { CensusError } from "#storage/errors.ts";
import { issueKinds, issueOrders, issueStates } from "#storage/issues/issue.ts";
import type { IssueDetailSpec, IssueListSpec, IssuesSpec } from "#storage/issues/issue-store.ts";
import type { HttpRequest } from "../../http/request.ts";
import type { HttpResponse } from "../../http/response.ts";
import { json, object } from "../../openapi/replies.ts";
import type { Schema } from "../../openapi/types.ts";
import type { ExplorerServices } from "../services.ts";
import { answerReadably, cachedAnswer } from "./answer.ts";
import { asOfParameter, type RequestedState, requestedState } from "./as-of.ts";
import { type DescribedParameter, operations } from "./described.ts";
import type { Endpoint } from "./endpoint.ts";
import { type Given, readGiven, single, wholeNumber } from "./given.ts";
import { rangeParameters, readRange } from "./range.ts";
import { LARGEST_BODY, readQuery } from "./selection.ts";

const MOST_ISSUES = 1000;
const USUAL_ISSUES = 100;

const text = { type: "string" } as const;
const count = { type: "integer", minimum: 0 } as const;
const moment = { type: "string", format: "date-time" } as const;
const textOrNull = { type: ["string", "null"] } as const;

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

const id = { type: "string", pattern: "^v\\d+-[\\da-f]{12}$" } as const;

const issueProperties: Readonly<Record<string, Schema>> = {
  id,
  kind: { enum: issueKinds },
  type: textOrNull,
  title: { ...textOrNull, description: "Folded" },
  message: { ...text, description: "Folded: what differs between nodes and runs is `<node>`, `<n>` and so on" },
  state: {
    enum: issueStates,
    description:
      "`resolved`: no node has it in its latest run; `new`: first seen in the last 24 hours; `regressed`: seen again in the last 24 " +
      "hours after no node had it for as long; `continuing`: any other",
  },
  common: { ...id, description: "The same for issues with the same message, whatever resource has it" },
  elsewhere: { ...count, description: "Other issues in the time range with the same message" },
  place: { ...object({ file: text, line: { type: ["integer", "null"] } }, "file", "line"), type: ["object", "null"] },
  class: textOrNull,
  nodes: { ...count, description: "Nodes with it in the time range" },
  still: { ...count, description: "Nodes with it in their latest run" },
  isHere: { type: "boolean", description: "Whether the node `certname` has it in its latest run" },
  joined: { ...count, description: "Of these, nodes with it for the first time in the last 24 hours" },
  recovered: { ...count, description: "Nodes with it in the last 24 hours, but not in their latest run" },
  events: count,
  environments: { type: "array", items: text },
  first: { ...moment, description: "Of all reports that are kept" },
  last: { ...moment, description: "Of all reports that are kept" },
  sample: object({ certname: text, report: text }, "certname", "report"),
  spark: { type: "array", items: count, description: "Nodes with it in 24 equal parts of the time range" },
};

const issue: Schema = object(issueProperties, ...Object.keys(issueProperties));

const list = object(
  {
    revision: count,
    rules: text,
    total: count,
    states: {
      ...object(Object.fromEntries(issueStates.map((state) => [state, count])), ...issueStates),
      description: "Issues in each state that the other parameters select",
    },
    issues: { type: "array", items: issue },
  },
  "revision",
  "rules",
  "total",
  "states",
  "issues",
);

const listOf = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: "array",
  items: object(properties, ...Object.keys(properties)),
});

const detail = object(
  {
    revision: count,
    issue,
    messages: { ...listOf({ message: text, count }), description: "As they were sent" },
    nodes: {
      ...listOf({
        certname: text,
        environment: textOrNull,
        still: { type: "boolean", description: "Whether its latest run has the issue" },
        first: { ...moment, description: "Its first report with the issue within the range" },
        time: { ...moment, description: "Its latest report with the issue within the range" },
        report: text,
        report_timestamp: {
          type: ["string", "null"],
          format: "date-time",
          description: "Of its latest run, as the fields below",
        },
        latest_report_status: textOrNull,
        latest_report_corrective_change: { type: ["boolean", "null"] },
        latest_report_noop_pending: { type: ["boolean", "null"] },
        cached_catalog_status: textOrNull,
      }),
      description: "Those that still have it first",
    },
    reports: listOf({ hash: text, certname: text, time: moment, status: text }),
    begin: {
      ...object(
        { certname: text, report: text, time: moment, version: text, versionBefore: textOrNull },
        "certname",
        "report",
        "time",
        "version",
        "versionBefore",
      ),
      description: "The first run with it of all that are kept, its code version, and that of the node's run before",
    },
    histogram: { type: "object", description: "Reports by outcome, as of `histogram`" },
  },
  "revision",
  "issue",
  "messages",
  "nodes",
  "reports",
  "begin",
  "histogram",
);

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
        ok: json("Issues", list),
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
        ok: json("The issue", detail),
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
  const key = `issues${state.key} ${dataKey(spec)}`;
  return cachedAnswer(services, request, { key }, signal, (working) => known.list(spec, { signal: working }));
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
  const key = `issue${state.key} ${dataKey(spec)}`;
  return cachedAnswer(services, request, { key }, signal, (working) => known.detail(spec, { signal: working }));
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

/** @throws CensusError "bad-input" when it is none of the known ones */
function chosen<Name extends string, Value extends string>(
  given: Given,
  name: Name,
  known: readonly Value[],
): Partial<Record<Name, Value>> {
  const value = single(given, name);
  if (value === undefined) return {};
  const found = known.find((each) => each === value);
  if (found === undefined) throw new CensusError("bad-input", `parameter '${name}' must be one of ${known.join(", ")}`);
  return { [name]: found } as Partial<Record<Name, Value>>;
}
