import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, describe, it } from "vitest";
import { census, SAMPLE, workFolder } from "./census.ts";

const folder = workFolder();

describe("census sql", () => {
  it("asks an archive, named by a word or an option, or on stdin", async () => {
    const statement = "SELECT status, count(*) AS count FROM reports WHERE type = 'agent' GROUP BY ALL ORDER BY ALL";
    const run = await census(["sql", statement, SAMPLE]);
    expect(run).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(run.stdout)).toStrictEqual([
      { status: "changed", count: expect.any(Number) as number },
      { status: "failed", count: expect.any(Number) as number },
      { status: "unchanged", count: expect.any(Number) as number },
    ]);
    expect(await census(["sql", statement, "--archive", SAMPLE])).toStrictEqual(run);
    expect(await census(["sql", "-", SAMPLE], { input: `${statement};\n-- that is all\n` })).toStrictEqual(run);
  });

  it("asks a data directory, and writes what every answer can be written as", async () => {
    const data = join(folder, "data");
    await census(["import", SAMPLE, "--data", data]);
    const out = join(folder, "answer.csv");
    const run = await census(["sql", "SELECT count(*) AS nodes FROM nodes", data, "--out", out]);
    expect(run).toStrictEqual({ code: 0, stdout: "", stderr: "" });
    expect(readFileSync(out, "utf8")).toBe("nodes\n40\n");
  });

  it("describes the views without a source", async () => {
    const all = JSON.parse((await census(["sql", "--describe"])).stdout) as { view: string }[];
    expect(all.map(({ view }) => view)).toContain("fact_contents");
    const { stdout } = await census(["sql", "--describe", "facts", "--output", "csv"]);
    expect(stdout).toBe("column,type\ncertname,VARCHAR\nenvironment,VARCHAR\nname,VARCHAR\nvalue,JSON\n");
  });

  it.each<[words: string[], code: number, line: string]>([
    [["SELECT 1"], 2, "sql: missing source; use --archive or --data, or query a server with census query"],
    [
      ["SELECT 1", "http://db"],
      2,
      "sql: a server accepts only PQL and AST; use census query, or export an archive of it",
    ],
    [["SELECT 1", SAMPLE, "--data", "x"], 2, `sql: ${JSON.stringify(SAMPLE)} and --data cannot be used together`],
    [["--archive", SAMPLE], 2, "sql: missing argument STATEMENT; see census sql --help"],
    [["SELECT * FROM nods", SAMPLE], 2, 'there is no view "nods"; nodes is the closest (line 1, at "nods")'],
    [["DROP VIEW nodes", SAMPLE], 2, "SQL may only read: one SELECT, and nothing else"],
    [["SELECT count(*) FROM range(9999999999999)", SAMPLE, "--timeout", "0.1"], 1, "the query took longer than 0.1 s"],
    [["SELECT 1", SAMPLE, "--timeout", "soon"], 2, '--timeout must be a number of seconds above 0, not "soon"'],
    [["--describe", "fact"], 2, 'sql: unknown view "fact"; did you mean facts?'],
  ])("%j is told in one line", async (words, code, line) => {
    expect(await census(["sql", ...words])).toStrictEqual({ code, stdout: "", stderr: `census: ${line}\n` });
  });
});
