import { array, assert, constantFrom, property, string, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import { CensusError } from "#storage/errors.ts";
import { parsePql } from "#storage/query/pql/parse.ts";

/** Pieces that make texts which are nearly PQL. */
const PIECES =
  `nodes facts reports factsets { } [ ] ( ) , ! = != ~ ~> !~ >= < and or in is null limit offset order by group by asc ` +
  `desc certname facts. trusted.a match( "a" 'b' " ' \\ 5 -5 5.5 5. . true false null count() avg( ? 😀 é`;

const nearlyPql = array(tuple(constantFrom(...PIECES.split(" ")), constantFrom("", " ", "\n", "\t")), {
  maxLength: 30,
}).map((pieces) => `nodes{${pieces.flat().join("")}`);

function parsesOrRefuses(text: string): boolean {
  try {
    return parsePql(text) !== undefined;
  } catch (error) {
    return error instanceof CensusError && error.code === "bad-input";
  }
}

/** Shapes that make a careless parser slow: many alternatives, retries or error notes. */
const LONG: readonly (readonly [name: string, text: string])[] = [
  ["or clauses", `nodes{${"certname = 'n' or ".repeat(100_000)}certname = 'n'}`],
  ["values", `nodes{a in [${"'n', ".repeat(100_000)}'n']}`],
  ["match without its end", `nodes{${"facts.match(=1 or ".repeat(100_000)}a=1`],
  ["match with a shared end", `nodes{${"facts.match(=1 or ".repeat(100_000)}a=1 )}`],
  ["parts of a field", `nodes{facts${".match(x)".repeat(100_000)} = 1}`],
  ["unknown escapes", `nodes{a="${String.raw`\q`.repeat(500_000)}"}`],
  ["digits", `nodes{a=${"9".repeat(2_000_000)}}`],
  ["lines", `nodes{${"\n".repeat(2_000_000)}x`],
];

/** What is written for each level of nesting, around something innermost. */
const NESTED: readonly (readonly [name: string, before: string, innermost: string, after: string])[] = [
  ["parentheses", "(", "a=1", ")"],
  ["mixed operators", "(a=1 or b=2 and ", "a=1", ")"],
  ["negations", "!", "a=1", ""],
  ["subqueries", "nodes{", "a=1", "}"],
  ["queries behind in", "[a] in nodes{", "a=1", "}"],
  ["projected queries behind in", "a in nodes[a]{", "b in [1]", "}"],
];

function nest([, before, innermost, after]: (typeof NESTED)[number], levels: number): string {
  return `nodes{${before.repeat(levels)}${innermost}${after.repeat(levels)}}`;
}

function nestedList(levels: number): string {
  return `nodes{a = ${"[".repeat(levels)}1${"]".repeat(levels)}}`;
}

describe("parsePql on any text", () => {
  it("parses it or throws a CensusError", () => {
    const anyText = property(string({ unit: "binary", maxLength: 60 }), parsesOrRefuses);
    expect(() => assert(anyText, { numRuns: 500 })).not.toThrow();
  });

  it("parses what is nearly PQL or throws a CensusError", () => {
    expect(() => assert(property(nearlyPql, parsesOrRefuses), { numRuns: 2000 })).not.toThrow();
  });

  it("reads back any text in quotes", () => {
    assert(
      property(string({ unit: "binary" }), (text) => {
        expect(parsePql(`nodes{a = ${JSON.stringify(text)}}`)).toEqual(["from", "nodes", ["=", "a", text]]);
      }),
    );
  });

  it.each(LONG)("takes linear time for many %s", (_name, text) => {
    expect(parsesOrRefuses(text)).toBe(true);
  });

  it.each(NESTED)("accepts 200 nested %s", (...shape) => {
    expect(parsePql(nest(shape, 200))).toHaveLength(3);
  });

  it.each(NESTED)("refuses 10,000 nested %s", (...shape) => {
    const text = nest(shape, 10_000);
    expect(() => parsePql(text)).toThrow(CensusError);
    expect(() => parsePql(text)).toThrow(/nested too deep at line 1, column \d+/);
  });

  it("limits how deep a list nests", () => {
    expect(parsePql(nestedList(200))).toHaveLength(3);
    expect(() => parsePql(nestedList(10_000))).toThrow(/nested too deep/);
  });
});
