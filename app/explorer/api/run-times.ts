import type { Queries } from "#storage/query/queries.ts";
import type { RunTimesSpec } from "#storage/query/run-times/run-times.ts";
import type { ReadOptions } from "#storage/engine/statements.ts";
import type { HttpRequest } from "../../http/request.ts";
import type { HttpResponse } from "../../http/response.ts";
import { json } from "../../openapi/replies.ts";
import type { ExplorerServices } from "../services.ts";
import { answerReadably, cachedAnswer, withRevision } from "./answer.ts";
import { asOfParameter, requestedState } from "./as-of.ts";
import { type DescribedParameter, operations } from "./described.ts";
import type { Endpoint } from "./endpoint.ts";
import { readGiven, single } from "./given.ts";
import { LARGEST_BODY } from "./selection.ts";
import { type Answer, shapes } from "./shapes.ts";

type Path = "run-times/nodes" | "run-times/types";

const parameters: readonly DescribedParameter[] = [
  { name: "env", description: "Runs in this environment", schema: { type: "string" } },
  asOfParameter,
];

/** What the latest runs of all nodes spent their time on. */
export const slowestTypes = endpoint(
  "run-times/types",
  "List types of resources by the time that the latest runs spent on them",
  async (queries, spec, options) => queries.slowestTypes(spec, options),
);

/** Which nodes got slower. */
export const slowerNodes = endpoint(
  "run-times/nodes",
  "List nodes whose recent runs take longer than their own before",
  async (queries, spec, options) => queries.slowerNodes(spec, options),
);

function endpoint<Of extends Path>(
  path: Of,
  summary: string,
  read: (queries: Queries, spec: RunTimesSpec, options: ReadOptions) => Promise<Answer<Of>>,
): Endpoint {
  const answer = async (
    services: ExplorerServices,
    request: HttpRequest,
    signal: AbortSignal,
  ): Promise<HttpResponse> => {
    const names = parameters.map(({ name }) => name);
    const given = await readGiven(request, names, LARGEST_BODY);
    const { queries, key } = await requestedState(given, services.store);
    const environment = single(given, "env");
    const answered = { of: path, key: `${key} ${environment ?? ""}` };
    return cachedAnswer(services, request, answered, signal, (working) =>
      read(queries, { environment }, { signal: working }),
    );
  };
  return {
    path,
    describe: () => operations({ summary, ok: json("A list", withRevision(shapes[path])) }, parameters),
    handle: (services, request) => answerReadably(services, request, (signal) => answer(services, request, signal)),
  };
}
