import { describe, expect, test } from "vitest";
import { classRows } from "#app/explorer/pages/classes/class-rows.ts";
import type { Facet } from "#storage/query/facets/answer.ts";
import { parameterNames, spreadsOf } from "#app/explorer/pages/resource/spread.ts";

function facet(field: string, counts: readonly [value: never, count: number][], rest: Partial<Facet> = {}): Facet {
  return {
    fields: [field],
    distinct: counts.length,
    missing: 0,
    others: 0,
    values: counts.map(([value, count]) => ({ value, count })),
    ...rest,
  };
}

function values(count: number): [never, number][] {
  return Array.from({ length: count }, (_, index) => [index as never, 1]);
}

describe("spreadsOf", () => {
  test("parts parameters that are the same everywhere from those that differ", () => {
    const spreads = spreadsOf(
      ["ensure", "owner", "mode", "never"],
      [
        facet("parameters.ensure", [["file" as never, 9]]),
        facet("parameters.owner", [["root" as never, 5]], { missing: 4 }),
        facet("parameters.mode", [
          ["0644" as never, 8],
          ["0600" as never, 1],
        ]),
        facet("parameters.never", [], { missing: 9 }),
      ],
    );
    expect(spreads.same.map(({ parameter }) => parameter)).toEqual(["ensure"]);
    expect(spreads.different.map(({ parameter }) => parameter)).toEqual(["owner", "mode"]);
  });

  test("puts parameters with fewer values first", () => {
    const { different } = spreadsOf(["a", "b"], [facet("parameters.a", values(5)), facet("parameters.b", values(2))]);
    expect(different.map(({ parameter }) => parameter)).toEqual(["b", "a"]);
  });
});

test("parameterNames knows every name once, also those of objects", () => {
  expect(
    parameterNames([
      { parameters: { b: 1, a: 2 } },
      { parameters: null },
      { parameters: { a: 1, constructor: 3 } },
      { parameters: JSON.parse('{"__proto__": 1}') as Record<string, number> },
    ]),
  ).toEqual(["__proto__", "a", "b", "constructor"]);
});

describe("classRows", () => {
  test("joins nodes, failing nodes and events of each class", () => {
    expect(
      classRows({
        classes: [
          { value: "Nginx", count: 40 },
          { value: "Ntp", count: 38 },
        ],
        failing: [{ value: "Ntp", count: 2 }],
        events: [
          { containing_class: "Ntp", status: "failure", count: 3 },
          { containing_class: "Ntp", status: "success", count: 1 },
          { containing_class: "Gone", status: "failure", count: 9 },
          { containing_class: null, status: "failure", count: 9 },
        ],
      }),
    ).toEqual([
      { name: "Nginx", nodes: 40, failing: 0, failure: 0, success: 0, noop: 0, skipped: 0 },
      { name: "Ntp", nodes: 38, failing: 2, failure: 3, success: 1, noop: 0, skipped: 0 },
    ]);
  });

  test("is not confused by classes named like properties of objects", () => {
    expect(
      classRows({ classes: [{ value: "__proto__", count: 1 }], failing: [], events: [] }).map(({ failure }) => failure),
    ).toEqual([0]);
  });
});
