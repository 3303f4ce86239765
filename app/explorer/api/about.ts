import { silenceAt } from "#storage/states/node-state.ts";
import { parseJson } from "#storage/json.ts";
import type { Queries } from "#storage/query/queries.ts";
import type { Store } from "#storage/store.ts";
import { formatTimestamp, type Timestamp } from "#storage/time.ts";
import { json } from "../../openapi/replies.ts";
import { aboutAgainst, aboutService, aboutStore, aboutTime } from "../about.ts";
import type { ExplorerServices } from "../services.ts";
import { answerReadably, plainAnswer } from "./answer.ts";
import { asOfParameter, readAsOf } from "./as-of.ts";
import type { Endpoint } from "./endpoint.ts";
import { readGiven } from "./given.ts";
import { type About, type AboutData, shapes } from "./shapes.ts";
import { LARGEST_BODY } from "./selection.ts";
import { textsOf } from "../../query/texts-of.ts";

/** `about`: what is served, its time, and how much there is. The pages request it every few seconds. */
export const about: Endpoint = {
  path: "about",
  describe: () => ({ get: operation }),
  handle: (services, request) =>
    answerReadably(services, request, async (signal) => {
      const { store, explorer, queries } = services;
      const given = await readGiven(request, [asOfParameter.name], LARGEST_BODY);
      const asOf = await readableTime(store, readAsOf(given));
      const { answers } = queries;
      const { revision } = store;
      const answer = await answers.get(
        { key: `about ${asOf ?? "now"}`, version: String(revision) },
        undefined,
        async (working) => {
          const found = await queries.admission.run(working, () => readData(services, asOf, working));
          return Buffer.from(JSON.stringify(found));
        },
        signal,
      );
      const found: About = {
        ...aboutService(explorer.source, explorer.settings, queries.settings),
        ...(explorer.progress === undefined ? { state: "ready" } : { state: "loading", progress: explorer.progress() }),
        ...aboutTime(store.clock),
        revision: answers.settled(revision),
        against: aboutAgainst(explorer.against),
        ...(JSON.parse(await answers.text(answer)) as AboutData),
        store: await aboutStore(store),
      };
      return plainAnswer<"about">(found);
    }),
};

/**
 * The time of a state that can be read: pages need to know at first what there is, so that a time before the history is the
 * earliest one, and a time of a state that cannot be read the present.
 */
async function readableTime(store: Store, asOf: Timestamp | undefined): Promise<Timestamp | undefined> {
  const earliest = asOf === undefined ? undefined : await store.earliest();
  if (asOf === undefined || earliest === undefined || asOf > store.clock.now()) return undefined;
  return asOf < earliest ? earliest : asOf;
}

interface Reports {
  readonly count: number;
  readonly min: string | null;
  readonly max: string | null;
}

async function readData(
  { store, queries }: ExplorerServices,
  asOf: Timestamp | undefined,
  signal: AbortSignal,
): Promise<AboutData> {
  const state = await store.stateAt(asOf);
  const options = { everyReportType: !queries.settings.agentReportsOnly };
  const read = async <Row>(pql: string): Promise<Row[]> => {
    const plan = state.queries.plan({ of: "root", pql, options });
    const make = async (working: AbortSignal): Promise<Buffer> =>
      Buffer.from(`[${(await textsOf(state.queries, plan, working)).join(",")}]`);
    // Each part of the present state is cached separately, because a command changes few of the tables.
    if (asOf !== undefined) return parseJson(String(await make(signal))) as Row[];
    const { answers } = queries;
    const made = { key: `about ${pql}`, version: state.queries.versionOf(plan) };
    return parseJson(await answers.text(await answers.get(made, undefined, make, signal))) as Row[];
  };
  const nodes = await read<{ count: number }>("nodes[count()]{}");
  const inactive = await read<{ count: number }>('nodes[count()]{ node_state = "inactive" }');
  const resources = await countResources(state.queries, signal);
  const [reports] = await read<Reports>("reports[count(), min(producer_timestamp), max(producer_timestamp)]{}");
  const environments = await read<{ name: string }>("environments[name]{ order by name }");
  const earliest = await store.earliest();
  const { count = 0, min = null, max = null } = reports ?? {};
  return {
    counts: {
      nodes: nodes[0]?.count ?? 0,
      inactive: inactive[0]?.count ?? 0,
      resources,
      reports: count,
    },
    history: earliest === undefined ? null : formatTimestamp(earliest),
    span: { reports: min === null || max === null ? null : [min, max] },
    environments: environments.map(({ name }) => name),
    features: await state.queries.optionalData(),
  };
}

/** Counted as facets are: of active nodes. */
async function countResources(queries: Queries, signal: AbortSignal): Promise<number> {
  const spec = { pql: "resources{}", facets: [], filters: [], limit: 0, silence: silenceAt(0, 0) };
  const { total } = await queries.facets(queries.planFacets(spec), { signal });
  return total;
}

const operation = {
  summary: "What is served: source, time, revision, counts",
  description:
    "Until the first data of an archive can be shown, only `version`, `interface`, `source`, `settings`, `state` and `progress` are there. While `state` is `loading`, the other endpoints answer with what has been read.",
  parameters: [
    {
      ...asOfParameter,
      in: "query",
      required: false,
      description:
        "The time of the state that is counted, at the earliest the beginning of the history; default, and where no changes are recorded: now",
    },
  ],
  responses: {
    "200": json("What is served", shapes.about),
  },
} as const;
