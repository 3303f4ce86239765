import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { costs, costsOf } from "#cli/explain/costs.ts";
import type { JsonObject } from "#storage/json.ts";
import { census, SAMPLE, startServer } from "../census.ts";
import type { Running } from "#test/running.ts";

/** As PostgreSQL prints it: times are of a step with all below it, and the mean of its loops. */
const join: JsonObject = {
  "Node Type": "Nested Loop",
  "Actual Rows": 6,
  "Actual Loops": 1,
  "Actual Total Time": 10,
  "Join Filter": "(a.id\n  =  b.id)",
  Plans: [
    {
      "Node Type": "Seq Scan",
      "Relation Name": "certnames",
      "Actual Rows": 3,
      "Actual Loops": 1,
      "Actual Total Time": 2,
    },
    {
      "Node Type": "Index Scan",
      "Relation Name": "facts",
      "Index Cond": "(x = 1)",
      "Actual Rows": 2,
      "Actual Loops": 3,
      "Actual Total Time": 2,
    },
  ],
};

/** As the engine prints it, with lists for repeated parts. */
const grouped: JsonObject = {
  "Node Type": "HASH_GROUP_BY",
  "Actual Rows": 2,
  "Actual Total Time": 4,
  "Group Key": ["#0", "#1"],
  Plans: [{ "Node Type": "SEQ_SCAN", "Actual Rows": 100, "Actual Total Time": 1, "Relation Name": "nodes", Plans: [] }],
};

describe("the costs of a plan", () => {
  it.each([
    [
      "of PuppetDB's: loops multiplied, what is below taken off",
      join,
      [
        { operator: "Nested Loop", of: "(a.id = b.id)", rows: 6, ms: 2, share: 20 },
        { operator: "  Seq Scan", of: "certnames", rows: 3, ms: 2, share: 20 },
        { operator: "  Index Scan", of: "facts; (x = 1)", rows: 6, ms: 6, share: 60 },
        { operator: "all", of: "", rows: 6, ms: 10, share: 100 },
      ],
    ],
    [
      "of ours",
      grouped,
      [
        { operator: "HASH_GROUP_BY", of: "#0, #1", rows: 2, ms: 3, share: 75 },
        { operator: "  SEQ_SCAN", of: "nodes", rows: 100, ms: 1, share: 25 },
        { operator: "all", of: "", rows: 2, ms: 4, share: 100 },
      ],
    ],
    [
      "that took no time",
      { "Node Type": "Result" },
      [
        { operator: "Result", of: "", rows: 0, ms: 0, share: 0 },
        { operator: "all", of: "", rows: 0, ms: 0, share: 0 },
      ],
    ],
  ])("%s", (_what, plan, expected) => {
    expect(costsOf(plan)).toStrictEqual(expected);
  });

  it.each([["[]"], ['{"query plan":[{"Plan":"some text"}]}'], ['{"certname":"a"}']])(
    "are absent if there is no plan: %s",
    async (row) => {
      const answer = costs(
        (async function* () {
          yield await Promise.resolve([row]);
        })(),
      );
      await expect(answer.next()).rejects.toThrow(/contains no query plan/);
    },
  );
});

describe("census query --explain", () => {
  let server: Running;
  beforeAll(async () => {
    server = await startServer(["open", SAMPLE, "--no-browser", "--port", "0"]);
  });
  afterAll(async () => server.stop());

  it.each([
    ["an archive", () => ["--archive", SAMPLE]],
    ["a server", () => ["--url", server.url]],
  ])("prints the costs instead of the rows, from %s", async (_what, source) => {
    const query = 'facts[value, count()] { name = "it\'s \\\\ \\"ü\\"\\n" group by value }';
    const { code, stdout, stderr } = await census(["query", "--explain", query, ...source(), "--output", "json"]);
    expect({ code, stderr }).toStrictEqual({ code: 0, stderr: "" });
    const rows = JSON.parse(stdout) as { operator: string; of: string; share: number }[];
    expect(rows.at(-1)).toMatchObject({ operator: "all", rows: 0 });
    expect(rows.find(({ of }) => of.startsWith("short_facts;"))?.of).toContain("ü");
    const shares = rows.slice(0, -1).reduce((sum, { share }) => sum + share, 0);
    expect(shares).toBeGreaterThan(99);
    expect(shares).toBeLessThan(101);
  });

  it.each([
    ["an archive", () => ["--archive", SAMPLE]],
    ["a server", () => ["--url", server.url]],
  ])("explains a query that is counted without reading rows: %s", async (_what, source) => {
    const run = await census(["query", "--explain", "nodes[count()]{}", ...source(), "--output", "json"]);
    expect(run).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(run.stdout)).toContainEqual(expect.objectContaining({ operator: "all", rows: 1 }));
  });

  it("explains queries of every shape in the shell", async () => {
    const shapes = [
      "nodes[count()]{}",
      "nodes[count(), max(certname)]{}",
      'nodes[count()]{ certname = "no-such-node" }',
      "nodes{}",
      'nodes[certname]{ certname ~ "(?=x)" order by certname limit 1 offset 1 }',
      "facts[count()]{}",
      "facts[name, count()]{ group by name }",
      "resources[count()]{}",
      "reports[count()]{}",
      'inventory[certname]{ facts.kernel = "Linux" }',
      'nodes{ facts { name = "kernel" } }',
      'nodes[certname]{ certname in facts[certname]{ name = "kernel" } }',
      '["from", "producers", ["extract", [["function", "count"]]]]',
      '["from", "environments"]',
      "events[count()]{}",
      "edges[count()]{}",
      "packages[count()]{}",
    ];
    const input = `${shapes.map((shape) => `\\explain ${shape}`).join("\n")}\n`;
    const run = await census(["shell", SAMPLE, "--output", "ndjson"], { input });
    expect(run).toMatchObject({ code: 0, stderr: "" });
    expect(run.stdout.split("\n").filter((line) => line.startsWith('{"operator":"all",'))).toHaveLength(shapes.length);
  });
});
