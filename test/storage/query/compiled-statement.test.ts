import { expect, it } from "vitest";
import type { SqlValue } from "#storage/engine/sql-value.ts";
import { statementKey } from "#storage/query/compiled-statement.ts";

/** Values of which none is the same as another, also such as JSON writes alike. */
const values: readonly SqlValue[] = [
  "",
  "1",
  "1n",
  "null",
  "true",
  "@1",
  '"',
  '["a"]',
  "\ud800",
  "\ufffd",
  0,
  -0,
  1,
  1.5,
  NaN,
  Infinity,
  -Infinity,
  2 ** 53,
  0n,
  1n,
  -1n,
  2n ** 53n,
  true,
  false,
  null,
  [],
  ["a"],
  ["a", "b"],
  ["a,b"],
  ['a","b'],
  ["1"],
  [""],
  { micros: 1n },
  { micros: 2n },
  ...[/a/, /a/i, /a/u, /b/, /^(?!be)/, /^(?!al)/, /a\/"b/, /a\/"/].map((regexp) => ({ regexp })),
];

it("is different for statements of which one value differs, whatever its kind", () => {
  const keys = values.map((value) => statementKey({ sql: "SELECT $1", values: [value] }));
  expect(new Set(keys).size).toBe(values.length);
});

it("is different where the same characters are distributed over other values", () => {
  const pairs = values.flatMap((first) => values.map((second) => [first, second]));
  const keys = pairs.map((pair) => statementKey({ sql: "SELECT $1, $2", values: pair }));
  expect(new Set(keys).size).toBe(pairs.length);
});

it("is the same for equal values", () => {
  const values = [{ regexp: new RegExp("a", "i") }, { micros: 5n }];
  expect(statementKey({ sql: "SELECT $1, $2", values })).toBe(
    statementKey({ sql: "SELECT $1, $2", values: [{ regexp: /a/i }, { micros: 5n }] }),
  );
});
