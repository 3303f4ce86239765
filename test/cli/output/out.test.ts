import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, watch, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, it } from "vitest";
import { writeTextAtomically } from "#cli/output/atomic-file.ts";
import { withoutRoot } from "#test/without-root.ts";
import { census, SAMPLE, start, startServer, workFolder } from "../census.ts";

const folder = workFolder();
const query = "nodes[certname, latest_report_status] { order by certname limit 3 }";
const queryWith = (...words: string[]): string[] => ["query", query, "--archive", SAMPLE, ...words];
const place = (name: string): string => join(folder, name);

async function parquetRows(path: string): Promise<unknown> {
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  return (await connection.runAndReadAll(`SELECT * FROM read_parquet('${path}')`)).getRowObjectsJson();
}

describe("--out", () => {
  it.each<[ending: string, begin: RegExp]>([
    ["json", /^\[\n\{"certname":/],
    ["ndjson", /^\{"certname":/],
    ["jsonl", /^\{"certname":/],
    ["csv", /^certname,latest_report_status\n/],
    [
      "html",
      /^<!doctype html>\n<html[^]*<title>Census query<\/title>[^]*<dd>sample.tgz<\/dd>[^]*<p class="note">3 rows/,
    ],
    ["md", /^\| certname \| latest_report_status \|\n/],
    ["PARQUET", /^PAR1/],
    ["xlsx", /^PK/],
  ])("chooses the layout by the extension .%s", async (ending, begin) => {
    const path = place(`answer.${ending}`);
    expect(await census(queryWith("--out", path))).toStrictEqual({ code: 0, stdout: "", stderr: "" });
    expect(readFileSync(path, "latin1")).toMatch(begin);
  });

  it("prefers the requested layout to the extension's, and cuts no value", async () => {
    const path = place("table.csv");
    await census(queryWith("--out", path, "--output", "table"));
    expect(readFileSync(path, "utf8")).toMatch(/^┌─+┬─+┐\n│ certname +│ latest_report_status │\n/);
  });

  it("writes the same rows as Parquet and as JSON, also from a server", async () => {
    const { stdout } = await census(queryWith());
    const server = await startServer(["open", SAMPLE, "--port", "0"]);
    const path = place("server.parquet");
    const run = await census(["query", query, "--url", server.url, "--out", path]);
    await server.stop();
    expect(run).toStrictEqual({ code: 0, stdout: "", stderr: "" });
    expect(await parquetRows(path)).toStrictEqual(JSON.parse(stdout));
  });

  it.each(["old.csv", "old.parquet"])("does not change %s if the result is incomplete", async (name) => {
    const path = place(name);
    writeFileSync(path, "old");
    const server = createServer((_request, response) => response.end('[{"a":1},{"a"')).listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, stderr } = await census(["query", query, "--url", url, "--out", path]);
    server.close();
    expect(code).toBe(1);
    expect(stderr).toMatch(/^census: http:\/\/127\.0\.0\.1:\d+\S*: /);
    expect(readFileSync(path, "utf8")).toBe("old");
    expect(readdirSync(folder).filter((other) => other.endsWith(".part"))).toStrictEqual([]);
  });

  it("leaves no file when the program is interrupted", async () => {
    const own = place("interrupted");
    mkdirSync(own);
    const begun = new Promise((resolve) => {
      const watcher = watch(own, () => resolve(watcher.close()));
    });
    const child = start(["query", "resources{}", "--archive", SAMPLE, "--out", join(own, "all.json")]);
    child.stdin.end();
    const closed = once(child, "close");
    await begun;
    child.kill("SIGTERM");
    await closed;
    // It may have been finished before the signal came, but never half.
    const left = readdirSync(own);
    expect(left.filter((name) => name !== "all.json")).toStrictEqual([]);
    if (existsSync(join(own, "all.json"))) JSON.parse(readFileSync(join(own, "all.json"), "utf8"));
  });

  it("creates a file with the permissions of the user's umask", async () => {
    const path = place("mode.csv");
    await census(queryWith("--out", path));
    expect(statSync(path).mode & 0o777).toBe(0o666 & ~process.umask());
  });

  it("writes to a pipe or device directly", async () => {
    const { stdout } = await census(queryWith("--output", "csv"));
    const pipe = place("pipe");
    execFileSync("mkfifo", [pipe]);
    const reader = spawn("cat", [pipe]);
    const [run, read] = await Promise.all([census(queryWith("--out", pipe, "--output", "csv")), text(reader.stdout)]);
    expect(run).toStrictEqual({ code: 0, stdout: "", stderr: "" });
    expect(read).toBe(stdout);
  });

  it("writes a file of any name if --output is given", async () => {
    const path = place("answer.txt");
    expect(await census(queryWith("--out", path, "--output", "csv"))).toStrictEqual({
      code: 0,
      stdout: "",
      stderr: "",
    });
    expect(readFileSync(path, "utf8")).toMatch(/^\w+(?:,\w+)*\n/);
  });

  it.each<[words: string[], code: number, line: RegExp]>([
    [
      ["--out", "/no/such/folder/x.csv"],
      1,
      /^census: \/no\/such\/folder\/x\.csv: cannot be written: no such directory$/,
    ],
    [["--out", folder], 1, /: cannot be written: is a directory$/],
    [
      ["--out", join(folder, "answer.docx")],
      2,
      /: unknown extension \.docx; use one of \.xlsx, \.parquet, \.html, \.md, \.ndjson, \.json, \.tsv, \.csv, \.jsonl, or add --output$/,
    ],
    [["--output", "parquet"], 2, /^census: --output parquet needs a file: --out FILE$/],
    [["--out", "/dev/null", "--output", "parquet"], 2, /^census: --out \/dev\/null: Parquet needs a regular file$/],
  ])("reports the error of %j in one line", async (words, code, line) => {
    const run = await census(queryWith(...words));
    expect({ code: run.code, stdout: run.stdout }).toStrictEqual({ code, stdout: "" });
    expect(run.stderr.trimEnd()).toMatch(line);
  });

  it("names a folder that may not be written to", async () => {
    const locked = place("locked");
    mkdirSync(locked);
    chmodSync(folder, 0o755);
    chmodSync(locked, 0o555);
    const path = join(locked, "x.csv");
    const written = withoutRoot(() => writeTextAtomically(path, () => Promise.resolve()));
    await expect(written).rejects.toThrow(`${path}: cannot be written: permission denied`);
  });
});
