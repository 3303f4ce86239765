import { createServer } from "node:http";
import { writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { tgz } from "#test/storage/archive/build.ts";
import { delicateFacts, facts, metadata } from "./archives.ts";
import { census, censusCutShort, SAMPLE, workFolder } from "./census.ts";

const folder = workFolder();
const archive = join(folder, "delicate.tgz");
const query = "facts[name, value] { order by name }";

beforeAll(async () => {
  writeFileSync(archive, await tgz([metadata, facts("web-01.example.com", delicateFacts)]));
});

describe("the layouts of a result keep every value", () => {
  const rows = [
    '{"name":"exact","value":1.0}',
    '{"name":"huge","value":12345678901234567890123}',
    '{"name":"nested","value":{"a":[1,null],"b":"x, y"}}',
    '{"name":"none","value":null}',
    '{"name":"quoted","value":"say \\"ü\\",\\nthen 東京"}',
    '{"name":"yes","value":true}',
  ];

  const layouts: [string, string, (stdout: string) => string[]][] = [
    [
      "json",
      "an array with a row per line",
      (stdout) => {
        expect(JSON.parse(stdout)).toHaveLength(6);
        return stdout
          .split("\n")
          .slice(1, -2)
          .map((line) => line.replace(/,$/, ""));
      },
    ],
    ["ndjson", "a row per line", (stdout) => stdout.trimEnd().split("\n")],
  ];
  it.each(layouts)("%s: %s", async (output, _layout, linesOf) => {
    const { code, stdout, stderr } = await census(["query", query, "--archive", archive, "--output", output]);
    expect({ code, stderr }).toStrictEqual({ code: 0, stderr: "" });
    const lines = linesOf(stdout);
    // The blanks inside a value are the engine's affair.
    expect(lines.map((line) => line.replace(/([:,]) (?=[["n])/g, "$1"))).toStrictEqual(rows);
  });

  it("csv: a header, quotes where they are needed, nested values as JSON", async () => {
    const { code, stdout } = await census(["query", query, "--archive", archive, "--output", "csv"]);
    expect(code).toBe(0);
    expect(stdout.replace(/"\{.*\}"/, "(nested)")).toBe(
      'name,value\nexact,1.0\nhuge,12345678901234567890123\nnested,(nested)\nnone,\nquoted,"say ""ü"",\nthen 東京"\nyes,true\n',
    );
    const nested = /"(\{.*\})"/.exec(stdout)?.[1]?.replaceAll('""', '"') ?? "";
    expect(JSON.parse(nested)).toStrictEqual({ a: [1, null], b: "x, y" });
  });

  it("table: nothing cut in a pipe, control characters as escapes, the count on stderr", async () => {
    const { code, stdout, stderr } = await census(["query", query, "--archive", archive, "--output", "table"]);
    expect({ code, stderr }).toStrictEqual({ code: 0, stderr: "6 rows\n" });
    const cells = stdout
      .split("\n")
      .filter((line) => line.startsWith("│"))
      .map((line) =>
        line
          .split("│")
          .slice(1, -1)
          .map((cell) => cell.trim()),
      );
    expect(cells.filter(([name]) => name !== "nested")).toStrictEqual([
      ["name", "value"],
      ["exact", "1.0"],
      ["huge", "12345678901234567890123"],
      ["none", ""],
      ["quoted", 'say "ü",\\nthen 東京'],
      ["yes", "true"],
    ]);
  });

  it("json is the default in a pipe, no rows are an empty array, and AST is recognised by its bracket", async () => {
    const ast = '["from", "nodes", ["null?", "certname", true]]';
    expect(await census(["query", "-", "--archive", archive], { input: ast })).toStrictEqual({
      code: 0,
      stdout: "[]\n",
      stderr: "",
    });
  });
});

it("census query ends without an error when its reader ends", async () => {
  const words = ["query", "resources{}", "--archive", SAMPLE, "--output", "ndjson"];
  expect(await censusCutShort(words)).toStrictEqual({ code: 0, stderr: "" });
});

it("an archive is shown as of its own time, with events of any age", async () => {
  const words = ["query", "events[count()]{}", "--archive", SAMPLE];
  const own = await census(words);
  const [row] = JSON.parse(own.stdout) as Record<string, number>[];
  expect(row?.["count"]).toBeGreaterThan(0);
  expect(await census([...words, "--now", "2046-11-20T12:00:00Z"])).toStrictEqual(own);
});

it.each([[[]], [["--no-cache"]]])("an archive is shown with its corrective changes %j", async (options) => {
  const pql = "nodes[certname]{ latest_report_corrective_change = true order by certname }";
  const run = await census(["query", pql, "--archive", SAMPLE, "--output", "csv", ...options]);
  expect(run).toStrictEqual({
    code: 0,
    stdout: "certname\nbastion-0016.tollhouse.saltmarsh.example\ncrane-0002.langsand.saltmarsh.example\n",
    stderr: "",
  });
});

describe("a source that cannot be queried causes one line on stderr and exit code 1", () => {
  it.each<[string[], RegExp]>([
    [["--url", "http://127.0.0.1:1"], /^census: http:\/\/127\.0\.0\.1:1: connection refused; start a server/],
    [["--archive", "no-such.tgz"], /^census: no-such\.tgz: no such file or directory$/],
    [
      ["--archive", join(SAMPLE, "../../package.json")],
      /^census: \S+package\.json: not an archive \(tar, tar\.gz, zip\), but a JSON file$/,
    ],
    [["--data", "no-such-folder"], /^census: no-such-folder: no Census store found;/],
  ])("%j", async (source, line) => {
    const { code, stdout, stderr } = await census(["query", "nodes{}", ...source]);
    expect({ code, stdout }).toStrictEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr.trimEnd()).toMatch(line);
  });
});

describe("an invalid response of a server is an error", () => {
  it.each<[number, string, number, RegExp]>([
    [200, '[{"a":1},{"a"', 1, /: the response is not a JSON array, or was truncated: it ends too early$/],
    [200, "<html></html>", 1, /: the response is not a JSON array/],
    [404, "Not Found", 1, /^census: http:\S+ returned HTTP 404: Not Found$/],
    [500, "out of\norder", 1, /^census: http:\S+ returned HTTP 500: out of order$/],
    [400, "'foo' is not a queryable object", 2, /^census: 'foo' is not a queryable object$/],
  ])("%i %j", async (status, body, exitCode, line) => {
    const server = createServer((_request, response) => response.writeHead(status).end(body)).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    const { code, stderr } = await census(["query", "nodes{}", "--url", `http://127.0.0.1:${port}`]);
    server.close();
    expect(code).toBe(exitCode);
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr.trimEnd()).toMatch(line);
  });
});
