import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { populatedStore } from "#test/fixture-store.ts";
import { serve, type Served } from "../fixture-service.ts";
import { apiPath } from "./api-path.ts";

const link = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

let served: Served;
const folder = mkdtempSync(join(tmpdir(), "census-rows-"));

beforeAll(async () => {
  served = await serve(await populatedStore());
});

afterAll(async () => {
  await served.close();
  rmSync(folder, { recursive: true });
});

const path = (parameters: Record<string, string | readonly string[]>): string => apiPath("rows", parameters);

describe("the endpoint of rows", () => {
  const query = "nodes[latest_report_status, certname]{ order by certname }";

  it.each([
    [
      "csv",
      "csv",
      "text/csv;charset=utf-8",
      "latest_report_status,certname\nchanged,alpha\nfailed,beta\n,epsilon\nunchanged,gamma\n",
    ],
    [
      "csv-safe",
      "csv",
      "text/csv;charset=utf-8",
      "latest_report_status,certname\nchanged,alpha\nfailed,beta\n,epsilon\nunchanged,gamma\n",
    ],
    [
      "tsv",
      "tsv",
      "text/tab-separated-values;charset=utf-8",
      "latest_report_status\tcertname\nchanged\talpha\nfailed\tbeta\n\tepsilon\nunchanged\tgamma\n",
    ],
    ["names", "txt", "text/plain;charset=utf-8", "changed\nfailed\n\nunchanged\n"],
    [
      "json",
      "json",
      "application/json;charset=utf-8",
      '[\n{"latest_report_status":"changed","certname":"alpha"},\n{"latest_report_status":"failed","certname":"beta"},\n{"latest_report_status":null,"certname":"epsilon"},\n{"latest_report_status":"unchanged","certname":"gamma"}\n]\n',
    ],
    [
      "ndjson",
      "ndjson",
      "application/x-ndjson;charset=utf-8",
      '{"latest_report_status":"changed","certname":"alpha"}\n{"latest_report_status":"failed","certname":"beta"}\n{"latest_report_status":null,"certname":"epsilon"}\n{"latest_report_status":"unchanged","certname":"gamma"}\n',
    ],
    [
      "markdown",
      "md",
      "text/markdown;charset=utf-8",
      "| latest_report_status | certname |\n| --- | --- |\n| changed | alpha |\n| failed | beta |\n|  | epsilon |\n| unchanged | gamma |\n",
    ],
  ])("writes %s with the columns in the order of the query", async (format, extension, type, text) => {
    const answer = await served.get(path({ query, format, name: "nodes" }), link);
    expect(answer.status).toBe(200);
    expect(answer.text).toBe(text);
    expect(answer.headers["content-type"]).toBe(type);
    expect(answer.headers["content-disposition"]).toBe(`attachment; filename="nodes-2026-11-21.${extension}"`);
    expect(answer.headers["x-content-type-options"]).toBe("nosniff");
  });

  it("writes a page that says what it is about", async () => {
    const answer = await served.get(path({ query, format: "html", name: "nodes" }), link);
    expect(answer.headers["content-type"]).toBe("text/html;charset=utf-8");
    expect(answer.headers["content-disposition"]).toBe('attachment; filename="nodes-2026-11-21.html"');
    expect(answer.text).toContain("<h1>nodes</h1>");
    expect(answer.text).toContain(`<pre>${query}</pre>`);
    expect(answer.text).toMatch(/<dt>Time<\/dt><dd>2026-11-21 \d\d:\d\d:\d\d UTC<\/dd>/);
    expect(answer.text.match(/<td class="s">(?:alpha|beta|epsilon|gamma)<\/td>/g)).toHaveLength(4);
  });

  it("writes Parquet with the types of the columns, and leaves no file behind", async () => {
    const before = uploads();
    const parquet = 'facts[certname, value]{ name = "uptime" and value > 1 order by certname }';
    const file = join(folder, "rows.parquet");
    writeFileSync(file, await bytesOf(path({ query: parquet, format: "parquet" })));
    const connection = await (await DuckDBInstance.create()).connect();
    const found = await connection.runAndReadAll(`SELECT * FROM '${file}'`);
    expect(found.columnNames()).toEqual(["certname", "value"]);
    expect(found.getRowsJson()).toEqual([
      ["alpha", 10],
      ["gamma", 4.5],
    ]);
    connection.closeSync();
    expect(uploads()).toEqual(before);
  });

  it("writes Excel's format, or says that it cannot", async () => {
    const { status, headers } = await served.get(
      path({ query: "nodes[certname]{}", format: "xlsx", name: "nodes" }),
      link,
    );
    expect({ status, ...headers }).toMatchObject({
      status: 200,
      "content-type": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
      "content-disposition": 'attachment; filename="nodes-2026-11-21.xlsx"',
    });
  });

  it.each([
    ["csv", "certname,deactivated\n"],
    ["csv-safe", "certname,deactivated\n"],
    ["tsv", "certname\tdeactivated\n"],
    ["names", ""],
    ["json", "[]\n"],
    ["ndjson", ""],
    ["markdown", "| certname | deactivated |\n| --- | --- |\n"],
    ["parquet", "PAR1"],
  ])("writes the columns of %s when there are no rows", async (format, text) => {
    const bytes = await bytesOf(path({ query: 'nodes[certname, deactivated]{ certname = "nobody" }', format }));
    expect(bytes.subarray(0, format === "parquet" ? 4 : bytes.length).toString()).toBe(text);
  });

  it("finds the columns of queries without projection, of bare values and of groups", async () => {
    expect(await header("environments{}")).toBe("name");
    expect(await header('["from", "fact_names"]')).toBe("value");
    expect(await header("reports[status, count()]{ group by status }")).toBe("status,count");
    expect(await header('["from", "catalog_input_contents"]')).toBe(
      "certname,producer_timestamp,catalog_uuid,type,name",
    );
  });

  it("orders reports by duration, which reports have where it is named, and counts all on request", async () => {
    const ordered = "reports[hash, start_time, end_time, duration]{ order by duration desc, hash limit 3 }";
    const answer = await served.get(path({ query: ordered, format: "json", include_total: "true" }));
    const all = JSON.parse((await served.get(path({ query: "reports{}", format: "json" }))).text) as Run[];
    expect(all[0]).not.toHaveProperty("duration");
    const seconds = ({ start_time, end_time }: Run): number => (Date.parse(end_time) - Date.parse(start_time)) / 1000;
    const longest = all.map(seconds).sort((one, other) => other - one);
    expect((JSON.parse(answer.text) as (Run & { duration: number })[]).map(({ duration }) => duration)).toEqual(
      longest.slice(0, 3).map((each) => expect.closeTo(each, 3) as number),
    );
    expect(answer.headers["x-records"]).toBe(String(all.length));
    const queried = await served.get(`/pdb/query/v4?${new URLSearchParams({ query: ordered }).toString()}`);
    expect(JSON.parse(queried.text)).toEqual(JSON.parse(answer.text));
  });

  it("has the columns that a table shows, in their order, and sorts by any of them", async () => {
    const table = {
      query: "nodes{}",
      format: "csv",
      column: ["certname", "state", "events.failure", "facts.uptime", "catalogs.environment"],
    };
    const text = async (more: Record<string, string | readonly string[]>): Promise<string[]> =>
      (await served.get(path({ ...table, ...more }))).text.trim().split("\n");
    const [head, ...sorted] = await text({ sort: ["-facts.uptime", "certname"] });
    expect(head).toBe(table.column.join(","));
    const values = sorted.map((line) => line.split(","));
    // Numbers by size, and nodes without the fact last, in either direction.
    const facts = await served.get(
      path({ query: 'facts[certname, value]{ name = "uptime" order by value desc }', format: "csv" }),
    );
    const known = facts.text.trim().split("\n").slice(1);
    expect(values.flatMap(([name, , , value]) => (value === "" ? [] : [`${name},${value}`]))).toEqual(known);
    expect(values.findIndex(([, , , value]) => value === "")).toBe(known.length);
    const events = await served.get(
      path({
        query: 'events[certname, count()]{ latest_report? = true and status = "failure" group by certname }',
        format: "csv",
      }),
    );
    expect(values.flatMap(([name, , count]) => (count === "0" ? [] : [`${name},${count}`])).sort()).toEqual(
      events.text.trim().split("\n").slice(1).sort(),
    );
    // The most urgent state first; a node that never reported is the last.
    const [, first] = await text({ sort: ["-state", "certname"], limit: "1" });
    expect(first).toMatch(/^epsilon,never,/);
    expect(await text({ sort: "certname", limit: "1", offset: "1" })).toEqual([head, expect.stringMatching(/^beta,/)]);
  });

  it.each([
    ["an unknown column", { column: "nope" }, "'nope' is not a queryable object for nodes"],
    ["a column twice", { column: ["certname", "certname"] }, "a column twice"],
    ["an unknown order", { column: "certname", sort: "nope" }, "'nope' is not a queryable object for nodes"],
    [
      "a query with columns of its own",
      { column: "certname", query: "nodes[certname]{}" },
      "leave out the list of fields",
    ],
    ["a limit without columns", { limit: "1" }, "parameter 'limit' needs 'column'"],
  ])("refuses %s", async (_, parameters, message) => {
    const answer = await served.get(path({ query: "nodes{}", format: "csv", ...parameters }), link);
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(message)]);
  });

  it("returns the same file for a POST", async () => {
    const body = JSON.stringify({ query, format: "csv" });
    const posted = await served.send("POST", apiPath("rows"), body, { "content-type": "application/json" });
    expect(posted.text).toBe((await served.get(path({ query, format: "csv" }))).text);
  });

  it("returns the headers of the file or the error for HEAD", async () => {
    const right = await served.send("HEAD", path({ query, format: "csv" }));
    expect(right).toMatchObject({ status: 200, text: "" });
    expect(right.headers["content-disposition"]).toContain("rows-2026-11-21.csv");
    expect((await served.send("HEAD", path({ query: "nodes{", format: "csv" }))).status).toBe(400);
  });

  it.each([
    ['../../etc/passwd"\r\nx: y', "-etc-passwd-x-y"],
    ["", "rows"],
    ["ü€", "-"],
    ["a".repeat(200), "a".repeat(80)],
  ])("replaces harmful characters in the name of the file: %j", async (name, file) => {
    const answer = await served.get(path({ query, format: "csv", name }));
    expect(answer.headers["content-disposition"]).toBe(`attachment; filename="${file}-2026-11-21.csv"`);
  });

  it.each([
    ["no query", { format: "csv" }, "parameter 'query' is missing"],
    ["no format", { query: "nodes{}" }, "parameter 'format' is missing"],
    [
      "an unknown format",
      { query: "nodes{}", format: "docx" },
      "parameter 'format' must be one of csv, csv-safe, tsv, json",
    ],
    [
      "a word for true or false",
      { query: "nodes{}", format: "csv", include_total: "perhaps" },
      "parameter 'include_total' must be true or false",
    ],
    ["an unknown field", { query: "nodes[nope]{}", format: "csv" }, "Can't extract unknown 'nodes' field 'nope'"],
    [
      "an error that only the data reveal",
      { query: "facts[sum(value)]{ group by name }", format: "csv" },
      "takes numbers",
    ],
    ["the same in Parquet", { query: "facts[sum(value)]{ group by name }", format: "parquet" }, "takes numbers"],
  ])("refuses %s before the first byte", async (_, parameters, message) => {
    const answer = await served.get(path(parameters), link);
    expect(answer.status).toBe(400);
    expect(answer.headers["content-type"]).toBe("text/plain;charset=utf-8");
    expect(answer.text).toContain(message);
  });
});

interface Run {
  readonly start_time: string;
  readonly end_time: string;
}

async function header(query: string): Promise<string | undefined> {
  return (await served.get(path({ query, format: "csv" }))).text.split("\n")[0];
}

function uploads(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith(`census-upload-${process.pid}-`));
}

async function bytesOf(target: string): Promise<Buffer> {
  const response = await fetch(`${served.url}${target}`);
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}
