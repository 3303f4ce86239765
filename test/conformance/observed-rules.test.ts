import { describe, expect, it } from "vitest";
import { observedRules, pagesInside } from "./observed-rules.ts";
import type { CompareRules } from "./recording.ts";

const ROOT = "/pdb/query/v4";
type Line = Parameters<typeof observedRules>[0];

/** Lines of the corpus, with the part of their rules that matters (reference/query.md §12). */
const CASES: readonly [what: string, line: Partial<Line>, rules: Partial<CompareRules>][] = [
  ["rows", {}, { mode: "set" }],
  ["a limit without an order", { params: { limit: "1" } }, { mode: "count" }],
  ["an offset without an order", { params: { offset: "1" } }, { mode: "count" }],
  ["one object", { params: { limit: "1" }, json: {} }, { mode: "set" }],
  [
    "a limit with an order",
    { params: { limit: "1", order_by: '[{"field":"certname","order":"desc"}]' } },
    { mode: "ordered", orderedBy: ["certname"] },
  ],
  ["no columns to order by", { params: { order_by: "[]" } }, { mode: "set" }],
  [
    "paging in a body",
    { method: "POST", body: { query: ["extract", "certname"], order_by: [{ field: "certname" }], limit: 2 } },
    { mode: "ordered", orderedBy: ["certname"] },
  ],
  ["a limit in a body", { method: "POST", body: { limit: 1 } }, { mode: "count" }],
  [
    "an order in the AST",
    { path: ROOT, params: { query: '["from","nodes",["order_by",["certname",["expired","desc"]]],["limit",1]]' } },
    { mode: "ordered", orderedBy: ["certname", "expired"] },
  ],
  ["a limit in the AST", { path: ROOT, params: { query: '["from","nodes",["limit",1]]' } }, { mode: "count" }],
  [
    "an order in PQL",
    { path: ROOT, params: { query: "reports[certname]{type='limit 3' order by certname, hash desc limit 3}" } },
    { mode: "ordered", orderedBy: ["certname", "hash"] },
  ],
  [
    "a limit in a subquery",
    { path: ROOT, params: { query: "nodes[certname]{certname in reports[certname]{status='failed' limit 1}}" } },
    { mode: "set" },
  ],
  ["a query given back", { path: ROOT, params: { query: "nodes{limit 1}", ast_only: "true" } }, { mode: "ordered" }],
  ["a text", { status: 400, json: undefined, text: "[] is not well-formed" }, { mode: "text" }],
  ["a text that was not kept", { status: 400, json: undefined }, { mode: "status" }],
  ["an internal error", { status: 500, json: undefined }, { mode: "refusal" }],
  ["HEAD", { method: "HEAD", status: 400, json: undefined, text: "" }, { mode: "type" }],
  ["times of arrival of factsets", { path: `${ROOT}/producers/puppet1/factsets` }, { mask: ["timestamp"] }],
  [
    "times of arrival in PQL",
    { path: ROOT, params: { query: "inventory[max(timestamp)]{}" } },
    { mask: ["timestamp", "max"] },
  ],
  [
    "times of events",
    { path: `${ROOT}/events`, params: { query: '["extract",[["function","max","timestamp"]]]' } },
    { mask: [] },
  ],
  [
    "times of arrival, formatted",
    { path: `${ROOT}/reports`, params: { query: '["extract",[["function", "to_string", "receive_time", "Day"]]]' } },
    { mask: ["to_string"] },
  ],
];

describe("how an observed answer is compared", () => {
  it.each(CASES)("%s", (_what, line, rules) => {
    const plain: Line = { method: "GET", path: `${ROOT}/nodes`, params: {}, status: 200, json: [] };
    expect(observedRules({ ...plain, ...line })).toMatchObject(rules);
  });

  it.each([
    ["a subquery in PQL", "nodes{certname in reports[certname]{limit 1 order by certname}}", true],
    [
      "a subquery in AST",
      '["from","nodes",["in","certname",["from","facts",["extract","certname"],["limit",1]]]]',
      true,
    ],
    ["the top", "nodes{certname in reports[certname]{} limit 1}", false],
    ["nowhere", "nodes{}", false],
  ])("recognises a limit in a subquery: %s", (_where, query, inside) => {
    expect(pagesInside({ method: "GET", path: ROOT, params: { query } })).toBe(inside);
  });

  it("requires no order of rows if the query has none", () => {
    const line: Line = { method: "GET", path: `${ROOT}/nodes`, params: {}, status: 200, json: [] };
    expect(observedRules(line)).not.toHaveProperty("orderedBy");
  });
});
