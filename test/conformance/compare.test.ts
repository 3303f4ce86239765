import { describe, expect, it } from "vitest";
import { compareAnswers } from "./compare.ts";
import { PLAIN_RULES, type Answer, type CompareRules } from "./recording.ts";

/*
 * That answers which mean the same are equal is what the replay of the recordings shows (corpora.test.ts). Here is what it
 * cannot show: that others are not.
 */

function json(text: string, headers: Record<string, string> = {}): Answer {
  return { status: 200, headers: { "content-type": "application/json;charset=utf-8", ...headers }, text };
}

function error(text: string, status = 400): Answer {
  return { status, headers: { "content-type": "text/plain;charset=utf-8" }, text };
}

const PQL_ERROR = "PQL parse error at line 1, column 6:\n\nnodes\n     ^\n\nExpected one of:\n\n";

const NOW = Date.parse("2026-11-22T00:00:00Z");
const RECORDED_NOW = json('[{"end_time":"NOW","start_time":"2011-01-01T12:00:00.000Z"}]');
const OTHER_NOW = json('[{"end_time":"2011-01-01T12:00:00.000Z","start_time":"2011-01-01T12:00:00.000Z"}]');
const ROWS = '[{"a":1,"b":1},{"a":1,"b":2},{"a":2,"b":3}]';
const FIELDS = "Unrecognized column 'x'; Supported columns are 'a', 'b'";

type Body = string | Answer;

type Case = [what: string, expected: Body, other: Body, rules?: Partial<CompareRules>];

