import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { populatedStore } from "#test/fixture-store.ts";
import { serve, type Served } from "../fixture-service.ts";
import { apiPath } from "./api-path.ts";

let served: Served;

beforeAll(async () => {
  served = await serve(await populatedStore());
});

afterAll(() => served.close());

const reports = { query: "reports{}", field: "producer_timestamp" };
const path = (parameters: Record<string, string | readonly string[]>): string => apiPath("histogram", parameters);

async function sum(parameters: Record<string, string>): Promise<number> {
  const { text } = await served.get(path({ ...reports, ...parameters }));
  const { buckets } = JSON.parse(text) as { buckets: [string, number][] };
  return buckets.reduce((total, [, count]) => total + count, 0);
}

describe("the endpoint of histograms", () => {
  it("counts reports by their outcome", async () => {
    const range = { from: "2026-11-20T09:00:00Z", to: "2026-11-20T13:00:00Z", buckets: "4" };
    const answer = await served.get(path({ ...reports, by: "status", ...range }));
    expect(JSON.parse(answer.text)).toEqual({
      revision: expect.any(Number) as number,
      width: 3600,
      unit: "1 h",
      series: ["failed", "hidden", "corrective", "changed", "pending", "unchanged"],
      buckets: [
        ["2026-11-20T09:00:00.000Z", 0, 0, 0, 0, 0, 1],
        ["2026-11-20T10:00:00.000Z", 0, 0, 0, 1, 0, 0],
        ["2026-11-20T11:00:00.000Z", 1, 0, 0, 0, 0, 0],
        ["2026-11-20T12:00:00.000Z", 0, 1, 0, 0, 0, 0],
      ],
    });
  });

  it("counts the last 24 hours unless another range is given", async () => {
    expect(await sum({})).toBe(4);
    expect(await sum({ last: "12h" })).toBe(1);
    expect(await sum({ last: "3d", query: 'reports{ node_state = "any" }' })).toBe(5);
  });

  it.each([
    ["no field", { query: "reports{}" }, "parameter 'field' is missing"],
    [
      "a span without a unit",
      { ...reports, last: "24" },
      "parameter 'last' is a number of minutes, hours, days or weeks",
    ],
    ["a span of nothing", { ...reports, last: "0h" }, "parameter 'last' is"],
    ["two ranges", { ...reports, last: "24h", from: "2026-11-20T09:00:00Z" }, "exclude each other"],
    ["a time that is none", { ...reports, from: "yesterday" }, "parameter 'from' is not a time"],
    ["a time that no calendar has", { ...reports, from: "+200000-01-01T00:00:00Z" }, "parameter 'from' is not a time"],
    ["too many buckets", { ...reports, buckets: "201" }, "parameter 'buckets' must be a whole number from 1 to 200"],
    ["an unknown zone", { ...reports, zone: "Mars" }, "'Mars' is not a time zone; write UTC or a name such as"],
    [
      "an unknown field",
      { ...reports, by: "nope" },
      "'nope' is not a queryable object for reports. Known queryable objects are",
    ],
  ])("refuses %s in plain text", async (_, parameters, message) => {
    const answer = await served.get(path(parameters));
    expect(answer.status).toBe(400);
    expect(answer.headers["content-type"]).toBe("text/plain;charset=utf-8");
    expect(answer.text).toContain(message);
  });
});
