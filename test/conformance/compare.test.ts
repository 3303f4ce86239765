import { describe, expect, it } from "vitest";
import { compareAnswers } from "./compare.ts";
import { PLAIN_RULES, type Answer, type CompareRules } from "./recording.ts";

const JSON_TYPE = { "content-type": "application/json;charset=utf-8" };

function json(text: string, headers: Record<string, string> = {}): Answer {
  return { status: 200, headers: { ...JSON_TYPE, ...headers }, text };
}

function error(text: string, status = 400): Answer {
  return { status, headers: { "content-type": "text/plain;charset=utf-8" }, text };
}

interface Case {
  readonly what: string;
  readonly rules?: Partial<CompareRules>;
  readonly expected: Answer;
  readonly equal?: readonly Answer[];
  readonly different?: readonly Answer[];
}

const PQL_ERROR = "PQL parse error at line 1, column 6:\n\nnodes\n     ^\n\nExpected one of:\n\n";

const CASES: readonly Case[] = [
  {
    what: "times of the replay are what the recording calls NOW",
    rules: { replayedSince: Date.parse("2026-11-22T00:00:00Z") },
    expected: json('[{"end_time":"NOW","receive_time":"NOW","start_time":"2011-01-01T12:00:00.000Z"}]'),
    equal: [
      json(
        '[{"end_time":"2026-11-22T11:59:00.000Z","receive_time":"2026-11-22T12:00:00.000Z","start_time":"2011-01-01T12:00:00.000Z"}]',
      ),
    ],
    different: [
      json(
        '[{"end_time":"2011-01-01T12:00:00.000Z","receive_time":"2026-11-22T12:00:00.000Z","start_time":"2011-01-01T12:00:00.000Z"}]',
      ),
      json(
        '[{"end_time":"2026-11-22T11:59:00.000Z","receive_time":"2026-11-22T12:00:00.000Z","start_time":"2026-11-22T12:00:00.000Z"}]',
      ),
    ],
  },
  {
    what: "rows are a multiset",
    expected: json('[{"a":1},{"a":2},{"a":2}]'),
    equal: [json('[{"a":2},{"a":1},{"a":2}]')],
    different: [json('[{"a":1},{"a":2}]'), json('[{"a":1},{"a":1},{"a":2}]'), json('{"a":1}')],
  },
  {
    what: "rows keep their order where an order was requested",
    rules: { mode: "ordered" },
    expected: json('["a","b"]'),
    equal: [json('[ "a", "b" ]')],
    different: [json('["b","a"]'), json('["a"]')],
  },
  {
    what: "rows equal in what they are ordered by may swap places",
    rules: { mode: "ordered", orderedBy: ["a"] },
    expected: json('[{"a":1,"b":1},{"a":1,"b":2},{"a":2,"b":3}]'),
    equal: [json('[{"a":1,"b":2},{"a":1,"b":1},{"a":2,"b":3}]')],
    different: [
      json('[{"a":2,"b":3},{"a":1,"b":1},{"a":1,"b":2}]'),
      json('[{"a":1,"b":1},{"a":1,"b":1},{"a":2,"b":3}]'),
    ],
  },
  {
    what: "rows without the column they are ordered by may be anywhere",
    rules: { mode: "ordered", orderedBy: ["name"] },
    expected: json('[{"a":1},{"a":2}]'),
    equal: [json('[{"a":2},{"a":1}]')],
  },
  {
    what: "plain values are ordered by themselves",
    rules: { mode: "ordered", orderedBy: ["name"] },
    expected: json('["uni","tags"]'),
    different: [json('["tags","uni"]')],
  },
  {
    what: "the order of keys means nothing, a key with null is not a missing key",
    expected: json('{"a":1,"b":null}'),
    equal: [json('{"b":null,"a":1}')],
    different: [json('{"a":1}'), json('{"a":1,"b":null,"c":1}'), json('{"a":1,"b":0}')],
  },
  {
    what: "keys that objects inherit are keys like any other",
    expected: json('[{"__proto__":1}]'),
    different: [json('[{"__proto__":2}]'), json("[{}]")],
  },
  {
    what: "arrays without an order of their own are multisets at any depth",
    expected: json('[{"tags":["a","b"],"parameters":{"edges":[{"x":1},{"x":2}]}}]'),
    equal: [json('[{"tags":["b","a"],"parameters":{"edges":[{"x":2},{"x":1}]}}]')],
    different: [json('[{"tags":["a","a"],"parameters":{"edges":[{"x":1},{"x":2}]}}]')],
  },
  {
    what: "other inner arrays keep their order",
    expected: json('[{"path":["a","b"]}]'),
    different: [json('[{"path":["b","a"]}]')],
  },
  {
    what: "inner order can be requested",
    rules: { innerOrdered: true },
    expected: json('[{"tags":["a","b"]}]'),
    different: [json('[{"tags":["b","a"]}]')],
  },
  {
    what: "numbers are equal by value: 1",
    expected: json("[1]"),
    equal: [json("[1.0]"), json("[1e0]"), json("[10e-1]"), json("[0.1E+1]")],
    different: [json("[1.00000000000000000001]"), json("[-1]"), json('["1"]'), json("[true]")],
  },
  {
    what: "numbers are equal by value: zero has no sign",
    expected: json("[0]"),
    equal: [json("[0.0]"), json("[-0.0]"), json("[0e5]")],
  },
  {
    what: "no digit of a large integer is rounded",
    expected: json("[123456789012345678901234567890]"),
    equal: [json("[1.2345678901234567890123456789e29]")],
    different: [json("[123456789012345678901234567891]"), json("[1.2345678901234568e29]")],
  },
  {
    what: "2^53 + 1 is not 2^53",
    expected: json('[{"a":9007199254740993}]'),
    different: [json('[{"a":9007199254740992}]')],
  },
  {
    what: "a power of ten may be written out",
    expected: json("[602000000000000000000000]"),
    equal: [json("[6.02e23]")],
    different: [json("[6.02e24]")],
  },
  {
    what: "fractions are equal by value",
    expected: json("[1.5E-10]"),
    equal: [json("[0.00000000015]"), json("[15e-11]")],
    different: [json("[1.5E-11]")],
  },
  {
    what: "masked fields are not compared, but must be there",
    rules: { mask: ["timestamp"] },
    expected: json('[{"timestamp":"x","a":{"timestamp":1}}]'),
    equal: [json('[{"timestamp":null,"a":{"timestamp":"y"}}]')],
    different: [json('[{"a":{"timestamp":1}}]')],
  },
  {
    what: "the server's clock is not compared, but must be a time",
    expected: json('[{"facts_timestamp":"2026-11-21T01:18:50.098Z"}]'),
    equal: [json('[{"facts_timestamp":"2026-11-20T12:30:00.000Z"}]')],
    different: [json('[{"facts_timestamp":null}]'), json('[{"facts_timestamp":"yesterday"}]')],
  },
  {
    what: "other times are compared",
    expected: json('[{"report_timestamp":"2026-11-20T11:45:59.353Z"}]'),
    different: [json('[{"report_timestamp":"2026-11-20T11:45:59.354Z"}]')],
  },
  {
    what: "random uuids are not compared",
    expected: json('{"uuid":"d705f865-4ed5-477c-a01f-1e98d4382980"}'),
    equal: [json('{"uuid":"799de10c-5c88-4949-a65f-ce5438752c6d"}')],
    different: [json('{"uuid":"none"}')],
  },
  {
    what: "the host of a link is not compared, its path is",
    expected: json('{"href":"http://127.0.0.1:18080/pdb/query/v4/nodes"}'),
    equal: [json('{"href":"/pdb/query/v4/nodes"}')],
    different: [json('{"href":"/pdb/query/v4/facts"}')],
  },
  {
    what: "keys of rows",
    rules: { mode: "keys" },
    expected: json('[{"a":1,"b":2},{"c":3}]'),
    equal: [json('[{"c":null},{"b":0,"a":0}]')],
    different: [json('[{"a":1},{"c":3}]'), json('[{"a":1,"b":2}]')],
  },
  {
    what: "number of rows",
    rules: { mode: "count" },
    expected: json('[{"a":1}]'),
    equal: [json('[{"b":2}]')],
    different: [json("[]"), error("[1]")],
  },
  {
    what: "content types without their blanks and letter case",
    expected: json("[]", { "content-type": "application/json; charset=utf-8" }),
    equal: [json("[]", { "content-type": "application/json;charset=UTF-8" })],
    different: [json("[]", { "content-type": "text/plain" }), { status: 200, headers: {}, text: "[]" }],
  },
  {
    what: "a content type only where one was recorded",
    expected: { status: 200, headers: {}, text: "[]" },
    equal: [json("[]")],
  },
  {
    what: "X-Records",
    expected: json("[]", { "x-records": "4" }),
    equal: [json("[]", { "x-records": "4", date: "today" })],
    different: [json("[]", { "x-records": "5" }), json("[]")],
  },
  {
    what: "X-Records that was not requested",
    expected: json("[]"),
    different: [json("[]", { "x-records": "0" })],
  },
  {
    what: "further headers where a recording names them",
    rules: { headers: ["location"] },
    expected: json("[]", { location: "/a" }),
    different: [json("[]", { location: "/b" })],
  },
  {
    what: "status and type only",
    rules: { mode: "type" },
    expected: error("a"),
    equal: [error("b")],
    different: [error("a", 404), json("a")],
  },
  {
    what: "status only",
    rules: { mode: "status" },
    expected: error("a"),
    equal: [{ status: 400, headers: JSON_TYPE, text: "b" }],
    different: [error("a", 500)],
  },
  {
    what: "texts word for word",
    expected: error("= requires exactly two arguments"),
    equal: [error("= requires exactly two arguments")],
    different: [error("= requires exactly two arguments."), error("'='"), error("[]")],
  },
  {
    what: "JSON as text where that is requested",
    rules: { mode: "text" },
    expected: json('{"a" : 1}'),
    different: [json('{"a":1}')],
  },
  {
    what: "text masks",
    rules: { textMask: [["Position: \\d+.*$", "Position"]] },
    expected: error("ERROR\n  Position: 514\nmore"),
    equal: [error("ERROR\n  Position: 7")],
    different: [error("error\n  Position: 514")],
  },
  {
    what: "the product's own name and the host in texts",
    expected: error("PuppetDB queries must be made via GET/POST to 127.0.0.1:18080"),
    equal: [
      error("OpenVoxDB queries must be made via GET/POST to localhost:1"),
      error("Census queries must be made via GET/POST to 127.0.0.1:8080"),
    ],
    different: [error("Other queries must be made via GET/POST to 127.0.0.1:18080")],
  },
  {
    what: "the list of alternatives of a PQL error is cut off, the line and the caret are not",
    expected: error(`${PQL_ERROR}{\n#"\\s+"\n[\n`),
    equal: [error(`${PQL_ERROR}[\n`), error(`${PQL_ERROR.replace(" one of:\n", ":")}[\n`)],
    different: [error(`${PQL_ERROR.replace("     ^", "    ^")}[\n`), error(`${PQL_ERROR.replace("6", "7")}[\n`)],
  },
  {
    what: "other texts that say Expected are compared whole",
    expected: error("Bad query\n\nExpected one of:\n\na"),
    different: [error("Bad query\n\nExpected one of:\n\nb")],
  },
  {
    what: "lists of names in their order",
    expected: error("Acceptable fields are 'a', 'b', and 'c'"),
    different: [error("Acceptable fields are 'b', 'a', and 'c'")],
  },
  {
    what: "lists of names without an order of their own",
    rules: { unorderedNames: true },
    expected: error("Unrecognized column 'x'; Supported columns are 'a', 'b', 'c'"),
    equal: [error("Unrecognized column 'x'; Supported columns are 'c', 'a', 'b'")],
    different: [
      error("Unrecognized column 'x'; Supported columns are 'c', 'a'"),
      error("Unrecognized column 'y'; Supported columns are 'a', 'b', 'c'"),
    ],
  },
  {
    what: "a refusal that says why, after any other text",
    rules: { mode: "refusal" },
    expected: error("ERROR: operator does not exist: text = integer", 500),
    equal: [error("no such operator", 400), error("no such operator", 500)],
    different: [error("", 400), json("[]")],
  },
];

describe("comparing an answer with a recorded one", () => {
  it.each(CASES)("$what", ({ rules, expected, equal = [], different = [] }) => {
    const compare = (actual: Answer): string[] => compareAnswers({ ...PLAIN_RULES, ...rules }, expected, actual);
    expect([expected, ...equal].filter((answer) => compare(answer).length > 0)).toEqual([]);
    expect(different.filter((answer) => compare(answer).length === 0)).toEqual([]);
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
