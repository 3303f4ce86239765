import { overviewStates } from "#storage/query/state-overview.ts";
import { levels, states } from "../status/levels.ts";
import { serviceNames } from "../status/services.ts";
import { json, mediaReplies, object, plain, schemaNamed } from "./replies.ts";
import type { Operation, Parameter, Paths, Reply, Schema } from "./types.ts";

/** How the service is, and which it is. */
export function statusPaths(): Paths {
  return {
    "/status/v1/services": { get: status("How every service is", { type: "object", additionalProperties: service }) },
    "/status/v1/services/{service}": { get: named(status("How one service is", service)) },
    "/status/v1/simple": { get: simple("The worst state of all services, in a word: what a load balancer asks") },
    "/status/v1/simple/{service}": { get: named(simple("The state of one service, in a word")) },
    "/pdb/meta/v1/version": { get: meta("The version of PuppetDB whose interface is spoken", { version: text }) },
    "/pdb/meta/v1/version/latest": {
      get: meta("The newest version that is known of; nobody is asked", {
        newer: { type: "boolean" },
        version: text,
        link: { type: ["string", "null"] },
      }),
    },
    "/pdb/meta/v1/server-time": {
      get: meta("The server's clock", { server_time: { type: "string", format: "date-time" } }),
    },
    "/pdb/ext/v1/state-overview": { get: stateOverview },
  };
}

const text = { type: "string" } as const;

const service: Schema = object(
  {
    service_name: text,
    service_version: text,
    service_status_version: { type: "integer" },
    detail_level: { enum: levels },
    state: { enum: states },
    status: {},
    active_alerts: { type: "array" },
  },
  "state",
);

const parameters: readonly Parameter[] = [
  { name: "level", in: "query", description: "How much is told", schema: { enum: levels, default: "info" } },
  {
    name: "timeout",
    in: "query",
    description: "Seconds that a service may take",
    schema: { type: "integer", minimum: 1, default: 30 },
  },
];

function status(summary: string, schema: Schema): Operation {
  return {
    summary,
    parameters,
    responses: {
      "200": json("All of them run", schema),
      "400": json("A parameter is wrong", schemaNamed("problem")),
      "503": json("Not all of them run", schema),
    },
  };
}

function simple(summary: string): Operation {
  const word: Reply = { description: "The state", content: { "text/plain": { schema: { enum: states } } } };
  return { summary, responses: { "200": word, "503": word } };
}

function named({ parameters: others = [], responses, ...operation }: Operation): Operation {
  const which: Parameter = {
    name: "service",
    in: "path",
    required: true,
    description: "Which service",
    schema: { enum: serviceNames },
    example: serviceNames[0],
  };
  const absent = others.length === 0 ? plain("There is no such service") : problem("There is no such service");
  return { ...operation, parameters: [which, ...others], responses: { ...responses, "404": absent } };
}

function problem(description: string): Reply {
  return json(description, schemaNamed("problem"));
}

function meta(summary: string, properties: Readonly<Record<string, Schema>>): Operation {
  return { summary, responses: { "200": json("It", object(properties, ...Object.keys(properties))), ...mediaReplies } };
}

const count = { type: "integer", minimum: 0 } as const;

const stateOverview: Operation = {
  summary: "How many active nodes are in which state",
  parameters: [
    {
      name: "unresponsive_threshold",
      in: "query",
      required: true,
      description: "Seconds after which a node that has sent no report is unresponsive",
      schema: count,
      example: 7200,
    },
  ],
  responses: {
    "200": json(
      "Counts by state",
      object(Object.fromEntries(overviewStates.map((state) => [state, count])), ...overviewStates),
    ),
    "400": plain("What is wrong with the parameters"),
    ...mediaReplies,
  },
};
