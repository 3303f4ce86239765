import { describe, expect, it } from "vitest";
import { readQueryFile } from "#storage/saved-queries/read.ts";
import type { QueryFile } from "#storage/saved-queries/types.ts";

function read(text: string, given: Readonly<Record<string, string>> = {}): QueryFile {
  return readQueryFile("q.yaml", text, new Map(Object.entries(given)));
}

/** A file with one query, from its lines. */
const one = (...lines: readonly string[]): string =>
  ["queries:", "  - name: one", ...lines.map((line) => `    ${line}`), ""].join("\n");

describe("a file of queries", () => {
  it("has queries with expectations, advice and severity", () => {
    const file = read(`
title: Site
queries:
  - name: failed
    query: nodes[certname] { latest_report_status = "failed" }
    expect: no rows
    advice: Look at the events.
    severity: warning
  - name: saved
    sql: SELECT 1
`);
    expect(file).toMatchObject({ path: "q.yaml", title: "Site" });
    expect(file.queries).toStrictEqual([
      {
        name: "failed",
        place: { line: 4, column: 5 },
        language: "PQL",
        text: 'nodes[certname] { latest_report_status = "failed" }',
        textPlace: { line: 5, column: 12 },
        unset: [],
        advice: "Look at the events.",
        severity: "warning",
        panel: undefined,
        expectation: { kind: "rows", count: { min: 0, max: 0 }, column: undefined },
      },
      {
        name: "saved",
        place: { line: 9, column: 5 },
        language: "SQL",
        text: "SELECT 1",
        textPlace: { line: 10, column: 10 },
        unset: [],
        advice: undefined,
        severity: "error",
        panel: undefined,
        expectation: undefined,
      },
    ]);
  });

  it.each<[string, string, unknown]>([
    ["rows", "expect: rows", { kind: "rows", count: { min: 1, max: Infinity }, column: undefined }],
    ["a number of rows", "expect: { rows: 3 }", { kind: "rows", count: { min: 3, max: 3 }, column: undefined }],
    ["at least", "expect: { rows: { min: 2 } }", { kind: "rows", count: { min: 2, max: Infinity }, column: undefined }],
    ["at most", "expect: { rows: { max: 2 } }", { kind: "rows", count: { min: -Infinity, max: 2 }, column: undefined }],
    ["no new rows", "expect: no new rows", { kind: "change", mayBeNew: false, mayBeMissing: true }],
    ["no missing rows", "expect: no missing rows", { kind: "change", mayBeNew: true, mayBeMissing: false }],
    ["the same rows", "expect: same rows", { kind: "change", mayBeNew: false, mayBeMissing: false }],
    [
      "values of a column",
      "expect: { column: a, only: [x, 1, true, null], includes: [x], rows: 2 }",
      {
        kind: "rows",
        count: { min: 2, max: 2 },
        column: { name: "a", only: ["x", 1, true, null], includes: ["x"], bounds: undefined },
      },
    ],
    [
      "numbers of a column",
      "expect: { column: a, min: 0.5, max: 2 }",
      {
        kind: "rows",
        count: undefined,
        column: { name: "a", only: undefined, includes: undefined, bounds: { min: 0.5, max: 2 } },
      },
    ],
  ])("may expect %s", (_what, line, expected) => {
    expect(read(one("query: nodes{}", line)).queries[0]?.expectation).toStrictEqual(expected);
  });

  it.each<[string, string, string]>([
    ["PQL", "query: nodes{}", "nodes{}"],
    ["AST", `query: '["from", "nodes"]'`, '["from", "nodes"]'],
    ["AST", `query: [from, nodes, ["=", certname, web-01]]`, '["from","nodes",["=","certname","web-01"]]'],
    [
      "AST",
      "query: [from, facts, [=, value, 12345678901234567890]]",
      '["from","facts",["=","value",12345678901234567890]]',
    ],
    ["SQL", "sql: SELECT 1", "SELECT 1"],
  ])("may have a query in %s: %s", (language, line, text) => {
    expect(read(one(line)).queries[0]).toMatchObject({ language, text });
  });
});

