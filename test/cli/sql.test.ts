import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, describe, it } from "vitest";
import { census, SAMPLE, startServer, workFolder } from "./census.ts";

const folder = workFolder();

describe("census sql", () => {
  it("queries an archive, given as an argument, as an option or on stdin", async () => {
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

  it("queries a data directory, in every layout", async () => {
    const data = join(folder, "data");
    await census(["import", SAMPLE, "--data", data]);
    const out = join(folder, "answer.csv");
    const run = await census(["sql", "SELECT count(*) AS nodes FROM nodes", data, "--out", out]);
    expect(run).toStrictEqual({ code: 0, stdout: "", stderr: "" });
    expect(readFileSync(out, "utf8")).toBe("nodes\n40\n");
  });

  it("queries a server that allows it, with the rows of the archive", async () => {
    const data = join(folder, "served");
    await census(["import", SAMPLE, "--data", data]);
    const server = await startServer(["serve", "--data", data, "--port", "0", "--allow-sql"]);
    try {
      const statement = "SELECT certname, count(*) AS facts FROM facts GROUP BY ALL ORDER BY ALL";
      const words = ["sql", statement, "--inactive"];
      const run = await census([...words, "--url", server.url]);
      expect(run).toStrictEqual(await census([...words, "--archive", SAMPLE]));
      expect(JSON.parse(run.stdout)).toContainEqual({
        certname: "berth-0024.tollhouse.saltmarsh.example",
        facts: expect.any(Number) as number,
      });
      expect(await census([...words, server.url])).toStrictEqual(run);
      const unknown = "SELECT certname FROM facts WHERE name = 'kernl'";
      const hint = 'unknown fact "kernl"; did you mean kernel?\n';
      expect(await census(["sql", unknown, "--url", server.url])).toStrictEqual({
        code: 0,
        stdout: "[]\n",
        stderr: hint,
      });
      const wrong = await census(["sql", "FROM nods", "--url", server.url]);
      expect(wrong).toStrictEqual({
        code: 2,
        stdout: "",
        stderr: 'census: there is no view "nods"; nodes is the closest (line 1, at "nods")\n',
      });
      const late = ["sql", "SELECT count(*) FROM range(9999999999999)", "--url", server.url, "--timeout", "0.5"];
      expect(await census(late)).toMatchObject({ code: 1, stderr: "census: the query took longer than 0.5 s\n" });
    } finally {
      await server.stop();
    }
  });

  it("names an alternative if a server does not allow SQL or does not support it", async () => {
    const server = await startServer(["open", SAMPLE, "--no-browser", "--port", "0"]);
    const puppetdb = createServer((_, response) => response.writeHead(302, { location: "/pdb/dashboard" }).end());
    puppetdb.listen(0, "127.0.0.1");
    await once(puppetdb, "listening");
    try {
      const off = await census(["sql", "SELECT 1", "--url", server.url]);
      expect(off).toMatchObject({ code: 1, stdout: "" });
      expect(off.stderr).toContain("Set allow-sql = true in section [census]");
      expect(off.stderr).toContain("census sql on an export or a backup");
      const { port } = puppetdb.address() as AddressInfo;
      const none = await census(["sql", "SELECT 1", "--url", `http://127.0.0.1:${port}`]);
      expect(none).toMatchObject({ code: 1, stdout: "" });
      expect(none.stderr).toContain("does not answer SQL: it is PuppetDB or an older Census; query it in PQL or AST");
    } finally {
      await server.stop();
      puppetdb.close();
    }
  });

  it("describes the views without a source", async () => {
    const all = JSON.parse((await census(["sql", "--describe"])).stdout) as { view: string }[];
    expect(all.map(({ view }) => view)).toContain("fact_contents");
    const { stdout } = await census(["sql", "--describe", "facts", "--output", "csv"]);
    expect(stdout).toBe("column,type\ncertname,VARCHAR\nenvironment,VARCHAR\nname,VARCHAR\nvalue,JSON\n");
  });

  it.each<[words: string[], code: number, line: string]>([
    [
      ["SELECT 1", "http://db", "--now", "2026-01-01"],
      2,
      "sql: --now needs an archive or a data directory; a server has its own clock",
    ],
    [["SELECT 1", SAMPLE, "--data", "x"], 2, `sql: ${JSON.stringify(SAMPLE)} and --data cannot be used together`],
    [["--archive", SAMPLE], 2, "sql: missing argument STATEMENT; see census sql --help"],
    [["SELECT * FROM nods", SAMPLE], 2, 'there is no view "nods"; nodes is the closest (line 1, at "nods")'],
    [["DROP VIEW nodes", SAMPLE], 2, "SQL may only read: one SELECT, and nothing else"],
    [["SELECT count(*) FROM range(9999999999999)", SAMPLE, "--timeout", "0.1"], 1, "the query took longer than 0.1 s"],
    [["SELECT 1", SAMPLE, "--timeout", "soon"], 2, '--timeout must be a number of seconds above 0, not "soon"'],
    [["--describe", "fact"], 2, 'sql: unknown view "fact"; did you mean facts?'],
  ])("reports the error of %j in one line", async (words, code, line) => {
    expect(await census(["sql", ...words])).toStrictEqual({ code, stdout: "", stderr: `census: ${line}\n` });
  });
});
