import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "#storage/json.ts";
import { a, populatedStore } from "#test/fixture-store.ts";
import { serve, type Served } from "#test/app/fixture-service.ts";

/** Texts of the fact `list`, and objects of the fact `objects`. */
const ELEMENTS = 4000;
const LATER = "2026-11-20T23:30:00Z";
const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

let service: Served;
beforeAll(async () => {
  const store = await populatedStore();
  const values = {
    list: range(ELEMENTS).map((index) => `element ${index}`),
    objects: range(ELEMENTS).map((index) => ({ id: index })),
    long: "a".repeat(200),
    number: 5,
  };
  await store.submit(a.facts("heavy", { values, producer_timestamp: LATER }));
  service = await serve(store, { queries: { patternMs: 50 } });
});
afterAll(() => service.close());

/** Milliseconds that the status service may take in any case. */
const MOMENT = 3000;

interface Answered {
  readonly status: number;
  readonly text: string;
  /** Whether an answer of the status service took most of the time meanwhile, and more than a moment. */
  readonly isLoopBlocked: boolean;
}

/** Sends a query, and requests the status until its response arrives. */
async function answered(path: string, body: string): Promise<Answered> {
  const over = new AbortController();
  const start = performance.now();
  let slowestStatus = 0;
  const watching = (async () => {
    do {
      const began = performance.now();
      await (await fetch(`${service.url}/status/v1/simple`)).text();
      slowestStatus = Math.max(slowestStatus, performance.now() - began);
      await delay(20);
    } while (!over.signal.aborted);
  })();
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${service.url}/pdb/query/v4${path}`, { method: "POST", body, headers });
  const text = await response.text();
  over.abort();
  await watching;
  const isLoopBlocked = slowestStatus > Math.max(MOMENT, (performance.now() - start) / 2);
  return { status: response.status, text, isLoopBlocked };
}

/** `in` nested this many times. */
function nestedIn(depth: number): Json {
  let query: Json = ["=", "certname", "x"];
  for (let count = 0; count < depth; count++)
    query = ["in", "certname", ["extract", "certname", ["select_nodes", query]]];
  return query;
}

const equal = (field: Json, value: (index: number) => Json): ((count: number) => Json) => {
  return (count) => ["or", ...range(count).map((index) => ["=", field, value(index)])];
};
const each = (kind: "and" | "or", clause: (index: number) => Json, count = 1000): Json => [
  kind,
  ...range(count).map(clause),
];
const named = (index: number): string => `node${index}.example.com`;
const masks = range(1000).map(() => "YYYY");

type Query = Json | (() => Json);

const accepted: readonly (readonly [title: string, path: string, query: Query, rows: number])[] = [
  ["in with 500,000 texts", "/nodes", () => ["in", "certname", ["array", range(500_000).map(named)]], 0],
  ["in with 500,000 titles", "/resources", () => ["in", "title", ["array", range(500_000).map(named)]], 0],
  ["not in 500,000 texts", "/nodes", () => ["not", ["in", "certname", ["array", range(500_000).map(named)]]], 5],
  ["in with 200,000 values", "/facts", () => ["in", "value", ["array", range(200_000)]], 6],
  ["or of 60,000 equalities", "/nodes", () => equal("certname", named)(60_000), 0],
  ["or of 20,000 equalities of a number", "/resources", () => equal("line", (index) => index)(20_000), 3],
  ["or of 20,000 equalities of a time", "/reports", () => equal("receive_time", (index) => index)(20_000), 0],
  ["or of 20,000 equalities of a JSON value", "/facts", () => equal("value", (index) => index)(20_000), 6],
  ["or of 20,000 equalities of a fact", "/nodes", () => equal(["fact", "kernel"], named)(20_000), 0],
  ["or of 20,000 equalities of a parameter", "/resources", () => equal("parameters.ensure", named)(20_000), 0],
  [
    "and of 20,000 inequalities",
    "/nodes",
    () => ["and", ...range(20_000).map((n) => ["not", ["=", "certname", named(n)]])],
    5,
  ],
  [
    "a long array, turned round",
    "/inventory",
    () => ["=", "facts.list", range(ELEMENTS).map((n) => `element ${ELEMENTS - n - 1}`)],
    1,
  ],
  [
    "a long array of objects",
    "/inventory",
    () => ["=", "facts.objects", range(ELEMENTS).map((n) => ({ id: ELEMENTS - n - 1 }))],
    1,
  ],
  [
    "a long array that is not there",
    "/inventory",
    () => ["=", "facts.list", range(ELEMENTS).map((n) => `element ${n + 1}`)],
    0,
  ],
  [
    "a format of 1,000 fields",
    "/nodes",
    ["extract", [["function", "to_string", "catalog_timestamp", masks.join(".")]]],
    5,
  ],
  ["a word that begins with two letters", "/facts", ["~", "value", "\\yLin"], 2],
  ["1,000 facts that are numbers", "/nodes", () => each("or", (n) => [">", ["fact", `f${n}`], 1]), 0],
  ["1,000 facts, all of them", "/nodes", () => each("and", (n) => ["=", ["fact", `f${n}`], 1]), 0],
  ["9,000 facts", "/nodes", () => each("or", (n) => ["=", ["fact", `f${n}`], "x"], 9000), 0],
  [
    "3,000 pairs of a name and a value",
    "/facts",
    () => each("or", (n) => ["and", ["=", "name", `f${n}`], ["=", "value", n]], 3000),
    0,
  ],
  ["1,000 parts of different facts", "/inventory", () => each("and", (n) => ["=", `facts.f${n}.x`, 1]), 0],
  ["1,000 parts that are not there", "/inventory", () => each("and", (n) => ["not", ["=", `facts.f${n}.x`, 1]]), 4],
  [
    "a document of 1,000 numbers",
    "/inventory",
    () => ["=", "facts", Object.fromEntries(range(1000).map((n) => [`f${n}`, n]))],
    0,
  ],
  ["1,000 parameters", "/resources", () => each("or", (n) => ["=", `parameters.p${n}`, "x"]), 0],
  ["1,000 parameters that are numbers", "/resources", () => each("and", (n) => ["=", `parameters.p${n}.x`, 1]), 0],
  ["1,000 subqueries", "/nodes", () => each("and", (n) => ["subquery", "facts", ["=", "name", `f${n}`]]), 0],
  [
    "1,000 subqueries denied",
    "/nodes",
    () => each("and", (n) => ["not", ["subquery", "resources", ["=", "title", `t${n}`]]]),
    5,
  ],
  ["1,000 columns of different facts", "/inventory", () => ["extract", range(1000).map((n) => `facts.f${n}.x`)], 4],
  ["50 subqueries inside each other", "/nodes", () => nestedIn(50), 0],
  ["look-around where every value is NULL", "/events", ["~", "message", "(?=x)"], 0],
  ["look-around where there is no value", "/nodes", ["~", ["fact", "uptime"], "(?=w)w"], 0],
];

const refused: readonly (readonly [title: string, path: string, query: Query, says: RegExp])[] = [
  ["200 subqueries inside each other", "/nodes", nestedIn(200), /more than 60 subqueries/],
  [
    "100 patterns in paths",
    "/inventory",
    () => each("or", (n) => ["=", `facts.match("f${n}").x`, 1], 100),
    /more than 60 subqueries, those that read the same rows by the same fields counted as one/,
  ],
  [
    "5,000 columns",
    "/nodes",
    () => ["extract", range(5000).map(() => "certname")],
    /more than 1000 columns .*query-max-columns.*query\[1\]/,
  ],
  [
    "11,000 conditions on several fields",
    "/resources",
    () => ["or", ...range(11_000).map((n) => ["and", ["=", "type", "T"], ["=", "title", named(n)]])],
    /query-max-conditions/,
  ],
  [
    "a pattern of 600 kB",
    "/nodes",
    () => ["~", "certname", "ab|".repeat(200_000)],
    /query-max-pattern-size.*query\[2\]/,
  ],
  ["a pattern that backtracks", "/facts", ["~", "value", `(?=a)${"a*".repeat(20)}b`], /query-pattern-time/],
];

const bodyOf = (query: Query): string => JSON.stringify({ query: typeof query === "function" ? query() : query });

describe("a heavy query", () => {
  it.each(accepted)("%s is answered", async (_title, path, query, rows) => {
    const { status, text, isLoopBlocked } = await answered(path, bodyOf(query));
    expect({ status, isLoopBlocked }).toEqual({ status: 200, isLoopBlocked: false });
    expect(JSON.parse(text)).toHaveLength(rows);
  });

  it.each(refused)("%s is refused", async (_title, path, query, says) => {
    const answer = await answered(path, bodyOf(query));
    expect(answer).toEqual({ status: 400, text: expect.stringMatching(says) as string, isLoopBlocked: false });
    expect(service.faults).toEqual([]);
  });

  it("with 20,000 columns in order_by is ordered by the distinct ones", async () => {
    const orders = [{ field: "certname", order: "desc" }, ...range(20_000).map(() => ({ field: "certname" }))];
    const { status, text } = await answered("/nodes", JSON.stringify({ order_by: orders }));
    expect(status).toBe(200);
    const names = (JSON.parse(text) as { certname: string }[]).map(({ certname }) => certname);
    expect(names).toEqual(names.toSorted().reverse());
  });

  it("with invalid JSON gets a short error message", async () => {
    for (const body of [`{"query": [${"x".repeat(10_000_000)}`, `{"query": ["=", "a" ${', "b"'.repeat(2_000_000)}`]) {
      const { status, text, isLoopBlocked } = await answered("/nodes", body);
      expect({ status, isLoopBlocked }).toEqual({ status: 400, isLoopBlocked: false });
      expect(text).toMatch(/Json parse error at line 1, column \d+/);
      expect(text.length).toBeLessThan(10_000);
    }
  });

  it("is not quoted at length in its error message", async () => {
    const { status, text } = await answered("/nodes", JSON.stringify({ query: ["=", "certname", range(100_000)] }));
    expect(status).toBe(400);
    expect(text.length).toBeLessThan(10_000);
  });

  it("of 16 clients with patterns that backtrack does not delay other requests", async () => {
    const body = JSON.stringify({ query: ["~", "value", `(?=a)${"a*".repeat(20)}b`] });
    const all = await Promise.all(range(16).map(async () => answered("/facts", body)));
    expect(all).toMatchObject(range(16).map(() => ({ status: 400, isLoopBlocked: false })));
  });
});
