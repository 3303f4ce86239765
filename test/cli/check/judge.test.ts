import { describe, expect, it } from "vitest";
import { expectedText } from "#cli/check/expected.ts";
import { judge } from "#cli/check/judge.ts";
import { exactNumber, parseJson } from "#storage/json.ts";
import type { Bounds, ColumnExpectation, Expectation } from "#storage/saved-queries/types.ts";

type Rows = readonly Readonly<Record<string, unknown>>[];

async function* texts(rows: Rows): AsyncGenerator<string[]> {
  for (const row of rows) yield await Promise.resolve([JSON.stringify(row)]);
}

/** Rows whose numbers keep their digits. */
const exact = (text: string): Rows => [parseJson(text) as Readonly<Record<string, unknown>>];

const verdictOf = async (expectation: Expectation, rows: Rows, older: Rows = []) =>
  judge(expectation, texts(rows), () => Promise.resolve(texts(older)));

function rows(count: Bounds | undefined, column?: Partial<ColumnExpectation>): Expectation {
  const given = { name: "a", only: undefined, includes: undefined, bounds: undefined, ...column };
  return { kind: "rows", count, column: column === undefined ? undefined : given };
}

const numbered = (count: number): Rows => Array.from({ length: count }, (_, index) => ({ a: index }));
const [none, some] = [
  { min: 0, max: 0 },
  { min: 1, max: Infinity },
];

describe("a number of rows", () => {
  it.each<[Bounds, number, boolean, string]>([
    [none, 0, true, "no rows"],
    [none, 1, false, "no rows"],
    [some, 0, false, "at least 1 row"],
    [some, 2, true, "at least 1 row"],
    [{ min: 2, max: 2 }, 2, true, "2 rows"],
    [{ min: 2, max: 2 }, 3, false, "2 rows"],
    [{ min: 2, max: 4 }, 4, true, "from 2 to 4 rows"],
    [{ min: 2, max: 4 }, 5, false, "from 2 to 4 rows"],
    [{ min: -Infinity, max: 1 }, 2, false, "at most 1 row"],
  ])("%j with %d rows: %s", async (bounds, count, isMet, text) => {
    const expectation = rows(bounds);
    expect(expectedText(expectation)).toBe(text);
    const verdict = await verdictOf(expectation, numbered(count));
    expect(verdict).toMatchObject({ isMet, found: count === 1 ? "1 row" : `${count} rows` });
    // Too many rows are shown; of too few there is nothing to show.
    expect(verdict.count).toBe(!isMet && count > bounds.max ? count : 0);
  });

  it("shows the first twenty of those that are too many", async () => {
    const verdict = await verdictOf(rows(none), numbered(30));
    expect(verdict).toMatchObject({ count: 30, rows: numbered(20) });
  });
});

describe("the values of a column", () => {
  it.each<[string, Partial<ColumnExpectation>, Rows, boolean, Rows, string]>([
    ["only those allowed", { only: ["x", 1] }, [{ a: "x" }, { a: 1 }], true, [], "2 rows"],
    [
      "another value, and a text that is no number",
      { only: ["x", 1] },
      [{ a: "x" }, { a: "1" }, { a: null }],
      false,
      [{ a: "1" }, { a: null }],
      "2 rows of 3 with another a",
    ],
    ["structured values", { only: [{ b: 1, c: [2] }] }, [{ a: { c: [2], b: 1 } }], true, [], "1 row"],
    [
      "numbers by their value",
      { only: [8, 0.5] },
      [...exact('{"a": 8.0}'), ...exact('{"a": 0.50}')],
      true,
      [],
      "2 rows",
    ],
    [
      "large numbers by all their digits",
      { only: [exactNumber("12345678901234567890")] },
      [...exact('{"a": 12345678901234567890}'), ...exact('{"a": 12345678901234567891}')],
      false,
      exact('{"a": 12345678901234567891}'),
      "1 row of 2 with another a",
    ],
    ["all that must be there", { includes: ["x"] }, [{ a: "y" }, { a: "x" }], true, [], "2 rows"],
    ["one that is not there", { includes: ["x", 2] }, [{ a: "x" }], false, [], "no row with a 2"],
    ["numbers within bounds", { bounds: { min: 1, max: 2.5 } }, [{ a: 1 }, { a: 2.5 }], true, [], "2 rows"],
    [
      "a number outside and no number",
      { bounds: { min: 1, max: 2 } },
      [{ a: 3 }, { a: "2" }, { a: null }],
      false,
      [{ a: 3 }, { a: "2" }, { a: null }],
      "3 rows of 3 with another a",
    ],
  ])("%s", async (_what, column, given, isMet, wrong, found) => {
    expect(await verdictOf(rows(undefined, column), given)).toStrictEqual({
      isMet,
      found,
      rows: wrong,
      count: wrong.length,
    });
  });

  it("and a number of rows can both be expected", async () => {
    const expectation = rows({ min: 1, max: 5 }, { only: ["x"] });
    expect(expectedText(expectation)).toBe('from 1 to 5 rows; a only "x"');
    expect(await verdictOf(expectation, [])).toMatchObject({ isMet: false, found: "0 rows" });
    expect(await verdictOf(expectation, [{ a: "y" }])).toMatchObject({ isMet: false, rows: [{ a: "y" }] });
    expect(await verdictOf(expectation, [{ a: "x" }])).toMatchObject({ isMet: true });
  });

  it("of an unknown column are an error that names similar ones", async () => {
    const judged = verdictOf(rows(undefined, { name: "versoin", only: ["x"] }), [{ certname: "a", version: "x" }]);
    await expect(judged).rejects.toThrow('the result has no column "versoin"; did you mean version?');
  });
});

const change = (mayBeNew: boolean, mayBeMissing: boolean): Expectation => ({
  kind: "change",
  mayBeNew,
  mayBeMissing,
});

describe("changes", () => {
  const [older, newer]: [Rows, Rows] = [
    [{ a: 1 }, { a: 2 }, { a: 2 }, { a: 3, b: 4 }],
    [{ a: 2 }, { b: 4, a: 3 }, { a: 5 }],
  ];
  const found = "1 new row, 2 missing rows";
  const [added, gone] = [
    { change: "new", a: 5 },
    [
      { change: "missing", a: 1 },
      { change: "missing", a: 2 },
    ],
  ] as const;

  it.each<[string, Expectation, Rows]>([
    ["no new rows", change(false, true), [added]],
    ["no missing rows", change(true, false), gone],
    ["the same rows", change(false, false), [added, ...gone]],
  ])("of %s are shown", async (text, expectation, wrong) => {
    expect(expectedText(expectation)).toBe(text);
    expect(await verdictOf(expectation, newer, older)).toStrictEqual({
      isMet: false,
      found,
      rows: wrong,
      count: wrong.length,
    });
    expect(await verdictOf(expectation, older, older.toReversed())).toMatchObject({ isMet: true, rows: [], count: 0 });
  });
});
