import { type Family, familyOf } from "../access/families.ts";
import { interfaceVersion } from "../routes/meta.ts";
import { version } from "../version.ts";
import { adminPaths } from "./admin-paths.ts";
import { archivePaths } from "./archive-paths.ts";
import { commandPaths } from "./command-paths.ts";
import { entitySchemas } from "./entity-schemas.ts";
import { metricsPaths } from "./metrics-paths.ts";
import { pagePaths } from "./page-paths.ts";
import { queryPaths } from "./query-paths.ts";
import { object, plain } from "./replies.ts";
import { statusPaths } from "./status-paths.ts";
import type { Method, Operation, Paths, Reply, Schema } from "./types.ts";

/** An operation as it is given out. */
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

export interface DescribedService {
  /** Whether there is `/metrics/v2`. */
  readonly hasMetrics: boolean;
}

/** What each family is about. Those that have no endpoint are left out. */
const families: Readonly<Record<Family, string>> = {
  query: "Questions, in AST or PQL",
  command: "Facts, catalogs, reports and what else is said of nodes",
  admin: "Maintenance",
  archive: "Everything that is stored, in a file",
  status: "How the service is, and which it is",
  metrics: "Figures",
  pages: "What a browser shows",
};

/** Describes the whole interface, from the declarations that requests are answered by. */
export function openApiDocument({ hasMetrics }: DescribedService): OpenApiDocument {
  const described = Object.entries({
    ...queryPaths(),
    ...commandPaths(),
    ...adminPaths(),
    ...archivePaths(),
    ...statusPaths(),
    ...metricsPaths(hasMetrics),
    ...pagePaths(),
  } satisfies Paths);
  const paths = Object.fromEntries(
    described.map(([path, item]) => [
      path,
      Object.fromEntries(
        Object.entries(item).map(([method, operation]) => [method, complete(path, method, operation)]),
      ),
    ]),
  );
  const used = new Set(described.map(([path]) => familyAt(path)));
  return {
    openapi: "3.1.1",
    info,
    servers: [{ url: "/" }],
    // Over TLS a certificate, over plain HTTP none.
    security: [{ certificate: [] }, {}],
    tags: (Object.keys(families) as Family[])
      .filter((name) => used.has(name))
      .map((name) => ({ name, description: families[name] })),
    paths,
    components: {
      schemas: { ...entitySchemas(), problem },
      securitySchemes: {
        certificate: { type: "mutualTLS", description: "A certificate of the site's authority" },
      },
    },
  };
}

const info = {
  title: "Census",
  version,
  license: { name: "Apache-2.0", identifier: "Apache-2.0" },
  summary: `The configuration inventory of a fleet of nodes, speaking the interface of PuppetDB ${interfaceVersion}`,
  description:
    "Every answer has the header `X-Request-Id`: the request's own where it had one, so that a line of the log can be found.",
} as const;

const problem: Schema = object({ kind: { type: "string" }, msg: { type: "string" }, details: {} }, "kind", "msg");

/** What any request may be answered with. */
const everywhere: Readonly<Record<string, Reply>> = {
  "403": plain("Who asks may not do so"),
  "500": plain("A fault of the server"),
};

function complete(path: string, method: string, operation: Operation): DescribedOperation {
  return {
    operationId: [method, ...path.split(/[^a-z0-9]+/i).map(capitalized)].join(""),
    tags: [familyAt(path)],
    ...operation,
    responses: { ...everywhere, ...operation.responses },
  };
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** @throws Error for a path that no policy can speak of */
function familyAt(path: string): Family {
  const family = familyOf(path);
  if (family === undefined) throw new Error(`${path} has no family in app/access/families.ts`);
  return family;
}
