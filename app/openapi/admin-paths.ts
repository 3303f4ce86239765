import { operationNames } from "#storage/lifecycle/operation.ts";
import { error, json, object, plain, schemaNamed } from "./replies.ts";
import type { Paths, Schema } from "./types.ts";

/** `/pdb/admin/v1`, from the declarations of what maintenance can do. */
export function adminPaths(): Paths {
  return {
    "/pdb/admin/v1/cmd": {
      post: {
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
          "200": json("It has been done", object({ ok: { const: true }, deleted: { type: "string" } })),
          "400": error("It is no such command"),
          "409": json("Another cleanup is in progress", schemaNamed("problem")),
        },
      },
    },
    "/pdb/admin/v1/backup": {
      get: {
        summary: "A copy of the store while it works, itself a store",
        responses: {
          "200": {
            description: "The file census.duckdb of a data directory",
            content: { "application/octet-stream": { schema: { type: "string", format: "binary" } } },
          },
          "400": plain("The store is in memory"),
          "409": plain("Another backup is being made"),
        },
      },
    },
    "/pdb/admin/v1/summary-stats": {
      get: {
        summary: "Figures about what is stored",
        responses: {
          "200": json("Rows of figures by name, and the version", {
            ...object({ version: { type: "string" } }, "version"),
            additionalProperties: { type: "array" },
          }),
        },
      },
    },
  };
}

const clean: Schema = object(
  {
    command: { const: "clean" },
    version: { const: 1 },
    payload: {
      type: ["array", "null"],
      description: "What is to be done; nothing named is everything",
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
