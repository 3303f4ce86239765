import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RequestError } from "#app/explorer/pages/data/fetch-json.ts";
import { jsonPlace } from "#app/explorer/pages/editor/problems.ts";
import { jsonProblem, meaningProblem, syntaxProblem } from "#app/explorer/pages/editor/problems.ts";
import { tokensOf } from "#app/explorer/pages/editor/tokens.ts";
import { astOf, entityOf, limitOf, prettyAst } from "#app/explorer/pages/query/format.ts";
import { barsOf, choiceFor, countedOf, pointsOf } from "#app/explorer/pages/query/chart-choice.ts";
import { columnsOf, linkOf, resultRows } from "#app/explorer/pages/query/columns.ts";
import { examples } from "#app/explorer/pages/query/examples.ts";
import { formatPql } from "#app/explorer/pages/query/format.ts";
import { readFragment, views, writeFragment } from "#app/explorer/pages/query/tabs.ts";
import { type PastQuery, withQuery } from "#app/explorer/pages/query/history.ts";
import { planSteps } from "#app/explorer/pages/query/plan.ts";
import { activeTab, arrived, changed, closed, emptyTab, opened, tabText } from "#app/explorer/pages/query/tabs.ts";
import type { Json } from "#storage/json.ts";
import { parsePql } from "#storage/query/pql/parse.ts";
import type { Store } from "#storage/store.ts";
import { populatedStore, queryRows } from "#test/fixture-store.ts";

const everyExample = examples.flatMap(({ queries }) => queries);

describe("the examples of the workbench", () => {
  let store: Store;
  beforeAll(async () => {
    store = await populatedStore();
  });
  afterAll(() => store.close());

  it.each(everyExample)("run: $label", async ({ pql }) => {
    expect(Array.isArray(await queryRows(store, { of: "root", pql }))).toBe(true);
  });
});

describe("the fragment of an address", () => {
  it("is read as it was written, for any query", () => {
    fc.assert(
      fc.property(
        fc.record({
          lang: fc.constantFrom("pql" as const, "ast" as const),
          text: fc.string({ unit: "grapheme", minLength: 1 }),
          view: fc.constantFrom(...views),
          sort: fc.string(),
        }),
        (content) => {
          expect(readFragment(writeFragment(content))).toEqual(content);
        },
      ),
    );
  });

  it("has no query where there is none, and ignores unknown views", () => {
    expect(readFragment("#content")).toBeUndefined();
    expect(readFragment("#q=nodes{}&view=sql&lang=x")).toEqual({
      lang: "pql",
      text: "nodes{}",
      view: "table",
      sort: "",
    });
    expect(writeFragment({ lang: "pql", text: "", view: "table", sort: "" })).toBe("");
  });
});

describe("tabs", () => {
  const one = { all: [emptyTab(1)], active: 1 };
  const content = { lang: "pql", text: "nodes{}", view: "table", sort: "" } as const;

  it("give a query from elsewhere the empty one, the one that has it, or a new one", () => {
    const first = arrived(one, content);
    expect(first.all.map(tabText)).toEqual(["nodes{}"]);
    expect(arrived(first, { ...content, view: "chart" }).all.map(({ view }) => view)).toEqual(["chart"]);
    const second = arrived(first, { ...content, text: "facts{}" });
    expect(second.all.map(tabText)).toEqual(["nodes{}", "facts{}"]);
    expect(activeTab(arrived(second, content)).id).toBe(first.all[0]?.id);
  });

  it("keep what was written in the other language", () => {
    const both = changed(changed(arrived(one, content), { lang: "ast", ast: '["from","nodes"]' }), { lang: "pql" });
    expect(tabText(activeTab(both))).toBe("nodes{}");
    expect(activeTab(both).ast).toBe('["from","nodes"]');
  });

  it("are never none, and the neighbour of a closed one is shown", () => {
    const three = opened(opened(one));
    expect(closed(three, 3).active).toBe(2);
    expect(closed({ ...three, active: 1 }, 1).active).toBe(2);
    expect(closed(three, 1).active).toBe(3);
    const none = closed(one, 1);
    expect(none.all).toHaveLength(1);
    expect(activeTab(none)).toEqual(emptyTab(none.active));
  });
});

describe("what is known of a query before it runs", () => {
  it("is its entity and its limit", () => {
    const ast = astOf("nodes[certname]{ order by certname limit 7 }", "pql");
    expect([entityOf(ast), limitOf(ast)]).toEqual(["nodes", 7]);
    expect(limitOf(astOf("nodes{ certname in facts[certname]{ limit 3 } }", "pql"))).toBeUndefined();
    expect([entityOf(astOf("nodes{", "pql")), entityOf(astOf('"x"', "ast"))]).toEqual([undefined, undefined]);
  });

  it("is printed as JSON that reads back the same", () => {
    for (const { pql } of everyExample) {
      const ast = parsePql(pql);
      expect(JSON.parse(prettyAst(ast))).toEqual(JSON.parse(JSON.stringify(ast)));
    }
    expect(prettyAst(["from", "nodes", ["=", "a", "[ x ]  "]])).toBe('["from", "nodes", ["=", "a", "[ x ]  "]]');
  });
});

