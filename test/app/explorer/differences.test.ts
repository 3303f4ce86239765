import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { populatedStore } from "#test/fixture-store.ts";
import { serve, type Served } from "../fixture-service.ts";
import { apiPath } from "./api-path.ts";

let served: Served;

beforeAll(async () => {
  served = await serve(await populatedStore());
});

afterAll(() => served.close());

const path = (parameters: Record<string, string | readonly string[]>): string => apiPath("differences", parameters);

describe("the endpoint of differences", () => {
  it("returns what sets the selected nodes apart from the others, the same for a GET and a POST", async () => {
    const selection = 'nodes{ certname = "beta" }';
    const got = await served.get(path({ selection, kind: ["environment", "class"], limit: "2" }));
    expect(got.status).toBe(200);
    const answer = JSON.parse(got.text) as { differences: readonly object[]; total: number };
    expect(answer).toMatchObject({ revision: expect.any(Number) as number, selected: 1 });
    expect(answer.differences.length).toBe(Math.min(2, answer.total));
    expect(answer.differences.length).toBeGreaterThan(0);
    const body = JSON.stringify({ selection, kind: ["environment", "class"], limit: 2 });
    const posted = await served.send("POST", apiPath("differences"), body, { "content-type": "application/json" });
    expect(JSON.parse(posted.text)).toEqual(answer);
  });

  it("compares with the nodes of the baseline", async () => {
    const selection = 'nodes{ certname = "beta" }';
    const answer = await served.get(path({ selection, baseline: '["from", "nodes", ["=", "certname", "alpha"]]' }));
    expect(JSON.parse(answer.text)).toMatchObject({ selected: 1, rest: 1 });
  });

  it.each([
    ["no selection", {}, "parameter 'selection' is missing"],
    ["a selection of something else", { selection: "reports{}" }, "nodes"],
    ["PQL that is none", { selection: "nodes{" }, "PQL parse error at line 1, column 7"],
    ["a baseline that is none", { selection: "nodes{}", baseline: '["from", ' }, "Json parse error"],
    [
      "an unknown kind",
      { selection: "nodes{}", kind: "mood" },
      "parameter 'kind' must be one of environment, producer",
    ],
    ["too many differences", { selection: "nodes{}", limit: "1001" }, "parameter 'limit' must be a whole number"],
  ])("refuses %s in plain text", async (_, parameters, message) => {
    const answer = await served.get(path(parameters));
    expect(answer.status).toBe(400);
    expect(answer.headers["content-type"]).toBe("text/plain;charset=utf-8");
    expect(answer.text).toContain(message);
  });
});
