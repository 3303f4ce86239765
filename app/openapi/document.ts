import { families, type Family, familyNames } from "../access/families.ts";
import type { Route } from "../http/route.ts";
import { templateOf } from "../http/router.ts";
import { interfaceVersion, version } from "../version.ts";
import { entitySchemas } from "./entity-schemas.ts";
import { json, object, plain } from "./replies.ts";
import type { Method, Operation, Reply, Schema } from "./types.ts";

/** An operation with what all of them have in common. */
export interface DescribedOperation extends Operation {
  readonly operationId: string;
  readonly tags: readonly [Family];
}

export interface OpenApiDocument {
  readonly openapi: "3.1.1";
  readonly info: Readonly<Record<string, unknown>>;
  readonly servers: readonly { readonly url: string }[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly tags: readonly { readonly name: Family; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Partial<Record<Method, DescribedOperation>>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly securitySchemes: Readonly<Record<string, Schema>>;
  };
}

/** What of a route is described. */
export type DescribedRoute = Pick<Route<never>, "path" | "family" | "describe">;

/** Describes the whole interface, from the routes that answer requests. */
export function openApiDocument(routes: readonly DescribedRoute[]): OpenApiDocument {
  const used = new Set(routes.map(({ family }) => family));
  return {
    openapi: "3.1.1",
    info,
    servers: [{ url: "/" }],
    // Over TLS a certificate or a token, over plain HTTP neither.
    security: [{ certificate: [] }, { token: [] }, { bearer: [] }, {}],
    tags: familyNames.filter((name) => used.has(name)).map((name) => ({ name, description: families[name] })),
    paths: Object.fromEntries(routes.map((route) => [templateOf(route.path), operationsOf(route)])),
    components: {
      schemas: { ...entitySchemas(), problem },
      securitySchemes: {
        certificate: { type: "mutualTLS", description: "A certificate of the site's authority" },
        token: { type: "apiKey", in: "header", name: "X-Authentication", description: "A token, see census token" },
        bearer: { type: "http", scheme: "bearer", description: "The same token" },
      },
    },
  };
}

const info = {
  title: "Census",
  version,
  license: { name: "Apache-2.0", identifier: "Apache-2.0" },
  summary: `Configuration inventory of a fleet of nodes, with the interface of PuppetDB ${interfaceVersion}`,
  description:
    "Every response has the header `X-Request-Id`, with which its line in the log can be found: that of the request, or a new one.",
} as const;

const problem: Schema = object({ kind: { type: "string" }, msg: { type: "string" }, details: {} }, "kind", "msg");

/** Replies that any request may get. */
const everywhere: Readonly<Record<string, Reply>> = {
  "401": json(
    "The token is missing or not valid",
    object({ kind: { type: "string" }, msg: { type: "string" } }, "kind", "msg"),
  ),
  "403": plain("The client may not do so"),
  "500": plain("A defect of the server"),
};

function operationsOf({ path, family, describe }: DescribedRoute): Partial<Record<Method, DescribedOperation>> {
  return Object.fromEntries(
    Object.entries(describe()).map(([method, operation]) => [
      method,
      complete(templateOf(path), method, family, operation),
    ]),
  );
}

function complete(path: string, method: string, family: Family, operation: Operation): DescribedOperation {
  return {
    operationId: [method, ...path.split(/[^a-z0-9]+/i).map(capitalized)].join(""),
    tags: [family],
    ...operation,
    responses: { ...everywhere, ...operation.responses },
  };
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
