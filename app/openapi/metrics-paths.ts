import { json, object, plain } from "./replies.ts";
import type { Operation, Parameter, Paths, Schema } from "./types.ts";

/**
 * Metrics for Prometheus, for the dashboard and, if there are any, by Jolokia's protocol, whose paths go on as long as
 * there are names in them: what is described are their usual forms.
 */
export function metricsPaths(hasJolokia: boolean): Paths {
  return {
    "/metrics": { get: prometheus },
    "/pdb/dashboard/data": {
      get: { summary: "The figures of the overview page", responses: { "200": json("Meters", { type: "array" }) } },
    },
    ...(hasJolokia ? jolokiaPaths : {}),
  };
}

const prometheus: Operation = {
  summary: "Every figure, as Prometheus reads it",
  parameters: [
    {
      name: "collect[]",
      in: "query",
      description: "Only these collectors",
      schema: { type: "array", items: { enum: ["service", "nodes", "reports"] } },
    },
  ],
  responses: {
    "200": { description: "Lines", content: { "text/plain; version=0.0.4": { schema: { type: "string" } } } },
    "400": plain("There is no such collector"),
  },
};

const envelope: Schema = object(
  {
    request: { type: "object" },
    value: {},
    timestamp: { type: "integer" },
    status: { type: "integer", description: "What became of the request; the status of HTTP is 200 in any case" },
    error: { type: "string" },
    error_type: { type: "string" },
  },
  "status",
);

const answer = json("The envelope", envelope);

const segment = (name: string, description: string, example: string): Parameter => ({
  name,
  in: "path",
  required: true,
  description,
  schema: { type: "string" },
  example,
});

const mbean = segment("mbean", "Its name, * for any", "java.lang:type=Memory");

function operation(summary: string, ...parameters: readonly Parameter[]): Operation {
  return { summary, parameters, responses: { "200": answer } };
}

const request: Schema = object(
  {
    type: { enum: ["read", "list", "search", "version"] },
    mbean: { type: "string" },
    attribute: { type: ["string", "array"] },
    path: { type: "string" },
  },
  "type",
);

const jolokiaPaths: Paths = {
  "/metrics/v2": {
    get: operation("The version of the protocol"),
    post: {
      summary: "Requests as objects, one or a list",
      requestBody: {
        content: {
          "application/json": {
            schema: { anyOf: [request, { type: "array", items: request }] },
            example: { type: "version" },
          },
        },
      },
      responses: {
        "200": json("An envelope, or one for each", { anyOf: [envelope, { type: "array", items: envelope }] }),
      },
    },
  },
  "/metrics/v2/version": { get: operation("The version of the protocol") },
  "/metrics/v2/list": { get: operation("What there is") },
  "/metrics/v2/search/{pattern}": {
    get: operation("Names of beans", segment("pattern", "A name, * for any", "puppetlabs.puppetdb.mq:*")),
  },
  "/metrics/v2/read/{mbean}": { get: operation("The attributes of beans", mbean) },
  "/metrics/v2/read/{mbean}/{attributes}": {
    get: operation("Some attributes of beans", mbean, segment("attributes", "Names with commas", "HeapMemoryUsage")),
  },
};
