import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { census, SAMPLE, workFolder } from "../census.ts";

const folder = workFolder();
const file = join(folder, "answer.csv");

/** What a script says about the sample archive. */
async function said(script: string, ...words: string[]) {
  return census(["shell", SAMPLE, ...words], { input: script });
}

describe("a script", () => {
  it("is run query by query: several lines, AST, comments, commands of the shell", async () => {
    const script = [
      "# how many there are",
      "\\format csv",
      "nodes[count()]",
      "{",
      "};",
      "",
      '["from", "nodes",',
      '  ["extract", ["certname"], ["~", "certname", "^crane-0011"]]]',
      "\\sql SELECT count(*) AS count FROM nodes",
    ].join("\n");
    expect(await said(script)).toStrictEqual({
      code: 0,
      stdout: "count\n40\ncertname\ncrane-0011.tollhouse.saltmarsh.example\ncount\n40\n",
      stderr: "",
    });
  });

  it.each<[string, string, string]>([
    ["nodes[count()]{}\n\nnodes{ certname = }\nnodes{}", "line 3", "where a value is expected"],
    ["nodes[count()]{}\n\n\nnodes{\n nosuch = 1\n}", "line 4", "'nosuch' is not a queryable object"],
    ["nodes[count()]{}\n\\frmat csv", "line 2", "unknown command \\frmat; did you mean \\format?"],
    ["nodes[count()]{}\n\\format xml", "line 2", "needs one of table, csv"],
    ["nodes[count()]{}\n\\d nods", "line 2", 'unknown entity "nods"; did you mean nodes'],
    ["nodes[count()]{}\n\\sql SELECT certnam FROM nodes", "line 2", 'there is no column "certnam"'],
    ["nodes[count()]{}\nselect certname from nodes", "line 2", "a query in SQL begins with \\sql: \\sql SELECT"],
    ["nodes[count()]{}\n\\sql", "line 2", "needs a SELECT"],
    ["nodes[count()]{}\n\\explain", "line 2", "needs a query"],
    ["nodes[count()]{}\n\\source no-such-file", "line 2", "no-such-file: no such file or directory"],
    ["nodes[count()]{}\n\\o /no/such/folder/x", "line 2", "cannot be written"],
    ["nodes[count()]{}\nnodes{ limit", "line 2", "The query ends"],
  ])("%j ends at its first error, in %s", async (script, place, mistake) => {
    const { code, stdout, stderr } = await said(script);
    expect({ code, stdout }).toStrictEqual({ code: 1, stdout: '[\n{"count":40}\n]\n' });
    expect(stderr).toMatch(/^census: shell: [^\n]+\n$/);
    expect(stderr).toContain(`census: shell: ${place}: `);
    expect(stderr).toContain(mistake);
  });

  it("ends at the command \\q", async () => {
    expect(await said("\\q\nnodes{}")).toStrictEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("writes to a file, and to stdout again", async () => {
    const script = `\\format csv\n\\o ${file}\nnodes[count()]{}\n\\o\nfacts[count()]{ name = "kernel" }\n`;
    const { code, stdout } = await said(script);
    expect(code).toBe(0);
    expect(readFileSync(file, "utf8")).toBe("count\n40\n");
    expect(stdout).toMatch(/^count\n\d+\n$/);
  });

  it("writes a file in the layout of its extension, unless another one is chosen", async () => {
    const [csv, markdown, other] = ["by-ending.csv", "by-ending.md", "by-ending.txt"].map((name) => join(folder, name));
    const query = "nodes[count()]{}";
    const script = [`\\o ${csv}`, query, `\\o ${markdown}`, query, "\\format ndjson", query];
    const { code, stdout, stderr } = await said([...script, `\\o ${other}`, query, "\\o", query].join("\n"));
    expect({ code, stdout, stderr }).toStrictEqual({ code: 0, stdout: '{"count":40}\n', stderr: "" });
    const written = [csv, markdown, other].map((path) => readFileSync(path ?? "", "utf8"));
    expect(written).toStrictEqual(["count\n40\n", '| count |\n| --- |\n| 40 |\n{"count":40}\n', '{"count":40}\n']);
  });

  it.each([
    ["x.weird", ".weird"],
    ["x.csv.gz", ".gz"],
  ])("refuses a file with an unknown ending unless a format was chosen: %s", async (name, ending) => {
    const path = join(folder, name);
    const { code, stderr } = await said(`\\o ${path}\nnodes[count()]{}`);
    expect(code).toBe(1);
    expect(stderr).toContain(
      `\\o ${path}: unknown extension ${ending}; use one of .xlsx, .parquet, .html, .md, .ndjson, .json, .tsv, .csv, .jsonl, or choose one with \\format first`,
    );
    expect(existsSync(path)).toBe(false);
    expect(await said(`\\o ${path}\nnodes[count()]{}`, "--output", "csv")).toMatchObject({ code: 0 });
    expect(readFileSync(path, "utf8")).toBe("count\n40\n");
    rmSync(path);
  });

  it("refuses to write Parquet", async () => {
    const { code, stderr } = await said(`\\o ${join(folder, "x.parquet")}\n`);
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("census query --out") as string,
    });
  });

  it.each(["exit", "quit", " quit ; "])("ends at the word %j", async (word) => {
    expect(await said(`${word}\nnodes{}`)).toStrictEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("lists its commands at the word help", async () => {
    const { code, stdout } = await said("help\n", "--output", "csv");
    expect({ code, first: stdout.split("\n")[0] }).toStrictEqual({ code: 0, first: "command,description" });
    expect(stdout).toContain("\\timing");
  });

  it("shows rows as blocks of lines, and for how long it took", async () => {
    const script = '\\x\n\\timing\nnodes[certname, expired]{ certname ~ "^crane-0011" }\n';
    const { stdout, stderr } = await said(script, "--output", "table");
    expect(stdout).toMatch(/│ certname │ crane-0011\.tollhouse\.saltmarsh\.example │\n│ expired  │ +│\n/);
    expect(stderr).toMatch(/^Showing one block of lines per row\nQuery times are on\n1 row\nTime: \d+\.\d ms\n$/);
  });

  it("describes entities and queries", async () => {
    const { stdout } = await said("\\d nodes\n\\explain nodes[certname]{ certname = 'x' }\n", "--output", "ndjson");
    expect(stdout).toContain('{"field":"certname","type":"string","use":"output and conditions"}\n');
    expect(stdout).toContain('{"related":"facts","by":"certname = certname"}\n');
    expect(stdout).toContain('AST\n  ["from","nodes",["extract",["certname"],["=","certname","x"]]]\n');
    expect(stdout).toMatch(/\nSQL\n {2}SELECT [^\n]+\n {2}\$1 = "x"\n\{"operator":/);
  });

  it("changes the source", async () => {
    const { code, stderr } = await said(`\\source\n\\source http://127.0.0.1:1\n\\source\n\\sql SELECT 1\n`);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /sample\.tgz\nSource: http:\/\/127\.0\.0\.1:1\nSource: http:\/\/127\.0\.0\.1:1\n.*connection refused/,
    );
  });
});
