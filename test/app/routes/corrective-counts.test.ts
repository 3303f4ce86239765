import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json, JsonObject } from "#storage/json.ts";
import { keepEverything } from "#storage/lifecycle/retention.ts";
import { queryPath, serve, type Served } from "#test/app/fixture-service.ts";
import { a, emptyStore, nodeRow, rowsOf, submitted } from "#test/fixture-store.ts";
import type { Store } from "#storage/store.ts";
import { event, reportResource } from "#test/storage/wire/payloads.ts";

/** Two intentional changes, one that corrected drift, and one that would have. */
const report = a.report("web", {
  corrective_change: true,
  status: "changed",
  resources: [
    ...["/intended", "/new"].map((title) => resource(title, { status: "success", corrective_change: false })),
    resource("/drifted", { status: "success", corrective_change: true }),
    resource("/would", { status: "noop", corrective_change: true }),
    resource("/broken", { status: "failure", corrective_change: null }),
  ],
});

function resource(title: string, changes: JsonObject): JsonObject {
  const containment_path = ["Stage[main]", "Main", `File[${title}]`];
  return reportResource({ resource_title: title, containment_path, events: [event(changes)] });
}

const apart = {
  failures: 1,
  skips: 0,
  intentional_successes: 2,
  corrective_successes: 1,
  intentional_noops: 0,
  corrective_noops: 1,
};

let store: Store;
let service: Served;
beforeAll(async () => {
  store = await emptyStore({ storesCorrectiveChange: true, retention: keepEverything });
  await submitted(store, report);
  service = await serve(store);
});
afterAll(() => service.close());

const fetched = async (path: string, parameters: Record<string, unknown>): Promise<{ status: number; body: Json }> => {
  const answer = await fetch(service.url + queryPath(path, parameters));
  const text = await answer.text();
  return { status: answer.status, body: answer.ok ? (JSON.parse(text) as Json) : text };
};

describe("a store that keeps corrective_change (reference/query.md §8)", () => {
  it("returns it for reports, events and nodes", async () => {
    expect(await rowsOf(store, "reports")).toMatchObject([{ corrective_change: true }]);
    expect(await rowsOf(store, "events", ["=", "corrective_change", true])).toHaveLength(2);
    expect(await nodeRow(store, "web")).toMatchObject({ latest_report_corrective_change: true });
  });

  it.each([
    ["/event-counts", {}, [{ ...apart, subject_type: "containing_class", subject: { title: "Main" } }]],
    [
      "/event-counts",
      { counts_filter: '[">", "corrective_successes", 0]', order_by: '[{"field":"intentional_noops"}]' },
      [{ ...apart, subject_type: "containing_class", subject: { title: "Main" } }],
    ],
    ["/event-counts", { counts_filter: '[">", "corrective_successes", 1]' }, []],
    [
      "/aggregate-event-counts",
      {},
      [
        {
          summarize_by: "containing_class",
          failures: 1,
          skips: 0,
          intentional_successes: 1,
          corrective_successes: 1,
          intentional_noops: 0,
          corrective_noops: 1,
          total: 1,
        },
      ],
    ],
  ])("counts corrective changes separately: %s %j", async (path, parameters, counts) => {
    expect(await fetched(path, { summarize_by: "containing_class", ...parameters })).toEqual({
      status: 200,
      body: counts,
    });
  });

  it("rejects a filter by the count of both kinds together", async () => {
    const refused = await fetched("/event-counts", {
      summarize_by: "containing_class",
      counts_filter: '[">", "successes", 0]',
    });
    expect(refused).toEqual({
      status: 400,
      body: "> operator does not support object 'successes' for event counts",
    });
  });
});