describe("a parameter", () => {
  const declared = `parameters:
  name: web "01"
  count: 3
  on: true
  names: [a, b]
  numbers: [1]
  open:
`;
  const text = (line: string, given: Readonly<Record<string, string>> = {}): string | undefined =>
    read(declared + one(line), given).queries[0]?.text;

  it.each<[string, string, Readonly<Record<string, string>>]>([
    ["query: nodes{ certname = $name }", 'nodes{ certname = "web \\"01\\"" }', {}],
    ["query: nodes{ certname in $names }", 'nodes{ certname in ["a","b"] }', {}],
    ["query: nodes{ certname in $names }", 'nodes{ certname in ["c"] }', { names: "c" }],
    ["query: facts{ value = $count }", "facts{ value = 7 }", { count: "7" }],
    ['query: nodes{ certname ~ "^$name" }', 'nodes{ certname ~ "^$name" }', {}],
    [`query: '["=", "certname", $name]'`, '["=", "certname", "web \\"01\\""]', {}],
    [
      "query: [from, nodes, [in, certname, [array, $names]]]",
      '["from","nodes",["in","certname",["array",["a","b"]]]]',
      {},
    ],
    ["sql: SELECT $name, $count, $on", `SELECT 'it''s', 3, false`, { name: "it's", on: "false" }],
    ["sql: SELECT 1 WHERE 'a' IN $names", "SELECT 1 WHERE 'a' IN ('a', 'b')", {}],
    [`sql: SELECT '$name', "$name" -- $name`, `SELECT '$name', "$name" -- $name`, {}],
    ["sql: SELECT '''', $count, $$ $name $$", "SELECT '''', 3, $$ $name $$", {}],
  ])("is a literal in %s", (line, expected, given) => {
    expect(text(line, given)).toBe(expected);
  });

  it("can be a value of an expectation", () => {
    const line = "expect: { rows: { max: $count }, column: a, only: $names }";
    expect(read(declared + one("query: nodes{}", line), { count: "5" }).queries[0]?.expectation).toMatchObject({
      count: { max: 5 },
      column: { only: ["a", "b"] },
    });
  });

  it("without a value is an error of the query that uses it", () => {
    const { queries } = read(declared + one("query: nodes{ certname = $open }", "expect: { rows: $open }"));
    expect(queries[0]?.unset).toStrictEqual(["open"]);
    expect(read(declared + one("query: nodes{ certname = $open }"), { open: "a" }).queries[0]).toMatchObject({
      unset: [],
      text: 'nodes{ certname = "a" }',
    });
  });
});

