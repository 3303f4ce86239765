import { describe, expect, it } from "vitest";
import type { Json } from "#storage/json.ts";
import { checkSize, type QueryLimits } from "#storage/query/limits.ts";
import { planQuery } from "#storage/query/query.ts";

const limits: QueryLimits = { depth: 4, conditions: 3, values: 10, columns: 2, patternBytes: 5 };
const equal: Json = ["=", "certname", "a"];
const many = Array.from({ length: 11 }, (_, index) => index);

const equalities = (field: string): Json[] => many.concat(many).map((n): Json => ["=", field, `v${n}`]);

describe("a query beyond a bound", () => {
  it.each<[Json, RegExp]>([
    [
      ["not", ["not", ["not", ["not", equal]]]],
      /more than 4 levels deep \(query-max-depth\) at query\[1\]\[1\]\[1\]\[1\]$/,
    ],
    [
      ["from", "nodes", ["and", equal, ["in", "certname", ["array", many]]]],
      /query-max-values\) at query\[2\]\[2\]\[2\]\[1\]$/,
    ],
    [["=", "facts", { a: many }], /query-max-values\) at query\[2\]$/],
    [["or", ...many], /query-max-values\) at query$/],
    [["extract", ["a", "b", "c"], equal], /more than 2 columns .*query-max-columns\) at query\[1\]$/],
    [["extract", ["a"], ["group_by", "a", "b", "c"]], /query-max-columns\) at query\[2\]$/],
    [["~", "certname", "abcdef"], /more than 5 bytes \(query-max-pattern-size\) at query\[2\]$/],
    [["~", "certname", "ééé"], /query-max-pattern-size/],
    [["~>", "path", ["a", "abcdef"]], /query-max-pattern-size/],
    [
      ["extract", [["function", "to_string", "receive_time", "YYYYMMDD"]]],
      /query-max-pattern-size\) at query\[1\]\[0\]\[3\]$/,
    ],
    [["=", `facts.${"a".repeat(9000)}`, 1], /name of a field .* at query\[1\]$/],
  ])("%j is refused", (query, says) => {
    expect(() => checkSize(query, limits)).toThrow(expect.objectContaining({ code: "bad-input" }));
    expect(() => checkSize(query, limits)).toThrow(says);
  });

  it("is rejected for its number of conditions, unless they are equalities of one field", () => {
    const of = { entity: "nodes", activeOnly: false };
    const plan = (query: Json): unknown =>
      planQuery({ of, query, limits: { ...limits, values: 1000 } }, { purgeHorizon: 0n });
    expect(() => plan(["or", ...equalities("certname")])).not.toThrow();
    expect(() => plan(["or", equal, ["~", "certname", "a"], ["~", "certname", "b"]])).toThrow(/query-max-conditions/);
  });
});

it.each<[Json | undefined]>([
  [undefined],
  [["from", "nodes", ["extract", ["certname"], ["not", equal]], ["limit", 1]]],
  [["~", "certname", "abcde"]],
  [["in", "certname", ["array", many.slice(1)]]],
])("a query within the bounds is accepted: %j", (query) => {
  expect(() => checkSize(query, limits)).not.toThrow();
});
