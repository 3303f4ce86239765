import { expect, it } from "vitest";
import { formatTimestamp, parseTimestamp, type Timestamp } from "#storage/time.ts";
import { silenceAt, stateCondition, type StateKey, stateKeys } from "#storage/states/node-state.ts";
import { a, emptyStore, queryRows, rowsOf } from "#test/fixture-store.ts";

const MINUTE = 60_000_000n;
const BEGIN = parseTimestamp("2026-11-01T00:00:00Z") as Timestamp;

/** Minutes after its last report at which a node is silent by its own interval. @param gaps minutes between its reports */
async function silentAfter(gaps: readonly number[]): Promise<number> {
  const store = await emptyStore();
  try {
    let at = BEGIN;
    for (const gap of [0, ...gaps]) {
      at += BigInt(gap) * MINUTE;
      const time = formatTimestamp(at);
      await store.submit(a.report("node", { producer_timestamp: time, start_time: time, end_time: time }));
    }
    const [row] = await rowsOf(store, "nodes", ["extract", ["report_due"]]);
    const due = typeof row?.["report_due"] === "string" ? row["report_due"] : "";
    return Number((parseTimestamp(due) as Timestamp) - at) / Number(MINUTE);
  } finally {
    await store.close();
  }
}

const day = 24 * 60;

it.each<[string, readonly number[], number]>([
  ["has reported once", [], 120],
  ["reports every half hour", [30, 30, 30], 120],
  ["reports every hour", [60, 60, 60], 180],
  ["reports every day", [day, day, day], 3 * day],
  ["reports every day, and was run by hand", [day, day, 2], 2.4 * day],
  ["reports every day, and was away for a month", [day, day, 30 * day], 6 * day],
  ["was away for a month, and reports every day again", [day, day, 30 * day, day, day, day, day], 3 * day],
  ["was run often while it was installed, and reports every day", [1, 1, 2, ...Array<number>(12).fill(day)], 3 * day],
  ["was away for a hundred years", [36_500 * day], 3 * 365 * day],
])("a node that %s", async (_, gaps, minutes) => {
  expect(await silentAfter(gaps)).toBeCloseTo(minutes, 1);
});

it.each(["+294246-12-31T00:00:00Z", "-9999-01-01T00:00:00Z"])(
  "a node whose clock says %s has a state",
  async (time) => {
    const store = await emptyStore();
    try {
      for (const produced of ["0001-01-01T00:00:00Z", time]) {
        await store.submit(a.report("node", { producer_timestamp: produced, start_time: time, end_time: time }));
      }
      const silence = silenceAt(Date.parse("2026-11-20T12:00:00Z"), "interval");
      const found: StateKey[] = [];
      for (const state of stateKeys) {
        const rows = await queryRows(store, { of: "root", pql: `nodes{ ${stateCondition(state, silence)} }` });
        if (rows.length > 0) found.push(state);
      }
      expect(found).toEqual([time.startsWith("-") ? "silent" : "changed"]);
    } finally {
      await store.close();
    }
  },
);
