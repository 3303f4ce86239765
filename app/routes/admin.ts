import { createReadStream } from "node:fs";
import { CensusError } from "#storage/errors.ts";
import { operationNames } from "#storage/lifecycle/operation.ts";
import { clojureText } from "#storage/query/ast/clojure.ts";
import type { Store } from "#storage/store.ts";
import { databaseFile } from "#storage/store-database.ts";
import { readAdminRequest } from "../admin/request.ts";
import { type HttpRequest, readBody } from "../http/request.ts";
import { type HttpResponse, notFound, prettyJsonResponse } from "../http/response.ts";
import type { RouteTable } from "../http/route.ts";
import { error, json, object, plain, schemaNamed } from "../openapi/replies.ts";
import type { Operation, Schema } from "../openapi/types.ts";
import { interfaceVersion } from "../version.ts";

/** What maintenance works on. */
export interface AdminServices {
  readonly store: Store;
}

/** `/pdb/admin/v1`: maintenance on request, and statistics of the stored data (`reference/lifecycle.md §7`). */
export const adminRoutes: RouteTable<AdminServices> = {
  routes: [
    {
      path: "/pdb/admin/v1/cmd",
      methods: ["POST"],
      family: "admin",
      metered: "/pdb/admin/v1/cmd",
      describe: () => ({ post: commandOperation }),
      handle: ({ store }, request) => runCommand(store, request),
    },
    {
      path: "/pdb/admin/v1/backup",
      methods: ["GET"],
      family: "admin",
      metered: "/pdb/admin/v1",
      describe: () => ({ get: backupOperation }),
      handle: ({ store }, request) => sendBackup(store, request),
    },
    {
      path: "/pdb/admin/v1/summary-stats",
      methods: "any",
      family: "admin",
      metered: "/pdb/admin/v1/summary-stats",
      describe: () => ({ get: statisticsOperation }),
      handle: async ({ store }) =>
        prettyJsonResponse({ ...(await store.lifecycle.summaryStatistics()), version: interfaceVersion }),
    },
  ],
  fallbacks: [
    { below: "/pdb/admin", methods: "any", family: "admin", metered: "/pdb/admin", handle: () => notFound() },
  ],
};

/** Bytes of a request, at most. */
const MAX_REQUEST = 4 * 1024 * 1024;

async function runCommand(store: Store, httpRequest: HttpRequest): Promise<HttpResponse> {
  const body = await readCommandText(httpRequest);
  const command = readAdminRequest(body);
  if ("detail" in command) {
    return prettyJsonResponse({ error: `Invalid command ${clojureText(body)}: ${command.detail}` }, 400);
  }
  if (command.command === "delete") {
    await store.lifecycle.deleteNode(command.certname);
    return prettyJsonResponse({ deleted: command.certname });
  }
  try {
    await store.lifecycle.clean(command.request);
  } catch (error) {
    if (!(error instanceof CensusError) || error.code !== "conflict") throw error;
    return prettyJsonResponse({ kind: "conflict", msg: error.message, details: null }, 409);
  }
  return prettyJsonResponse({ ok: true });
}

/** PuppetDB reads the fields of a form out of the body first, which leaves the body empty. */
async function readCommandText(request: HttpRequest): Promise<string> {
  const text = await readBody(request, MAX_REQUEST);
  return request.message.headers["content-type"]?.startsWith("application/x-www-form-urlencoded") ? "" : text;
}

/** The copy of the store is deleted when it has been sent, or the client has left. */
async function sendBackup(store: Store, { response }: HttpRequest): Promise<HttpResponse> {
  const backup = await store.backup();
  const content = createReadStream(backup.path).once("close", () => backup[Symbol.dispose]());
  if (response.destroyed) content.destroy();
  else response.once("close", () => content.destroy());
  return {
    status: 200,
    headers: {
      "content-type": "application/octet-stream",
      "content-length": String(backup.bytes),
      "content-disposition": `attachment; filename="${databaseFile}"`,
    },
    body: content,
  };
}

const clean: Schema = object(
  {
    command: { const: "clean" },
    version: { const: 1 },
    payload: {
      type: ["array", "null"],
      description: "Operations to run; an empty list runs all of them",
      items: {
        anyOf: [
          { enum: operationNames },
          {
            type: "array",
            prefixItems: [{ const: "purge_nodes" }, object({ batch_limit: { type: "integer" } }, "batch_limit")],
            minItems: 2,
            maxItems: 2,
          },
        ],
      },
    },
  },
  "command",
  "version",
  "payload",
);

const remove: Schema = object(
  {
    command: { const: "delete" },
    version: { const: 1 },
    payload: object({ certname: { type: "string" } }, "certname"),
  },
  "command",
  "version",
  "payload",
);

const commandOperation: Operation = {
  summary: "Maintain the store, or delete a node",
  requestBody: {
    required: true,
    content: {
      "application/json": {
        schema: { oneOf: [clean, remove] },
        example: { command: "clean", version: 1, payload: ["gc_packages"] },
      },
    },
  },
  responses: {
    "200": json("Done", object({ ok: { const: true }, deleted: { type: "string" } })),
    "400": error("Invalid command"),
    "409": json("Another cleanup is in progress", schemaNamed("problem")),
  },
};

const backupOperation: Operation = {
  summary: "Copy the store while the service runs; the copy is itself a store",
  responses: {
    "200": {
      description: "The file census.duckdb of a data directory",
      content: { "application/octet-stream": { schema: { type: "string", format: "binary" } } },
    },
    "400": plain("The store is in memory"),
    "409": plain("Another backup is in progress"),
  },
};

const statisticsOperation: Operation = {
  summary: "Statistics of what is stored",
  responses: {
    "200": json("Rows by the name of the statistic, and the version", {
      ...object({ version: { type: "string" } }, "version"),
      additionalProperties: { type: "array" },
    }),
  },
};
