import { expect, it } from "vitest";
import { compareNaturally, type SortValue } from "#app/explorer/pages/table/column.ts";

const sorted = (values: readonly SortValue[], descending: boolean): SortValue[] =>
  values.toSorted((one, other) => compareNaturally(one, other, descending));

it.each<[values: readonly SortValue[], ascending: readonly SortValue[], descending: readonly SortValue[]]>([
  [
    [3, null, 10, 1],
    [1, 3, 10, null],
    [10, 3, 1, null],
  ],
  [
    ["b10", "b9", null, "a"],
    ["a", "b9", "b10", null],
    ["b10", "b9", "a", null],
  ],
  [
    [true, null, false],
    [false, true, null],
    [true, false, null],
  ],
])("a column has empty values at the end in both orders: %j", (values, ascending, descending) => {
  expect(sorted(values, false)).toStrictEqual(ascending);
  expect(sorted(values, true)).toStrictEqual(descending);
});
