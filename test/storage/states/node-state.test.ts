import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "#storage/json.ts";
import {
  type NodeStateRow,
  outcomeColumns,
  outcomeCondition,
  outcomeKeys,
  outcomeOf,
  type OutcomeRow,
  type Silence,
  silenceAt,
  stateCondition,
  stateFields,
  type StateKey,
  stateKeys,
  stateOf,
} from "#storage/states/node-state.ts";
import type { Store } from "#storage/store.ts";
import { queryRows } from "#test/fixture-store.ts";
import { byLength } from "#test/length.ts";
import { generatedStore } from "../query/fixture-population.ts";

const twoHours = silenceAt(Date.parse("2026-11-20T12:00:00Z"), 2 * 3_600_000);

/** A healthy node, with some columns changed. */
function node(changes: Partial<NodeStateRow> = {}): NodeStateRow {
  return {
    report_timestamp: "2026-11-20T11:00:00.000Z",
    latest_report_status: "unchanged",
    latest_report_corrective_change: false,
    latest_report_noop_pending: false,
    cached_catalog_status: "not_used",
    ...changes,
  };
}

describe("the state of a node", () => {
  const troubles: Partial<NodeStateRow> = {
    latest_report_status: "failed",
    cached_catalog_status: "on_failure",
    latest_report_corrective_change: true,
    latest_report_noop_pending: true,
  };

  it.each<[StateKey, Partial<NodeStateRow>]>([
    ["never", { ...troubles, report_timestamp: null }],
    ["silent", { ...troubles, report_timestamp: "2026-11-20T09:59:59.999Z" }],
    ["failed", { ...troubles, report_timestamp: "2026-11-20T10:00:00.000Z" }],
    ["hidden", { ...troubles, latest_report_status: "changed" }],
    ["corrective", { ...troubles, latest_report_status: "changed", cached_catalog_status: null }],
    ["changed", { latest_report_status: "changed", latest_report_noop_pending: true }],
    ["pending", { latest_report_noop_pending: true, latest_report_corrective_change: null }],
    ["unchanged", {}],
  ])("is %s where that is the first that applies", (state, changes) => {
    expect(stateOf(node(changes), twoHours)).toBe(state);
  });

  describe("as a condition of PQL", () => {
    let store: Store;

    beforeAll(async () => {
      store = await generatedStore();
    });

    afterAll(() => store.close());

    it("selects exactly the nodes that are in it", async () => {
      const columns = ["certname", ...stateFields(silenceAt(0, "interval"))].join(", ");
      const all = (await queryRows(store, {
        of: "root",
        pql: `nodes[${columns}]{ order by certname }`,
      })) as JsonObject[];
      const silences = fc.constantFrom(
        ...(["report_timestamp", "report_due"] as const).flatMap((field) =>
          all.flatMap((row): Silence[] => {
            const time = row[field];
            return typeof time === "string" ? [{ field, before: new Date(time) }] : [];
          }),
        ),
      );
      const property = fc.asyncProperty(fc.constantFrom(...stateKeys), silences, async (state, silence) => {
        const pql = `nodes[certname]{ ${stateCondition(state, silence)} order by certname }`;
        const wanted = all.filter((row) => stateOf(row as unknown as NodeStateRow, silence) === state);
        expect(await queryRows(store, { of: "root", pql })).toEqual(wanted.map(({ certname }) => ({ certname })));
      });
      await fc.assert(property, { numRuns: byLength({ short: 20, long: 200 }) });
    });

    it("selects exactly the runs with an outcome", async () => {
      const columns = ["hash", ...outcomeColumns].join(", ");
      const all = (await queryRows(store, { of: "root", pql: `reports[${columns}]{ order by hash }` })) as JsonObject[];
      for (const key of outcomeKeys) {
        const pql = `reports[hash]{ ${outcomeCondition("report", key)} order by hash }`;
        const wanted = all.filter((row) => outcomeOf(row as unknown as OutcomeRow) === key);
        expect(await queryRows(store, { of: "root", pql })).toEqual(wanted.map(({ hash }) => ({ hash })));
      }
    });
  });
});