function messageOf(act: () => unknown): string {
  try {
    act();
    return "no error";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe("an error in the file is reported with its place", () => {
  it.each<[string, string]>([
    ["", "q.yaml:1:1: the file must be a mapping of keys to values"],
    ["queries: 3\n", "q.yaml:1:10: queries must be a list"],
    ["title: a\n", "q.yaml:1:1: the file must have queries, a list"],
    ["querys: []\n", 'q.yaml:1:1: unknown key "querys" of the file; did you mean queries?'],
    ["queries: [\n", "q.yaml:2:1: is not YAML: "],
    ["queries:\n  - name: a\n    name: b\n", "q.yaml:3:5: is not YAML: Map keys must be unique"],
    ["queries:\n  - &a { name: a, query: 'nodes{}' }\n  - *a\n", "q.yaml:3:5: anchors and aliases are not supported"],
    ["queries:\n  - a\n", "q.yaml:2:5: a query must be a mapping of keys to values"],
    [one("query: nodes{}", "expct: no rows"), 'q.yaml:4:5: unknown key "expct" of a query; did you mean expect?'],
    [one("query: nodes{}", "sql: SELECT 1"), "q.yaml:4:5: a query has one of query, sql and states"],
    [one("advice: none"), "q.yaml:2:5: a query needs query (PQL or AST), sql or states"],
    [one("states: [broken]"), 'q.yaml:3:14: unknown state "broken"; use never, silent, failed'],
    [one("states: []"), "q.yaml:3:13: states must be a list of never, silent, failed"],
    ["queries:\n  - query: nodes{}\n", "q.yaml:2:5: a query needs a name"],
    [one("query: ''"), "q.yaml:3:12: query must be a text that is not empty"],
    [one("query: 5"), "q.yaml:3:12: query must be a text that is not empty"],
    [one("query: nodes[certname] { a = }"), "q.yaml:3:34: the query is invalid: "],
    [one("query: |", "  nodes[certname] {", "    a =  }"), "q.yaml:5:14: the query is invalid: "],
    [one('query: "nodes[certname] { a = }"'), "q.yaml:3:35: the query is invalid: "],
    [one("query: '[\"from\", '"), "q.yaml:3:12: the query is invalid: "],
    [one("query: nodes{}", "expect: no row"), 'q.yaml:4:13: unknown expectation "no row"; did you mean no rows'],
    [one("query: nodes{}", "expect: 3"), 'q.yaml:4:13: expect must be "no rows", "rows", "no new rows"'],
    [one("query: nodes{}", "expect: {}"), 'q.yaml:4:13: expect must be "no rows"'],
    [one("query: nodes{}", "expect: { row: 3 }"), 'q.yaml:4:15: unknown key "row" of expect; did you mean rows?'],
    [one("query: nodes{}", "expect: { rows: many }"), 'q.yaml:4:21: rows must be a number, not "many"'],
    [one("query: nodes{}", "expect: { rows: -1 }"), "q.yaml:4:21: rows must be a whole number of 0 or more"],
    [one("query: nodes{}", "expect: { rows: 1.5 }"), "q.yaml:4:21: rows must be a whole number of 0 or more"],
    [one("query: nodes{}", "expect: { rows: {} }"), "q.yaml:4:21: rows must have min or max"],
    [one("query: nodes{}", "expect: { rows: { min: 3, max: 2 } }"), "q.yaml:4:21: min is 3 and max is 2"],
    [
      one("query: nodes{}", "expect: { only: [a] }"),
      "q.yaml:4:15: only is of the values of a column; add column: NAME",
    ],
    [one("query: nodes{}", "expect: { column: a }"), "q.yaml:4:15: column needs only, includes, min or max"],
    [
      one("query: nodes{}", "expect: { column: a, only: [] }"),
      "q.yaml:4:32: only must be a list with at least one value",
    ],
    [one("query: nodes{}", "panel: bar"), 'q.yaml:4:12: unknown panel "bar"; did you mean bars?'],
    [one("sql: SELECT 1", "panel: bars"), "q.yaml:4:5: a panel needs a query in PQL"],
    [one("query: nodes{}", "severity: eror"), 'q.yaml:4:15: unknown severity "eror"; did you mean error?'],
    [
      one("query: nodes{}") + "  - name: one\n    query: facts{}\n",
      'q.yaml:4:5: two queries are named "one"; the other one is in line 2',
    ],
    [
      "parameters:\n  a: 1\n" + one("query: nodes{ certname = $b }"),
      "q.yaml:5:12: unknown parameter $b; did you mean a?",
    ],
    [one("query: nodes{ certname = $b }"), "q.yaml:3:12: unknown parameter $b; this file has no parameters"],
    [
      "parameters:\n  a-b: 1\nqueries: []\n",
      'q.yaml:2:3: "a-b" is not the name of a parameter; use letters, digits and _',
    ],
    ["parameters:\n  a: { b: 1 }\nqueries: []\n", "q.yaml:2:6: the default of parameter a must be a text"],
  ])("%j", (text, message) => {
    expect(messageOf(() => read(text)).slice(0, message.length)).toBe(message);
  });

  it.each<[string, string]>([
    ["a", 'q.yaml:2:3: parameter count is a number, as its default; it cannot be "a"'],
    ["", "q.yaml:2:3: parameter count is a number"],
  ])("for a value of a parameter of another type than its default: %j", (count, message) => {
    expect(() => read("parameters:\n  count: 3\nqueries: []\n", { count })).toThrow(message);
  });
});

describe("views and links of a file", () => {
  it("are read with the places of addresses, and need no queries", () => {
    const { queries, views, links } = read(`
views:
  - name: Failed
    address: /explorer/nodes?f=state%3D%22failed%22
links:
  - label: Code
    on: report
    url: https://git.example.com/commit/{code_id}
`);
    expect(queries).toEqual([]);
    expect(views).toEqual([
      { name: "Failed", address: "/explorer/nodes?f=state%3D%22failed%22", place: { line: 4, column: 14 } },
    ]);
    expect(links).toEqual([{ label: "Code", on: "report", url: "https://git.example.com/commit/{code_id}" }]);
  });

  it.each<[string, string]>([
    ["views: [{ name: a }]", "q.yaml:1:9: a view needs name and address"],
    ["views: [{ name: a, adress: /explorer }]", 'q.yaml:1:20: unknown key "adress" of a view; did you mean address?'],
    ...["nodes", "/pdb/query/v4", "/explorers", "javascript:alert(1)", "//evil.example/explorer/../x"].map(
      (address): [string, string] => [
        `views: [{ name: a, address: "${address}" }]`,
        "q.yaml:1:29: address must be that of a page, such as /explorer/nodes?f=state%3D%22failed%22",
      ],
    ),
    ["links: [{ label: a, on: node }]", "q.yaml:1:9: a link needs label, on and url"],
    [
      "links: [{ label: a, on: nodes, url: 'https://a' }]",
      'q.yaml:1:25: unknown subject "nodes" of a link; did you mean node or code?',
    ],
    ...[
      "javascript:alert('{certname}')",
      "https://{certname}/",
      "https://a.{certname}/",
      "https://a{certname}",
      "ftp://a/{certname}",
      "//a/{certname}",
      "https:///a",
      "https://a b/",
    ].map((url): [string, string] => [
      `links: [{ label: a, on: node, url: "${url}" }]`,
      "q.yaml:1:36: url must begin with https:// or http:// and the name of a server",
    ]),
    [
      "links: [{ label: a, on: node, url: 'https://a/{certnam}' }]",
      "q.yaml:1:36: unknown part {certnam} of the url for a node; did you mean certname?",
    ],
  ])("are refused with the place where they are wrong: %s", (text, message) => {
    expect(() => read(text)).toThrow(message);
  });
});
