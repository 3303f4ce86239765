import { dataKey } from "#storage/data-key.ts";
import type { TraitsSpec } from "#storage/traits/traits.ts";
import { traitKinds } from "#storage/traits/trait.ts";
import type { HttpRequest } from "../../http/request.ts";
import type { HttpResponse } from "../../http/response.ts";
import { json } from "../../openapi/replies.ts";
import type { ExplorerServices } from "../services.ts";
import { answerReadably, cachedAnswer, withRevision } from "./answer.ts";
import { asOfParameter, requestedState } from "./as-of.ts";
import { type DescribedParameter, operations } from "./described.ts";
import type { Endpoint } from "./endpoint.ts";
import { readGiven, required, single, valueOf, wholeNumber } from "./given.ts";
import { shapes } from "./shapes.ts";
import { LARGEST_BODY, readQuery } from "./selection.ts";

const MOST = 1000;
const USUAL = 100;

const text = { type: "string" } as const;

const parameters: readonly DescribedParameter[] = [
  {
    name: "selection",
    description: "The selected nodes: `nodes` and its conditions, in PQL or as an AST",
    schema: text,
    required: true,
    example: 'nodes{ latest_report_status = "failed" }',
  },
  {
    name: "baseline",
    description: "The nodes that they are compared with, without the selected ones",
    schema: { type: "string", default: "nodes{}" },
  },
  {
    name: "kind",
    description: "Only differences of this kind; default: all",
    schema: { enum: traitKinds },
    isRepeated: true,
  },
  {
    name: "limit",
    description: "Differences, at most",
    schema: { type: "integer", minimum: 1, maximum: MOST, default: USUAL },
  },
  asOfParameter,
];

const names = parameters.map(({ name }) => name);

/** What sets some nodes apart from the others. */
export const differences: Endpoint = {
  path: "differences",
  describe: () =>
    operations(
      {
        summary: "Find what sets some nodes apart from the others",
        description:
          "Facts, classes, packages, environments and producers that at least half of the selected nodes have, or lack, and " +
          "whose share among the other nodes differs by more than 20 %. Left out are facts with a different value on nearly " +
          "every node, facts that change with every run, and values of more than 1024 characters.",
        ok: json("The differences", withRevision(shapes.differences)),
      },
      parameters,
    ),
  handle: (services, request) =>
    answerReadably(services, request, (signal) => answerDifferences(services, request, signal)),
};

async function answerDifferences(
  services: ExplorerServices,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const { settings } = services.queries;
  const given = await readGiven(request, names, LARGEST_BODY);
  const { traits, key } = await requestedState(given, services.store);
  const spec: TraitsSpec = {
    selection: readQuery(required(given, "selection"), settings),
    baseline: readQuery(single(given, "baseline") ?? "nodes{}", settings),
    kinds: (given.get("kind") ?? traitKinds).map((name) => valueOf("kind", name, traitKinds)),
    limit: wholeNumber(given, "limit", { least: 1, most: MOST, otherwise: USUAL }),
  };
  const answered = { of: "differences" as const, key: `${key} ${dataKey(spec)}` };
  return cachedAnswer(services, request, answered, signal, (working) => traits.differences(spec, { signal: working }));
}
