import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { completeLine } from "#cli/shell/complete.ts";
import type { SourceCatalogue } from "#cli/shell/catalogue.ts";
import { readQueryFile } from "#storage/saved-queries/read.ts";
import type { Running } from "#test/running.ts";
import { census, type Run, SAMPLE, startServer, workFolder } from "../census.ts";

const folder = workFolder();
const path = join(folder, "queries.yaml");
const text = `# Queries of the site
parameters:
  least: 30
  name:
queries:
  - name: nodes
    query: nodes[count()] {}
    expect: { rows: 1 } # a comment
  - name: nodes by name
    query: nodes[count()] { certname ~ $name }
  - name: SQL
    sql: SELECT count(*) AS count FROM nodes HAVING count(*) > $least
`;

let server: Running;
beforeAll(async () => {
  writeFileSync(path, text);
  server = await startServer(["open", SAMPLE, "--no-browser", "--port", "0"]);
});
afterAll(() => server.stop());

/** What a script says, its answers as lines of JSON. */
const said = async (lines: readonly string[], ...source: readonly string[]): Promise<Run> =>
  census(["shell", ...(source.length === 0 ? [SAMPLE] : source), "--output", "ndjson"], { input: lines.join("\n") });

describe("a shell with saved queries", () => {
  it("lists and runs them, also with parameters", async () => {
    const run = await said([
      `\\i ${path}`,
      "\\run nodes",
      "\\run nodes by name name=^crane-",
      "\\run SQL",
      "\\run SQL least=40",
    ]);
    const lines = run.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);
    const counted = await said(['nodes[count()] { certname ~ "^crane-" }']);
    const crane = JSON.parse(counted.stdout) as { count: number };
    expect(crane.count).toBeGreaterThan(0);
    expect({ ...run, stdout: "" }).toStrictEqual({ code: 0, stdout: "", stderr: "" });
    expect(lines).toStrictEqual([
      { name: "nodes", expect: "1 row", language: "PQL", query: "nodes[count()] {}" },
      { name: "nodes by name", expect: null, language: "PQL", query: "nodes[count()] { certname ~ $name }" },
      { name: "SQL", expect: null, language: "SQL", query: "SELECT count(*) AS count FROM nodes HAVING count(*) > 30" },
      { count: 40 },
      crane,
      { count: 40 },
    ]);
  });

  it("runs them on a server", async () => {
    const run = await said([`\\i ${path}`, "\\run nodes"], "--url", server.url);
    expect(run.stdout.trimEnd().split("\n").at(-1)).toBe('{"count":40}');
  });

  it("appends the last query to the file, whose comments stay", async () => {
    const copy = join(folder, "copy.yaml");
    writeFileSync(copy, text);
    const query = 'nodes[certname]\n{ certname = "a: #b" }';
    const run = await said([
      `\\i ${copy}`,
      `${query};`,
      "\\save Two lines",
      "\\sql SELECT 1 AS one",
      "\\save One: #1",
      "\\run One: #1",
    ]);
    expect(run.code).toBe(0);
    const hint = 'unknown certname "a: #b"; census nodes --state any lists all\n';
    expect(run.stderr).toBe(`${hint}Saved in ${copy}\nSaved in ${copy}\n`);
    expect(run.stdout.trimEnd().split("\n").slice(-2)).toStrictEqual(['{"one":1}', '{"one":1}']);
    const after = readFileSync(copy, "utf8");
    expect(after.startsWith(text)).toBe(true);
    const { queries } = readQueryFile(copy, after);
    expect(queries.slice(3).map(({ name, language, text: saved }) => [name, language, saved])).toStrictEqual([
      ["Two lines", "PQL", query],
      ["One: #1", "SQL", "SELECT 1 AS one"],
    ]);
  });

  it("makes a file that does not exist when the first query is saved", async () => {
    const fresh = join(folder, "fresh.yaml");
    const opened = await said([`\\i ${fresh}`]);
    expect(opened).toStrictEqual({ code: 0, stdout: "", stderr: `${fresh} does not exist; \\save NAME makes it\n` });
    expect(existsSync(fresh)).toBe(false);
    expect((await said([`\\i ${fresh}`, "nodes[count()]{}", "\\save count"])).code).toBe(0);
    expect(readFileSync(fresh, "utf8")).toBe("queries:\n  - name: count\n    query: nodes[count()]{}\n");
  });

  it.each<[string[], string]>([
    [["\\i"], "no file of queries is loaded; load one with \\i FILE"],
    [["\\run nodes"], "no file of queries is loaded; load one with \\i FILE"],
    [["nodes[count()]{}", "\\save a"], "no file of queries is loaded; load one with \\i FILE"],
    [[`\\i ${path}`, "\\save a"], "\\save saves the last query; run one first"],
    [[`\\i ${path}`, "nodes[count()]{}", "\\save"], "\\save needs a name, e.g. \\save Failed nodes"],
    [[`\\i ${path}`, "nodes[count()]{}", "\\save nodes"], 'there is a query "nodes" already; choose another name'],
    [[`\\i ${path}`, "\\run nods"], 'unknown query "nods"; did you mean nodes?'],
    [[`\\i ${path}`, "\\run nodes by name"], "parameter name has no value; use \\run nodes by name name=VALUE"],
    [[`\\i ${path}`, "\\run SQL lest=3"], 'unknown parameter "lest"; did you mean least?'],
    [[`\\i ${path}`, "\\run SQL 3"], '\\run: a parameter needs NAME=VALUE, not "3"'],
    [[`\\i ${path}`, "\\run SQL least=a"], "parameter least is a number"],
    [[`\\i ${folder}`], "cannot be read: EISDIR"],
  ])("reports the error in %j", async (lines, message) => {
    const run = await said(lines);
    expect(run.code).toBe(1);
    expect(run.stderr).toContain(message);
    expect(readFileSync(path, "utf8")).toBe(text);
  });

  it("reports that a server does not allow SQL", async () => {
    const run = await said([`\\i ${path}`, "\\run SQL"], "--url", server.url);
    expect(run).toMatchObject({ code: 1 });
    expect(run.stderr).toContain("Set allow-sql = true in section [census]");
  });

  it("completes their names", async () => {
    const none = {} as SourceCatalogue;
    const complete = async (line: string): Promise<unknown> =>
      completeLine("", line, none, () => ["Few nodes", "Many"]);
    expect(await complete("\\run F")).toStrictEqual([["Few nodes"], "F"]);
    expect(await complete("\\run ")).toStrictEqual([["Few nodes", "Many"], ""]);
    expect(await complete("\\r")).toStrictEqual([["\\run"], "\\r"]);
  });
});
