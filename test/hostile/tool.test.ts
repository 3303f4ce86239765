import { describe, expect, it } from "vitest";
import type { Attack, HttpAttack, Outcome } from "./attack.ts";
import { reproduction } from "./findings.ts";
import { normalised, problemOf } from "./judge.ts";
import { attackAt, kindNames, kinds } from "./kinds/index.ts";
import { readOptions } from "./options.ts";
import { shrink } from "./shrink.ts";

const query = (text: string): HttpAttack => ({
  transport: "http",
  kind: "ast",
  route: "query/",
  method: "GET",
  path: "/pdb/query/v4",
  parameters: [
    ["limit", "5"],
    ["query", text],
  ],
  headers: { accept: "*/*" },
});

const outcome = (changes: Partial<Outcome>): Outcome => ({
  ms: 1,
  status: 200,
  type: "application/json",
  text: "[]",
  isWhole: true,
  ...changes,
});

const isBad = async (attack: Attack): Promise<boolean> => {
  if (attack.transport !== "http") return false;
  return attack.parameters.some(([name, value]) => name === "query" && value.includes('"bad"'));
};

describe("attacks", () => {
  it.each(kindNames)("are the same for the same seed and place: %s", (kind) => {
    for (let index = 0; index < 20; index++) expect(attackAt(7, index, kind)).toEqual(attackAt(7, index, kind));
    expect(attackAt(7, 0, kind).kind).toBe(kind);
  });

  it("are of every kind within a thousand", () => {
    const seen = new Set(Array.from({ length: 1000 }, (_, index) => attackAt(1, index).kind));
    expect([...seen].sort()).toEqual(Object.keys(kinds).sort());
  });
});

describe("the judge", () => {
  const problems: readonly [string, Partial<Outcome>, string | undefined][] = [
    ["rows", {}, undefined],
    ["a refusal", { status: 400, type: "text/plain", text: "No." }, undefined],
    ["a fault", { status: 500, text: "An unexpected error occurred" }, "status 500"],
    ["a query that took too long", { status: 500, text: 'Query from "x" exceeded timeout of 5 s' }, undefined],
    ["no answer", { status: 0, failure: "timeout" }, "hang"],
    ["a cut answer", { text: "[1,", isWhole: false, failure: "ECONNRESET" }, undefined],
    ["JSON that is none", { text: "[-]" }, "status 200, not JSON"],
    ["a 503 with a reason", { status: 503, type: "text/plain", text: "Come again." }, undefined],
    [
      "a 503 after a failure of the engine",
      { status: 503, type: "text/plain", text: "the database engine failed to compute the result" },
      "status 503 for a defect of a statement",
    ],
    ["a 503 without one", { status: 503, type: "text/plain", text: "" }, "status 503 without a reason"],
    [
      "words of the program",
      { status: 400, type: "text/plain", text: "Maximum call stack size exceeded" },
      'status 400, answer mentions "Maximum call stack"',
    ],
  ];

  it.each(problems)("judges %s", (_, changes, problem) => {
    expect(problemOf(query("[]"), outcome(changes))).toBe(problem);
  });

  it("treats messages that differ only in values as one", () => {
    expect(normalised('no field "a" in 17 of 0123456789ab')).toBe(normalised('no field "b" in 3 of ffffffff00'));
  });
});

describe("shrinking", () => {
  it("keeps the part of a query that causes the failure", async () => {
    const attack = query('["and",["=","certname","a"],["or",["not",["=","name","bad"]],["=","value",["x","y"]]]]');
    expect(await shrink(attack, isBad, 500)).toEqual({ ...attack, headers: {}, parameters: [["query", '["bad"]']] });
  });

  it("shortens texts that are not JSON", async () => {
    const { parameters } = (await shrink(query('nodes{ certname = "bad" and'), isBad, 500)) as HttpAttack;
    expect(parameters).toEqual([["query", '"bad"']]);
  });

  it("does not exceed its number of attempts", async () => {
    let tries = 0;
    const never = async (): Promise<boolean> => tries++ < 0;
    await shrink(query(JSON.stringify(Array.from({ length: 200 }, (_, index) => index))), never, 25);
    expect(tries).toBe(25);
  });
});

describe("a reproduction", () => {
  it("is a command line that preserves every character", () => {
    const line = reproduction({ ...query(`["=","certname","it's"]`), parameters: [["query", "it's"]] }, "test");
    expect(line).toBe(`curl -sS -i --path-as-is -X GET -H 'accept: */*' "$URL"'/pdb/query/v4?query=it'\\''s'`);
  });
});

describe("the command line", () => {
  it("has defaults, and rejects unknown options", () => {
    expect(readOptions([])).toMatchObject({ count: 20_000, seed: 1, only: undefined, memory: 1024 });
    expect(readOptions(["--memory", "0", "--only", "pql"])).toMatchObject({ memory: undefined, only: "pql" });
    expect(() => readOptions(["--only", "poems"])).toThrow("expected one of");
    expect(() => readOptions(["--count", "many"])).toThrow("expected a whole number");
    expect(() => readOptions(["--speed", "9"])).toThrow("--speed");
  });
});
