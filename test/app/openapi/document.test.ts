import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { Router } from "#app/http/router.ts";
import { openApiDocument } from "#app/openapi/document.ts";
import { routeTables } from "#app/routes/index.ts";
import { queryRoutes } from "#app/routes/query-table.ts";
import { entities } from "#storage/query/entities/index.ts";
import { commandNames } from "#storage/wire/commands.ts";
import { document, operations } from "./operations.ts";

function parametersOf(path: string, where: string, method: "get" | "post" = "get"): string[] {
  const { parameters = [] } = document.paths[path]?.[method] ?? {};
  return parameters.filter((parameter) => parameter.in === where).map(({ name }) => name);
}

describe("the description", () => {
  it("is valid OpenAPI 3.1", async () => {
    const { valid, errors } = await new Validator().validate({ ...structuredClone(document) });
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
    expect(document.openapi).toMatch(/^3\.1\./);
  });

  it("has one id per operation, and describes the parameters of its path", () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    for (const { path, method } of operations) {
      const segments = [...path.matchAll(/\{(.+?)\}/g)].map(([, name]) => name);
      expect([path, parametersOf(path, "path", method as "get")]).toEqual([path, segments]);
    }
  });

  it("refers to existing parts only", () => {
    const text = JSON.stringify(document);
    const names = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name = ""]) => name);
    expect(names.filter((name) => document.components.schemas[name] === undefined)).toEqual([]);
  });

  it("has a tag for each family that is used", () => {
    const used = new Set(operations.flatMap(({ operation }) => operation.tags));
    expect(document.tags.map(({ name }) => name).sort()).toEqual([...used].sort());
  });
});

describe("declarations are described", () => {
  it.each(queryRoutes.map((route) => [route.path, route] as const))("/pdb/query/v4/%s", (_, route) => {
    const path = `/pdb/query/v4/${route.path}`.replaceAll(/:(\w+)/g, "{$1}").replace(/\/$/, "");
    expect(Object.keys(document.paths[path] ?? {})).toEqual(
      route.rules.query === "refused" ? ["get"] : ["get", "post"],
    );
  });

  // reference/query.md §2.1
  const always = [
    "optimize_drop_unused_joins",
    "pretty",
    "explain",
    "include_facts_expiration",
    "include_package_inventory",
    "as_of",
    "timeout",
    "origin",
  ];
  const paging = ["order_by", "limit", "offset", "include_total"];
  const distinct = ["distinct_resources", "distinct_start_time", "distinct_end_time"];
  const counts = ["summarize_by", "count_by", "counts_filter"];
  it.each<[path: string, parameters: string[]]>([
    ["", ["query", "ast_only", ...paging, ...always]],
    ["/nodes", ["query", ...paging, ...always]],
    ["/reports/{hash}/logs", always],
    ["/environments/{environment}", always],
    ["/events", ["query", ...paging, ...distinct, ...always]],
    ["/environments/{environment}/events", ["query", ...paging, ...distinct, ...always]],
    ["/event-counts", ["query", ...paging, ...distinct, ...counts, ...always]],
    ["/aggregate-event-counts", ["query", ...distinct, ...counts, ...always.filter((name) => name !== "pretty")]],
  ])("the parameters of /pdb/query/v4%s", (path, parameters) => {
    expect(parametersOf(`/pdb/query/v4${path}`, "query").sort()).toEqual([...parameters].sort());
    const body = document.paths[`/pdb/query/v4${path}`]?.post?.requestBody?.content["application/json"]?.schema;
    const inBody = Object.keys((body?.["properties"] as object | undefined) ?? {});
    const takesQuery = parameters.includes("query");
    expect(inBody.sort()).toEqual(takesQuery ? [...parameters].sort() : []);
  });

  it("which of them are required", () => {
    const required = operations.flatMap(({ path, method, operation }) =>
      method !== "get" || !path.startsWith("/pdb/query")
        ? []
        : (operation.parameters ?? [])
            .filter((parameter) => parameter.in === "query" && parameter.required === true)
            .map(({ name }) => `${path} ${name}`),
    );
    expect(required).toEqual([
      "/pdb/query/v4 query",
      "/pdb/query/v4/event-counts summarize_by",
      "/pdb/query/v4/aggregate-event-counts summarize_by",
    ]);
  });

  it("the fields of every entity that is returned", () => {
    for (const entity of new Set(queryRoutes.flatMap((route) => ("entity" in route ? [route.entity] : [])))) {
      const schema = document.components.schemas[entity];
      const answered = Object.entries(entities[entity]?.fields ?? {}).filter(
        ([, field]) => field.projectable !== false,
      );
      if (schema?.["type"] === "string") continue;
      expect(Object.keys(schema?.["properties"] as object)).toEqual(
        expect.arrayContaining(answered.map(([name]) => name)),
      );
    }
    expect(document.components.schemas["reports"]?.["x-queryable"]).toContain("latest_report?");
    expect(document.components.schemas["nodes"]?.["properties"]).toHaveProperty("expires_facts");
  });

  it("the commands, with the versions that are accepted over HTTP (reference/commands.md §1.5)", () => {
    const operation = document.paths["/pdb/cmd/v1"]?.post;
    expect(operation?.["x-commands"]).toEqual({
      "configure expiration": [1],
      "deactivate node": [3],
      "replace catalog": [6, 7, 8, 9],
      "replace catalog inputs": [1],
      "replace facts": [4, 5],
      "store report": [5, 6, 7, 8],
    });
    const schema = operation?.parameters?.find(({ name }) => name === "command")?.schema;
    expect(schema).toEqual({ enum: commandNames.map((name) => name.replaceAll(" ", "_")) });
  });

  it("not /metrics/v2 if it is switched off", () => {
    const paths = Object.keys(openApiDocument(new Router(routeTables, new Set()).routes).paths);
    expect(paths.filter((path) => path.startsWith("/metrics"))).toEqual(["/metrics"]);
  });
});