const CASES: Case[] = [
  ["a time before the replay", RECORDED_NOW, OTHER_NOW, { replayedSince: NOW }],
  ["a row less", '[{"a":1},{"a":2},{"a":2}]', '[{"a":1},{"a":2}]'],
  ["other rows twice", '[{"a":1},{"a":2},{"a":2}]', '[{"a":1},{"a":1},{"a":2}]'],
  ["one row in place of rows", '[{"a":1}]', '{"a":1}'],
  ["another order where one was requested", '["a","b"]', '["b","a"]', { mode: "ordered" }],
  [
    "another order of what is ordered",
    ROWS,
    '[{"a":2,"b":3},{"a":1,"b":1},{"a":1,"b":2}]',
    { mode: "ordered", orderedBy: ["a"] },
  ],
  [
    "other rows among equal ones",
    ROWS,
    '[{"a":1,"b":1},{"a":1,"b":1},{"a":2,"b":3}]',
    { mode: "ordered", orderedBy: ["a"] },
  ],
  ["another order of plain values", '["uni","tags"]', '["tags","uni"]', { mode: "ordered", orderedBy: ["name"] }],
  ["a key that is missing instead of null", '{"a":1,"b":null}', '{"a":1}'],
  ["another key", '{"a":1}', '{"a":1,"c":1}'],
  ["a key that objects inherit", '[{"__proto__":1}]', "[{}]"],
  ["another element of a multiset", '[{"tags":["a","b"]}]', '[{"tags":["a","a"]}]'],
  ["another order of an inner array", '[{"path":["a","b"]}]', '[{"path":["b","a"]}]'],
  [
    "another order of tags where one was requested",
    '[{"tags":["a","b"]}]',
    '[{"tags":["b","a"]}]',
    { innerOrdered: true },
  ],
  ["a number that a double does not distinguish", "[1]", "[1.00000000000000000001]"],
  ["a text instead of a number", "[1]", '["1"]'],
  ["a digit of a large integer", "[123456789012345678901234567890]", "[1.2345678901234568e29]"],
  ["2^53 instead of 2^53 + 1", '[{"a":9007199254740993}]', '[{"a":9007199254740992}]'],
  ["another power of ten", "[602000000000000000000000]", "[6.02e24]"],
  ["no masked field", '[{"timestamp":"x"}]', "[{}]", { mask: ["timestamp"] }],
  ["no time of the server", '[{"facts_timestamp":"2026-11-21T01:18:50.098Z"}]', '[{"facts_timestamp":"yesterday"}]'],
  [
    "another time",
    '[{"report_timestamp":"2026-11-20T11:45:59.353Z"}]',
    '[{"report_timestamp":"2026-11-20T11:45:59.354Z"}]',
  ],
  ["no uuid", '{"uuid":"d705f865-4ed5-477c-a01f-1e98d4382980"}', '{"uuid":"none"}'],
  ["another path of a link", '{"href":"http://127.0.0.1:18080/pdb/query/v4/nodes"}', '{"href":"/pdb/query/v4/facts"}'],
  ["other keys", '[{"a":1,"b":2},{"c":3}]', '[{"a":1},{"c":3}]', { mode: "keys" }],
  ["another number of rows", '[{"a":1}]', "[]", { mode: "count" }],
  ["another content type", "[]", json("[]", { "content-type": "text/plain" })],
  ["another X-Records", json("[]", { "x-records": "4" }), json("[]", { "x-records": "5" })],
  ["an X-Records that was not requested", "[]", json("[]", { "x-records": "0" })],
  [
    "another header that counts",
    json("[]", { location: "/a" }),
    json("[]", { location: "/b" }),
    { headers: ["location"] },
  ],
  ["another status", error("a"), error("a", 404), { mode: "type" }],
  ["another type", error("a"), { ...json("a"), status: 400 }, { mode: "type" }],
  ["another status alone", error("a"), error("a", 500), { mode: "status" }],
  ["another text", error("= requires two arguments"), error("= requires two arguments.")],
  ["other blanks of a text", '{"a" : 1}', '{"a":1}', { mode: "text" }],
  ["what a mask of a text leaves", error("ERROR\n 5"), error("error\n 5"), { textMask: [[" \\d+$", " N"]] }],
  ["another product", error("PuppetDB queries"), error("Other queries")],
  ["another place in a PQL error", error(`${PQL_ERROR}[\n`), error(`${PQL_ERROR.replace("6", "7")}[\n`)],
  ["another text that says Expected", error("Bad\n\nExpected one of:\n\na"), error("Bad\n\nExpected one of:\n\nb")],
  ["another order of names", error("fields are 'a', 'b', and 'c'"), error("fields are 'b', 'a', and 'c'")],
  ["a name less", error(FIELDS), error(FIELDS.replace(", 'b'", "")), { unorderedNames: true }],
  ["a refusal without a reason", error("no such operator", 500), error(""), { mode: "refusal" }],
  ["rows instead of a refusal", error("no such operator", 500), "[]", { mode: "refusal" }],
];

describe("comparing an answer with a recorded one", () => {
  const answerOf = (body: Body): Answer => (typeof body === "string" ? json(body) : body);

  it.each<Case>(CASES)("finds %s", (_what, expected, other, rules = {}) => {
    const compare = (actual: Body) =>
      compareAnswers({ ...PLAIN_RULES, ...rules }, answerOf(expected), answerOf(actual));
    expect(compare(other)).not.toEqual([]);
    expect(rules.replayedSince === undefined ? compare(expected) : []).toEqual([]);
  });

  it.each([
    [json('[{"a":{"b":[1,2]}}]'), json('[{"a":{"b":[1,3]}}]'), "$[..].a.b[1]: expected 2, got 3"],
    [json('{"a":1}'), json('{"b":1}'), "$.a: expected 1, missing"],
    [json("[1]"), json("[]"), "1 of 1 missing, 0 of 0 not expected"],
    [json("[]"), error("bad"), 'status: expected 200 "[]", got 400 "bad"'],
  ])("names the place where %o and %o differ", (expected, actual, difference) => {
    expect(compareAnswers(PLAIN_RULES, expected, actual).join("\n")).toContain(difference);
  });
});
