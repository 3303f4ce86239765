import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { endpoints } from "#app/explorer/api/index.ts";
import type { Parameter } from "#app/openapi/types.ts";
import { populatedStore } from "#test/fixture-store.ts";
import { byLength } from "#test/length.ts";
import { serve, type Served } from "../fixture-service.ts";
import { apiPath } from "./api-path.ts";

let served: Served;

beforeAll(async () => {
  served = await serve(await populatedStore());
});

afterAll(() => served.close());

const entities = ["nodes", "resources", "facts", "fact_contents", "events", "reports", "edges", "inventory"];

/** Texts with a meaning in some parameter, and others that programs mistake for something else. */
const words = [
  entities.map((entity) => `${entity}{}`),
  ["[]", '["from"]', '["from","facts"]', "facts[value]{}", "timestamp", "end_time", "status", "value", "state"],
  ["facts.os", 'facts."', "facts.a[0]", "parameters.a.b", 'facts.match("a")', "resource", "beta", "SELECT 1"],
  ["state=null", "tags=[]", 'value={"a":[1e400]}', "line=1e999", "end_time=9e99", "1", "200", "true"],
  ["0001-01-01", "9999-01-01", "2026-11-21", "24h", "14d", "9999d", "1m", "UTC", "Europe/Berlin", "+02:00"],
  ["\u0000", "\uD800", "__proto__", "constructor"],
].flat();

const odd = fc.oneof(fc.string({ unit: "binary", maxLength: 30 }), fc.constantFrom(...words));

/** Mostly values that the description allows, so that requests get far. */
function valueOf({ schema, example, required = false }: Parameter): fc.Arbitrary<unknown> {
  const { enum: allowed = [] } = schema as { readonly enum?: readonly string[] };
  const usual = [...allowed, ...(example === undefined ? [] : [example])];
  const any = fc.oneof(odd, fc.array(odd, { maxLength: 4 }));
  return usual.length === 0 ? any : fc.oneof({ weight: required ? 3 : 1, arbitrary: fc.constantFrom(...usual) }, any);
}

const described = endpoints.flatMap(({ path, describe }) => {
  const { get, post } = describe();
  const parameters = (get?.parameters ?? []).filter(({ in: place }) => place === "query");
  return post === undefined ? [] : [[path, parameters] as const];
});

it.each(described)("%s refuses parameters or answers, whatever they are", async (path, parameters) => {
  const values = Object.fromEntries(parameters.map((each) => [each.name, valueOf(each)]));
  const id = fc.stringMatching(/^[\w-]{1,20}$/);
  await fc.assert(
    fc.asyncProperty(fc.record(values, { requiredKeys: [] }), id, async (given, name) => {
      const target = apiPath(path.replace(":id", name));
      const answer = await served.send("POST", target, JSON.stringify(given), { "content-type": "application/json" });
      expect(answer.status).toBeLessThan(500);
    }),
    { numRuns: byLength({ short: 60, long: 1000 }) },
  );
  expect(served.faults).toEqual([]);
});
