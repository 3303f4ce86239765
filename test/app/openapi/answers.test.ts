import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Schema } from "#app/openapi/types.ts";
import { serve, type Served } from "#test/app/fixture-service.ts";
import { a, emptyStore, fieldOf, submitted } from "#test/fixture-store.ts";
import { METADATA, tar } from "#test/storage/archive/build.ts";
import * as payloads from "#test/storage/wire/payloads.ts";
import { type Described, document, operations } from "./operations.ts";

const CERTNAME = "web-01.example.com";
const common = { producer: "puppet.example.com", producer_timestamp: "2026-11-20T10:00:00Z" };

let service: Served;
let hash = "";
beforeAll(async () => {
  const store = await emptyStore();
  await submitted(
    store,
    a.facts(CERTNAME, { ...common, package_inventory: [["ntp", "4.2", "apt"]], values: { kernel: "Linux", n: [1.5] } }),
    a.catalog(CERTNAME, {
      ...common,
      resources: [payloads.classResource(), payloads.fileResource({ title: "/etc/motd" })],
      edges: [payloads.edge({ target: { type: "File", title: "/etc/motd" } })],
    }),
    a.inputs(CERTNAME, { producer_timestamp: "2026-11-20T10:00:00Z", inputs: [["hiera", "ntp::servers"]] }),
    a.report(CERTNAME, common),
  );
  [hash = ""] = await fieldOf(store, "reports", "hash");
  service = await serve(store, { queries: { sql: true } });
});
afterAll(() => service.close());

/** The URL of the operation, with the examples of its parameters. */
function urlOf({ path, operation, method }: Described): string {
  const { parameters = [] } = operation;
  const value = (name: string, example: unknown): string =>
    encodeURIComponent(String(name === "hash" && path.includes("reports") ? hash : example));
  const filled = path.replaceAll(/\{(.+?)\}/g, (_, name: string) =>
    value(name, parameters.find((each) => each.name === name)?.example),
  );
  const given = parameters.filter(({ in: where, required }) => where === "query" && (required || method === "post"));
  const pairs = given.flatMap(({ name, example }) =>
    example === undefined ? [] : [`${name}=${value(name, example)}`],
  );
  return `${filled}${pairs.length === 0 ? "" : "?"}${pairs.join("&")}`;
}

/** A body as it is described, and its type. */
async function bodyOf({ operation }: Described): Promise<{ type: string; body: string } | undefined> {
  const { "application/json": json, "multipart/form-data": form } = operation.requestBody?.content ?? {};
  if (json?.example !== undefined) return { type: "application/json", body: JSON.stringify(json.example) };
  const parts = Object.keys((form?.schema["properties"] as object | undefined) ?? {});
  if (parts.length === 0) return undefined;
  const file = (await tar([["svc-bak/export-metadata.json", METADATA]])).toString();
  const lines = parts.flatMap((name) => ["--x", `Content-Disposition: form-data; name="${name}"`, "", file]);
  return { type: "multipart/form-data; boundary=x", body: [...lines, "--x--", ""].join("\r\n") };
}

/** A schema that contains the parts to which it refers. */
function whole(schema: Schema): Schema {
  const all = { ...schema, $defs: document.components.schemas };
  return JSON.parse(JSON.stringify(all).replaceAll("#/components/schemas/", "#/$defs/")) as Schema;
}

/** What is not answered 200: pages that lead to another, what a store in memory or one archive has none of, what is off, and names with a hash. */
const elsewhere: Readonly<Record<string, number>> = {
  "/": 302,
  "/pdb": 302,
  "/pdb/admin/v1/backup": 400,
  "/explorer/assets/{name}": 404,
  "/explorer/api/v1/issues/{id}": 404,
  "/explorer/api/v1/issues/{id}/preceding": 404,
  "/explorer/api/v1/archive-comparison": 404,
  "/explorer/api/v1/sql": 403,
  "/explorer/api/v1/sql/rows": 403,
  "/explorer/api/v1/archive-comparison/node": 404,
};

/** Those whose response ends; `changes.test.ts` is about the other. */
const ending = operations.filter(
  ({ operation }) => operation.responses["200"]?.content?.["text/event-stream"] === undefined,
);

describe("every described operation exists and returns what is described", () => {
  it.each(ending.map((each) => [each.method, each.path, each] as const))("%s %s", async (method, path, described) => {
    const sent = method === "post" ? await bodyOf(described) : undefined;
    const headers = sent === undefined ? {} : { "content-type": sent.type };
    const answer = await service.send(method.toUpperCase(), urlOf(described), sent?.body, headers);
    const reply = described.operation.responses[String(answer.status)];
    expect({ status: answer.status, isDescribed: reply !== undefined }).toEqual({
      status: elsewhere[path] ?? 200,
      isDescribed: true,
    });
    const schema = reply?.content?.["application/json"]?.schema;
    if (schema === undefined) return;
    expect(answer.headers["content-type"]).toMatch(/^application\/json/);
    const judged = z.fromJSONSchema(whole(schema)).safeParse(JSON.parse(answer.text));
    expect(judged).toMatchObject({ success: true });
  });

  it("the description itself is served", async () => {
    const { text, headers } = await service.get("/openapi.json");
    expect(headers["content-type"]).toBe("application/json;charset=utf-8");
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(document)));
  });
});
