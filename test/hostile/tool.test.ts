import { describe, expect, it } from "vitest";
import type { Attack, HttpAttack, Outcome } from "./attack.ts";
import { normalised, problemOf } from "./judge.ts";
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
});
