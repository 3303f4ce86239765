import { CensusError } from "#storage/errors.ts";
import type { JsonObject } from "#storage/json.ts";
import { type InventoryFormatName, inventoryFormatNames, isInventoryFormat } from "#storage/inventory/format-names.ts";
import type { InventorySpec } from "#storage/inventory/read-hosts.ts";
import { rowObject } from "#storage/output/cells.ts";
import { clipped } from "#storage/clip.ts";
import type { Timestamp } from "#storage/time.ts";
import { type HttpRequest, requestSignal } from "../http/request.ts";
import { type HttpResponse, notFound, textResponse } from "../http/response.ts";
import type { RouteTable } from "../http/route.ts";
import { plain } from "../openapi/replies.ts";
import type { Operation } from "../openapi/types.ts";
import { moment } from "../query/conversions.ts";
import { formPairs } from "../query/form-pairs.ts";
import { textsOf } from "../query/texts-of.ts";
import { timeLimit } from "../query/settings.ts";
import type { QueryServices } from "./query.ts";

/** `GET /pdb/ext/v1/inventory`: the nodes for Prometheus' service discovery, Ansible, Bolt or ssh. An addition of Census. */
export const inventoryRoutes: RouteTable<QueryServices> = {
  routes: [
    {
      path: "/pdb/ext/v1/inventory",
      anySpelling: true,
      methods: ["GET"],
      refuseMethod: () => notFound(),
      family: "query",
      metered: "/pdb/ext/v1/inventory",
      describe: () => ({ get: operation }),
      handle: inventory,
    },
  ],
};

/** Errors are plain text, as those of queries. */
async function inventory(services: QueryServices, request: HttpRequest): Promise<HttpResponse> {
  const { queries } = services;
  const { store } = queries;
  const seconds = timeLimit({}, queries.settings);
  const signal = requestSignal(request, seconds, `The request exceeded the timeout of ${seconds} s`);
  try {
    const { format, spec, port, user, asOf } = readParameters(request.search);
    const [{ readHosts }, { inventoryFormats }] = await Promise.all([
      import("#storage/inventory/read-hosts.ts"),
      import("#storage/inventory/formats.ts"),
    ]);
    const options = { everyReportType: !queries.settings.agentReportsOnly };
    const state = await store.queriesAt(asOf);
    const readRows = async (pql: string): Promise<JsonObject[]> => {
      const plan = state.plan({ of: "root", pql, options });
      return (await textsOf(state, plan, signal)).map(rowObject);
    };
    const hosts = await queries.admission.run(signal, () => readHosts(readRows, spec));
    const { contentType, write } = inventoryFormats[format];
    return { status: 200, headers: { "content-type": contentType }, body: write(hosts, { port, user }).text };
  } catch (error) {
    if (error instanceof CensusError && error.code === "bad-input") return textResponse(clipped(error.message));
    if (error instanceof CensusError && error.code === "timeout") return textResponse(clipped(error.message), 500);
    throw error;
  }
}

interface InventoryParameters {
  readonly format: InventoryFormatName;
  readonly spec: InventorySpec;
  readonly port: number | undefined;
  readonly user: string | undefined;
  /** The time whose state is listed; undefined: the present one. */
  readonly asOf: Timestamp | undefined;
}

/** Parameters with one value, and those that may be repeated. */
const single = ["format", "query", "address", "port", "user", "as_of"] as const;
const repeatable = ["group", "group-class", "var"] as const;

/** @throws CensusError "bad-input" naming the parameter */
function readParameters(search: string): InventoryParameters {
  const given = Map.groupBy(formPairs(search), ([name]) => name);
  const known: readonly string[] = [...single, ...repeatable];
  for (const [name, pairs] of given) {
    if (!known.includes(name)) {
      throw refused(`Unsupported query parameter '${name}'; there are ${known.join(", ")}`);
    }
    if (pairs.length > 1 && single.some((one) => one === name)) throw refused(`'${name}' was given more than once`);
  }
  const all = (name: (typeof repeatable)[number]): string[] => (given.get(name) ?? []).map(([, value]) => value);
  const one = (name: (typeof single)[number]): string | undefined => given.get(name)?.[0]?.[1];
  const format = one("format") ?? "prometheus-sd";
  if (!isInventoryFormat(format)) {
    throw refused(`format: ${JSON.stringify(format)} is none of ${inventoryFormatNames.join(", ")}`);
  }
  const port = one("port");
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) <= 65_535)) {
    throw refused(`port: a number from 0 to 65535, not ${JSON.stringify(port)}`);
  }
  const groupBy = all("group");
  const asOf = one("as_of");
  return {
    format,
    spec: {
      query: one("query"),
      address: one("address"),
      classes: all("group-class"),
      variables: all("var"),
      ...(groupBy.length === 0 ? {} : { groupBy }),
    },
    port: port === undefined ? undefined : Number(port),
    user: one("user"),
    asOf: asOf === undefined ? undefined : moment("as_of", asOf),
  };
}

function refused(message: string): CensusError {
  return new CensusError("bad-input", message);
}

const text = { type: "string" } as const;
const texts = { type: "array", items: text } as const;

const operation: Operation = {
  summary: "The nodes as an inventory of another tool",
  description: "An addition of Census. `census inventory` writes the same.",
  parameters: [
    {
      name: "format",
      in: "query",
      description: "`prometheus-sd` is what Prometheus' HTTP service discovery reads",
      schema: { enum: [...inventoryFormatNames], default: "prometheus-sd" },
    },
    {
      name: "query",
      in: "query",
      description: "PQL whose rows have a certname; default: all active nodes",
      schema: text,
      example: 'nodes[certname]{ report_environment = "production" }',
    },
    {
      name: "group",
      in: "query",
      description: "A fact, `environment` or `trusted.…`, by which nodes are grouped, or `none`; repeatable",
      schema: texts,
    },
    {
      name: "group-class",
      in: "query",
      description: "A class, with `*` for any characters; repeatable",
      schema: texts,
    },
    { name: "var", in: "query", description: "A fact that becomes a variable or label; repeatable", schema: texts },
    { name: "address", in: "query", description: "The fact with the address", schema: text },
    {
      name: "port",
      in: "query",
      description: "Default: of `prometheus-sd` 9100, else none",
      schema: { type: "integer", minimum: 0, maximum: 65_535 },
    },
    { name: "user", in: "query", description: "To log in as; for Ansible, Bolt and ssh", schema: text },
    {
      name: "as_of",
      in: "query",
      description: "List the nodes as at this time, if changes since are recorded",
      schema: { type: "string", format: "date-time" },
    },
  ],
  responses: {
    "200": { description: "The inventory, in the media type of its format" },
    "400": plain("A parameter is invalid"),
  },
};
