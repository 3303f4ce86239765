import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readPaging } from "#cli/sources/paging.ts";
import { type Running } from "#test/running.ts";
import { census, SAMPLE, startServer } from "../census.ts";

let server: Running;

beforeAll(async () => {
  server = await startServer(["open", SAMPLE, "--port", "0"]);
});
afterAll(async () => server.stop());

describe("the options for a part of the result", () => {
  it.each<[args: Parameters<typeof readPaging>[0], paging: object]>([
    [{}, {}],
    [
      { limit: "5", offset: "0" },
      { limit: 5, offset: 0 },
    ],
    [
      { "order-by": " report_timestamp DESC, certname,latest_report? asc" },
      {
        orderBy: [
          { field: "report_timestamp", descending: true },
          { field: "certname", descending: false },
          { field: "latest_report?", descending: false },
        ],
      },
    ],
  ])("%j", (args, paging) => {
    expect(readPaging(args)).toStrictEqual({ limit: undefined, offset: undefined, orderBy: undefined, ...paging });
  });

  it.each([
    [{ limit: "0" }, '--limit must be a number above 0, not "0"'],
    [{ limit: "ten" }, '--limit must be a number above 0, not "ten"'],
    [{ offset: "-1" }, '--offset must be a number, not "-1"'],
    [
      { "order-by": "certname down" },
      '--order-by must be fields, each with desc if the order is reversed, e.g. "report_timestamp desc, certname", not "certname down"',
    ],
    [{ "order-by": "certname,," }, "--order-by must be fields"],
  ])("%j is refused", (args, message) => {
    expect(() => readPaging(args)).toThrow(message);
  });
});

async function certnames(words: readonly string[]): Promise<string[]> {
  const { stdout } = await census([...words, "--output", "csv"]);
  return stdout.trimEnd().split("\n").slice(1);
}

describe("a part of the result of a query", () => {
  const all = "nodes[certname] {}";
  it("is the same from an archive and from a server", async () => {
    const whole = (await certnames(["query", all, "--archive", SAMPLE])).sort();
    const words = ["query", all, "--order-by", "certname desc", "--limit", "3", "--offset", "2"];
    const expected = whole.toReversed().slice(2, 5);
    expect(await certnames([...words, "--archive", SAMPLE])).toStrictEqual(expected);
    expect(await certnames([...words, "--url", server.url])).toStrictEqual(expected);
  });

  it("overrides the paging of the query itself", async () => {
    const words = ["query", "nodes[certname] { order by certname limit 10 }", "--limit", "2", "--archive", SAMPLE];
    expect(await certnames(words)).toHaveLength(2);
  });

  it.each([
    ["groups", "resources[type, count()] { group by type }", ["--limit", "2"], /^2 of \d\d rows\n$/],
    ["nodes", all, ["--limit", "7"], /^7 of 40 rows\n$/],
    ["the last nodes", all, ["--offset", "35"], /^5 of 40 rows\n$/],
    ["all nodes", all, ["--limit", "40"], /^40 rows\n$/],
    ["nodes beyond the last", all, ["--offset", "50"], /^0 of 40 rows\n$/],
    ["a query's own limit", "nodes[certname] { limit 3 }", [], /^3 rows\n$/],
  ])("has the total number of %s", async (_what, query, words, aside) => {
    for (const source of [
      ["--archive", SAMPLE],
      ["--url", server.url],
    ]) {
      const { stderr } = await census(["query", query, ...words, "--output", "table", ...source]);
      expect(stderr).toMatch(aside);
    }
  });

  const plans = `4 reports of plans not shown; census query 'reports{ type = "plan" }' lists them\n`;

  it.each([
    [["reports", "--limit", "2"], `2 of 452 rows\n${plans}`],
    [["reports"], `20 of 452 rows\n${plans}`],
    [["events", "--corrective", "--limit", "2"], "2 of 50 rows\n"],
    [["facts", "--limit", "3"], "3 of 44 rows\n"],
    // Four families, and the nodes without the fact.
    [["facts", "--name", "os.family", "--count", "--limit", "1"], "1 of 5 rows\n2 nodes without the fact os.family\n"],
    [["facts", "berth-0024.tollhouse.saltmarsh.example", "--limit", "4"], "4 of 42 rows\n"],
  ])("is counted for short forms too: %j", async (words, aside) => {
    const { stderr } = await census([...words, "--output", "table", "--archive", SAMPLE]);
    expect(stderr).toBe(aside);
  });

  it("is not counted for other formats", async () => {
    const requested: string[] = [];
    const counting = createServer((request, response) => {
      requested.push(request.url ?? "");
      response.end("[]");
    });
    await once(counting.listen(0, "127.0.0.1"), "listening");
    const url = `http://127.0.0.1:${(counting.address() as AddressInfo).port}`;
    const words = ["query", all, "--limit", "5", "--order-by", "certname desc", "--url", url];
    await census(words);
    await census([...words, "--output", "table"]);
    counting.close();
    const parameters = requested.map((path) => Object.fromEntries(new URL(path, url).searchParams));
    const wanted = { query: all, limit: "5", order_by: '[{"field":"certname","order":"desc"}]' };
    expect(parameters).toStrictEqual([wanted, { ...wanted, include_total: "true" }]);
  });

  it("ordered by an unknown field is rejected with the known fields", async () => {
    for (const source of [
      ["--archive", SAMPLE],
      ["--url", server.url],
    ]) {
      const { code, stderr } = await census(["query", all, "--order-by", "nosuch", ...source]);
      expect({ code, isNamed: /nosuch.*certname/.test(stderr) }).toStrictEqual({ code: 2, isNamed: true });
    }
  });
});

describe("the present time of a source", () => {
  it("is that of the server, which may serve an archive", async () => {
    const { stdout } = await census(["nodes", "--silent", "2h", "--pql", "--url", server.url]);
    expect(stdout).toContain('report_timestamp < "2026-11-20T10:00:00.000Z"');
  });

  it("is this machine's if a server does not return it", async () => {
    const silent = createServer((_request, response) => response.writeHead(404).end());
    await once(silent.listen(0, "127.0.0.1"), "listening");
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const { stdout } = await census(["nodes", "--silent", "2h", "--pql", "--url", url]);
    silent.close();
    const since = Date.parse(/"(?<time>20[^"]+)"/.exec(stdout)?.groups?.["time"] ?? "");
    expect(Math.abs(Date.now() - 7_200_000 - since)).toBeLessThan(60_000);
  });
});