describe("formatting PQL", () => {
  it("breaks long queries at conditions and clauses", () => {
    const text =
      'nodes[certname]{latest_report_status="failed" and (facts_environment = "a"  or facts_environment="b") and inventory{facts.os.name="Debian" and facts."a b".c ~ "x{"} order by report_timestamp desc,certname limit 10}';
    expect(formatPql(text)).toBe(
      [
        "nodes[certname]{",
        '  latest_report_status = "failed"',
        '  and (facts_environment = "a" or facts_environment = "b")',
        '  and inventory{ facts.os.name = "Debian" and facts."a b".c ~ "x{" }',
        "  order by report_timestamp desc, certname",
        "  limit 10",
        "}",
      ].join("\n"),
    );
    expect(formatPql("nodes  {\n}")).toBe("nodes{}");
    expect(formatPql("nodes{")).toBeUndefined();
  });

  it("never changes what a query means", () => {
    for (const { pql } of everyExample) {
      const formatted = formatPql(pql);
      expect(formatted).toBeDefined();
      expect(parsePql(formatted ?? "")).toEqual(parsePql(pql));
      expect(formatPql(formatted ?? "")).toBe(formatted);
    }
  });
});

describe("tokens", () => {
  it("cover any text without gaps", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constantFrom(...everyExample.map(({ pql }) => pql))), (text) => {
        const tokens = tokensOf(text);
        expect(tokens.map(({ start, end }) => text.slice(start, end)).join("")).toBe(text);
        expect(tokens.every(({ start, end }) => end > start)).toBe(true);
      }),
    );
  });

  it("know entities, fields, operators and texts", () => {
    const text = 'facts[certname]{ name = "a\\"b" and value >= -1.5 and parameters."x y".z !~ \'c\' }';
    const kinds = tokensOf(text)
      .filter(({ kind }) => kind !== "space")
      .map(({ kind, start, end }) => `${kind} ${text.slice(start, end)}`);
    expect(kinds).toEqual([
      "entity facts",
      "bracket [",
      "field certname",
      "bracket ]",
      "bracket {",
      "field name",
      "operator =",
      'string "a\\"b"',
      "keyword and",
      "field value",
      "operator >=",
      "number -1.5",
      "keyword and",
      'field parameters."x y".z',
      "operator !~",
      "string 'c'",
      "bracket }",
    ]);
  });
});

describe("what is underlined", () => {
  it("is the word where the parser stops, with its advice", () => {
    const text = 'nodes{\n  certname == "a" }';
    const problem = syntaxProblem(text);
    expect([problem?.from, problem?.to]).toEqual([19, 20]);
    expect(problem?.message).toMatch(/^Line 2, column 13: .*write a single =/);
    expect(syntaxProblem("nodes{}")).toBeUndefined();
    expect(syntaxProblem("  ")).toBeUndefined();
  });

  it("is the last character where something is missing at the end", () => {
    const text = "nodes{ certname\n";
    const problem = syntaxProblem(text);
    expect(text.slice(problem?.from, problem?.to)).toBe("e");
  });

  it("is always within the text", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (text) => {
        for (const problem of [syntaxProblem(`nodes${text}`), jsonProblem(text)]) {
          if (problem === undefined) continue;
          expect(problem.from).toBeGreaterThanOrEqual(0);
          expect(problem.to).toBeLessThanOrEqual(text.length + 5);
          expect(problem.to).toBeGreaterThanOrEqual(problem.from);
        }
      }),
    );
  });

  it("is the name that the server gives, with the nearest that it knows", () => {
    const text = "nodes[certnam]{ }";
    const message =
      "Can't extract unknown 'nodes' field 'certnam'. Acceptable fields are 'deactivated', and 'certname'";
    const problem = meaningProblem(text, new RequestError(400, message));
    expect(text.slice(problem?.from, problem?.to)).toBe("certnam");
    expect(problem?.message).toBe("Can't extract unknown 'nodes' field 'certnam'. Did you mean certname?");
    expect(meaningProblem(text, new RequestError(503, "busy"))).toBeUndefined();
  });

  it("is the place in JSON", () => {
    const text = '["from", nodes]';
    const problem = jsonProblem(text);
    expect(text.slice(problem?.from, problem?.to)).toBe("n");
    expect(jsonProblem('["from", "nodes"')).toMatchObject({ from: 15, to: 16 });
    expect(jsonProblem("[1] x")).toMatchObject({ from: 4, to: 5 });
    expect(jsonProblem('{"a": [1, {}], "b" 2}')).toMatchObject({ from: 19, to: 20 });
  });

  it("is found in JSON exactly where there is something wrong", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(jsonProblem(text)).toBeUndefined();
        expect(jsonPlace(text)).toBe(text.length);
        const cut = text.slice(0, -1);
        expect(jsonPlace(`${cut}\u0001`)).toBeLessThanOrEqual(cut.length);
      }),
    );
  });
});

