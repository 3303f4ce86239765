import { silenceAt } from "#storage/states/node-state.ts";
import { describe, expect, it } from "vitest";
import { filterCondition } from "#app/explorer/pages/facets/filters.ts";
import { isWords } from "#app/explorer/pages/filter-line/condition.ts";
import { lineCondition } from "#app/explorer/pages/filter-line/condition.ts";
import { rangeOf, toggled } from "#app/explorer/pages/table/grid-keys.ts";

describe("the filter line", () => {
  it("searches for words, and does not change PQL", () => {
    expect(lineCondition("  ", "certname")).toBeUndefined();
    expect(lineCondition("web-01.ex 2", "certname")).toBe(String.raw`certname ~ "web-01\\.ex" and certname ~ "2"`);
    expect(lineCondition('certname = "a"', "certname")).toBe('certname = "a"');
    expect(["web", "report_timestamp is null", "a~b", "is nullable"].map(isWords)).toStrictEqual([
      true,
      false,
      false,
      true,
    ]);
  });
});

describe("states as filters", () => {
  const silence = silenceAt(Date.parse("2026-11-20T10:00:00.000Z"), 0);

  it("select nodes by PQL, and the rows of their nodes", () => {
    const failed = [{ field: "state", value: "failed", excludes: false }];
    expect(filterCondition(failed, { entity: "nodes", silence })).toBe(
      'latest_report_status = "failed" and report_timestamp >= "2026-11-20T10:00:00.000Z"',
    );
    expect(filterCondition(failed, { entity: "reports", silence })).toMatch(/^nodes\{ latest_report_status/);
    expect(filterCondition([{ field: "state", value: "no such", excludes: false }], { entity: "nodes", silence })).toBe(
      "certname is null",
    );
  });
});

describe("selecting rows", () => {
  it("adds and removes keys, and ranges in both directions", () => {
    expect([...toggled(new Set(["a", "b"]), ["b", "c"])]).toStrictEqual(["a", "c"]);
    expect(rangeOf(5, 3)).toStrictEqual([3, 4, 5]);
    expect(rangeOf(2, 2)).toStrictEqual([2]);
  });
});
