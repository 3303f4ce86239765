import { expect, it } from "vitest";
import { ordered } from "#cli/short-forms/groups.ts";
import type { JsonObject } from "#storage/json.ts";

it("orders rows as a query does: numbers by size, null last, or first descending", () => {
  const rows: JsonObject[] = [{ a: null }, { a: 10 }, { a: "x" }, { a: 9 }];
  const values = (descending: boolean): unknown[] => ordered(rows, [{ field: "a", descending }]).map(({ a }) => a);
  expect(values(false)).toEqual(["x", 9, 10, null]);
  expect(values(true)).toEqual([null, 10, 9, "x"]);
});

it("orders rows that are equal in one column by the next, and others as they were", () => {
  const rows: JsonObject[] = [
    { a: 1, b: 1, c: 1 },
    { a: 1, b: 2, c: 2 },
    { a: 0, b: 2, c: 3 },
    { a: 1, b: 2, c: 4 },
  ];
  const found = ordered(rows, [
    { field: "a", descending: false },
    { field: "b", descending: true },
  ]);
  expect(found.map(({ c }) => c)).toEqual([3, 2, 4, 1]);
});
