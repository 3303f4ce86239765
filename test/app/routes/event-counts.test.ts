import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { populatedStore } from "#test/fixture-store.ts";
import { queryPath, serve, type Served } from "#test/app/fixture-service.ts";

let service: Served;
beforeAll(async () => {
  service = await serve(await populatedStore());
});
afterAll(() => service.close());

const sorted = (text: string): unknown[] =>
  (JSON.parse(text) as unknown[]).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
const counts = (failures: number, skips: number, successes: number, noops: number): Record<string, number> => ({
  failures,
  skips,
  successes,
  noops,
});

const named = (title: string | null): Record<string, unknown> => ({ subject: { title } });

describe("counts of events (reference/query.md §8)", () => {
  it.each<[parameters: Record<string, unknown>, rows: unknown[]]>([
    [
      { summarize_by: "certname" },
      [
        { ...counts(0, 1, 1, 1), subject_type: "certname", ...named("alpha") },
        { ...counts(0, 0, 1, 0), subject_type: "certname", ...named("delta") },
        { ...counts(0, 0, 1, 0), subject_type: "certname", ...named("epsilon") },
        { ...counts(1, 0, 0, 0), subject_type: "certname", ...named("beta") },
      ],
    ],
    [
      { summarize_by: "containing_class", query: ["=", "certname", "beta"] },
      [{ ...counts(1, 0, 0, 0), subject_type: "containing_class", ...named("Ntp") }],
    ],
    [
      { summarize_by: "resource", counts_filter: [">", "failures", 0] },
      [{ ...counts(1, 1, 1, 0), subject_type: "resource", subject: { type: "Package", title: "ntp" } }],
    ],
    [{ summarize_by: "certname", query: ["=", "certname", "nosuch"] }, []],
    // of an extract only the condition matters
    [
      { summarize_by: "containing_class", query: ["extract", ["certname", "status"], ["=", "certname", "beta"]] },
      [{ ...counts(1, 0, 0, 0), subject_type: "containing_class", ...named("Ntp") }],
    ],
    [{ summarize_by: "certname", query: ["extract", "line", ["=", "certname", "nosuch"]] }, []],
  ])("%j", async (parameters, rows) => {
    const answer = await service.get(queryPath("/event-counts", parameters));
    expect(answer.status).toBe(200);
    expect(sorted(answer.text)).toEqual(sorted(JSON.stringify(rows)));
  });

  it("of inactive nodes are those of their events", async () => {
    const query = ["=", "node_state", "inactive"];
    const inactive = JSON.parse((await service.get(queryPath("/nodes", { query }))).text) as { certname: string }[];
    expect(inactive.length).toBeGreaterThan(0);
    const { text } = await service.get(queryPath("/event-counts", { summarize_by: "certname", query }));
    const subjects = (JSON.parse(text) as { subject: { title: string } }[]).map(({ subject }) => subject.title);
    expect(subjects.length).toBeGreaterThan(0);
    expect(inactive.map(({ certname }) => certname)).toEqual(expect.arrayContaining(subjects));
  });

  it.each(
    [
      ["null?", "line", true],
      ["in", "certname", ["array", ["alpha"]]],
    ].map((query) => ({ query })),
  )("aggregated are the sums of the groups: $query", async ({ query }) => {
    const parameters = { summarize_by: "certname", query };
    const [groups, sums] = await Promise.all(
      ["/event-counts", "/aggregate-event-counts"].map(async (path) => service.get(queryPath(path, parameters))),
    );
    const total = (JSON.parse(groups?.text ?? "") as unknown[]).length;
    expect(total).toBeGreaterThan(0);
    expect(JSON.parse(sums?.text ?? "")).toMatchObject([{ summarize_by: "certname", total }]);
  });

  it("are ordered, paged and totalled", async () => {
    const order_by = [{ field: "failures", order: "desc" }];
    const answer = await service.get(
      queryPath("/event-counts", { summarize_by: "certname", order_by, limit: "1", include_total: "true" }),
    );
    expect(answer.headers["x-records"]).toBe("4");
    expect(JSON.parse(answer.text)).toMatchObject([named("beta")]);
  });

  it.each<[parameters: Record<string, unknown>, rows: unknown[]]>([
    [
      { summarize_by: "certname" },
      [{ summarize_by: "certname", failures: 1, skips: 1, successes: 3, noops: 1, total: 4 }],
    ],
    [
      { summarize_by: "resource,certname", query: ["=", "certname", "nosuch"] },
      [
        { summarize_by: "resource", failures: 0, skips: 0, successes: 0, noops: 0, total: 0 },
        { summarize_by: "certname", failures: 0, skips: 0, successes: 0, noops: 0, total: 0 },
      ],
    ],
  ])("aggregated %j", async (parameters, rows) => {
    const answer = await service.get(queryPath("/aggregate-event-counts", parameters));
    expect(JSON.parse(answer.text)).toEqual(rows);
  });

  it.each(["[]", '["=","failures",1]'])("accept a counts_filter of %s", async (counts_filter) => {
    const answer = await service.get(queryPath("/event-counts", { summarize_by: "certname", counts_filter }));
    expect(answer.status).toBe(200);
  });

  it("accept a comma after the last word", async () => {
    const answer = await service.get(queryPath("/aggregate-event-counts", { summarize_by: "certname," }));
    expect(JSON.parse(answer.text)).toHaveLength(1);
  });

  it.each([
    ['["=","bogus",0]', "bogus is not a queryable object for event counts"],
    ['[">","bogus",0]', "> operator does not support object 'bogus' for event counts"],
    ['["=","failures"]', "= requires exactly two arguments, but 1 were supplied"],
  ])("refuse a counts_filter of %s", async (counts_filter, text) => {
    const answer = await service.get(queryPath("/event-counts", { summarize_by: "certname", counts_filter }));
    expect([answer.status, answer.text]).toEqual([400, text]);
  });

  it.each(["/event-counts", "/aggregate-event-counts"])(
    "%s: report a missing parameter before an invalid query",
    async (path) => {
      const answer = await service.get(queryPath(path, { query: "5" }));
      expect([answer.status, answer.text]).toEqual([400, "Missing required query parameter 'summarize_by'"]);
    },
  );

  it.each([
    [["=", "name", "x"], "'name' is not a queryable object for version 4 of the resource events API"],
    [["=", "timestamp", "2026"], "'timestamp' is not a queryable object for version 4 of the resource events API"],
  ])("aggregated, read the condition %j by the older language too", async (query, text) => {
    const answer = await service.get(queryPath("/aggregate-event-counts", { summarize_by: "certname", query }));
    expect([answer.status, answer.text]).toEqual([400, text]);
    expect((await service.get(queryPath("/event-counts", { summarize_by: "certname", query }))).status).toBe(200);
  });
});