describe("the columns of a result", () => {
  const values: Json[] = [
    { certname: "a", count: 3, at: "2026-11-20T12:00:00Z", value: "x", flag: null },
    { certname: "b", count: 4, at: null, value: 7, more: [1] },
  ];
  const rows = resultRows(values);
  const columns = columnsOf(rows);

  it("have the kinds of their values", () => {
    expect(columns.map(({ name, kind }) => [name, kind])).toEqual([
      ["certname", "text"],
      ["count", "number"],
      ["at", "time"],
      ["value", "json"],
      ["flag", "nothing"],
      ["more", "json"],
    ]);
    expect(resultRows(["kernel"])).toEqual([{ value: "kernel" }]);
  });

  it("lead to the pages of what they name", () => {
    expect(linkOf("nodes", "certname", { certname: "a/b" })).toEqual({ page: "node", segments: ["a/b"] });
    expect(linkOf("reports", "hash", { hash: "00" })).toEqual({ page: "report", segments: ["00"] });
    expect(linkOf("catalogs", "hash", { hash: "00" })).toBeUndefined();
    expect(linkOf("fact_contents", "path", { path: ["a", 0] })).toEqual({ page: "fact", parameters: { path: "a[0]" } });
    expect(linkOf("resources", "title", { type: "File", title: "/x" })).toEqual({
      page: "resource",
      parameters: { type: "File", title: "/x" },
    });
    expect(linkOf("events", "resource_title", { resource_type: "Class", resource_title: "A" })?.page).toBe("classes");
    expect(linkOf("resources", "title", { title: "/x" })).toBeUndefined();
    expect(linkOf("fact_paths", "type", { type: "string" })).toBeUndefined();
    expect(linkOf("nodes", "__proto__", { certname: "a" })).toBeUndefined();
  });
});

function chartOf(rows: Json[]): unknown {
  return choiceFor(columnsOf(resultRows(rows)));
}

describe("the chart of a result", () => {
  it("fits the types of its columns", () => {
    expect(chartOf([{ status: "failed", count: 3 }])).toEqual({ kind: "bars", by: ["status"], values: ["count"] });
    expect(chartOf([{ at: "2026-11-20T12:00:00Z", count: 3 }])).toEqual({
      kind: "line",
      by: ["at"],
      values: ["count"],
    });
    expect(chartOf([{ bytes: 3 }])).toEqual({ kind: "histogram", by: [], values: ["bytes"] });
    expect(chartOf([{ certname: "a" }])).toEqual({ kind: "bars", by: ["certname"], values: [] });
    expect(chartOf([])).toBeUndefined();
  });

  it("adds up rows with the same names", () => {
    const rows = resultRows([
      { a: "x", n: 1 },
      { a: "y", n: 5 },
      { a: "x", n: 2 },
      { a: null, n: 4 },
    ]);
    const bars = barsOf(rows, { kind: "bars", by: ["a"], values: ["n"] });
    expect(bars.map(({ names, sum }) => [names, sum])).toEqual([
      [["y"], 5],
      [[null], 4],
      [["x"], 3],
    ]);
    expect(barsOf(rows, { kind: "bars", by: ["a"], values: [] })[0]).toMatchObject({ names: ["x"], sum: 2 });
  });

  it("puts points in order, and leaves out what has no place", () => {
    const rows = resultRows([
      { at: "2026-11-20T12:00:00Z", n: 1 },
      { at: "2026-11-20T11:00:00Z", n: null },
      { at: null, n: 9 },
    ]);
    expect(pointsOf(rows, { kind: "line", by: ["at"], values: ["n"] })).toEqual([
      [Date.parse("2026-11-20T11:00:00Z"), null],
      [Date.parse("2026-11-20T12:00:00Z"), 1],
    ]);
    expect(countedOf(resultRows([{ n: 2 }, { n: 2 }, { n: "x" }]), "n")).toEqual([{ value: 2, count: 2 }]);
  });
});

function past(text: string): PastQuery {
  return { lang: "pql", text, at: 1, rows: 0, ms: 1 };
}

describe("the history", () => {
  it("has each query once, the newest first, and at most 100", () => {
    let known = [past("nodes{}")];
    for (let index = 0; index < 150; index++) known = withQuery(known, past(`facts{ value = ${index % 120} }`));
    expect(known).toHaveLength(100);
    expect(known[0]?.text).toBe("facts{ value = 29 }");
    expect(new Set(known.map(({ text }) => text)).size).toBe(100);
  });
});

describe("the steps of a plan", () => {
  it("have their own time, without that of the steps below", () => {
    const scan = { "Node Type": "SEQ_SCAN", "Relation Name": "nodes", "Actual Rows": 40, "Actual Total Time": 3 };
    const answer = [
      { "query plan": [{ Plan: { "Node Type": "LIMIT", "Actual Rows": 3, "Actual Total Time": 5, Plans: [scan] } }] },
    ];
    expect(planSteps(answer)).toEqual([
      { depth: 0, operator: "LIMIT", of: "", rows: 3, ms: 2 },
      { depth: 1, operator: "SEQ_SCAN", of: "nodes", rows: 40, ms: 3 },
    ]);
    expect(planSteps([])).toEqual([]);
  });
});
