import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Running } from "#test/running.ts";
import { tgz } from "#test/storage/archive/build.ts";
import { facts, metadata } from "../archives.ts";
import { census, SAMPLE, startServer, workFolder } from "../census.ts";

const folder = workFolder();
const data = join(folder, "data");
let server: Running;

beforeAll(async () => {
  server = await startServer(["open", SAMPLE, "--port", "0"]);
  const { code, stderr } = await census(["import", SAMPLE, "--data", data]);
  if (code !== 0) throw new Error(stderr);
});
afterAll(async () => server.stop());

const stored = ["--data", data, "--now", "2026-11-20T12:00:00Z"];

it.each([
  ["an archive", (): string[] => ["--archive", SAMPLE]],
  ["a data directory", (): string[] => stored],
  ["a server", (): string[] => ["--url", server.url]],
])("names are looked up in %s", async (_what, source) => {
  const words = await census(["facts", "kernl", ...source()]);
  expect(words).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringContaining("did you mean kernel?") as string,
  });
  const query = await census(["query", 'facts { name = "kernl" }', ...source()]);
  expect(query).toStrictEqual({ code: 0, stdout: "[]\n", stderr: 'unknown fact "kernl"; did you mean kernel?\n' });
});

describe("a name that the source", () => {
  it.each<[words: string[], said: string]>([
    [
      ["facts", "berth-0042"],
      'facts: unknown certname or fact "berth-0042"; did you mean berth-0024.tollhouse.saltmarsh.example',
    ],
    [["facts", "--name", "os.famly"], 'facts: unknown fact "os.famly"; did you mean os.family?'],
    [["nodes", "--class", "chorny"], 'nodes: unknown class "chorny"; did you mean chrony'],
    [["reports", "--environment", "prodution"], 'reports: unknown environment "prodution"; did you mean production?'],
    [["events", "--resource", "Pakcage"], 'events: unknown resource type "Pakcage"; did you mean Package?'],
  ])("does not have is an error: %j", async (words, said) => {
    const { code, stdout, stderr } = await census([...words, ...stored]);
    expect({ code, stdout }).toStrictEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`census: ${said}`);
  });

  it.each<[query: string, hint: string]>([
    ['nodes { certname = "berth-0042" }', 'unknown certname "berth-0042"; did you mean berth-0024'],
    ['nodes[count()] { certname = "berth-0024" }', '"berth-0024" is short for berth-0024.tollhouse.saltmarsh.example;'],
    ['inventory { facts.os.famly = "Debian" }', 'unknown fact "os.famly"; did you mean os.family?'],
    [
      'nodes { resources { type = "Class" and title = "chrony" } }',
      'unknown resource "Class[chrony]"; did you mean Class[Chrony]?',
    ],
    ['reports { environment = "prodution" }', 'unknown environment "prodution"; did you mean production?'],
    [
      '["from", "package_inventory", ["=", "package_name", "opensll"]]',
      'unknown package "opensll"; did you mean openssl?',
    ],
  ])("does not have is named below the answer of a query: %s", async (query, hint) => {
    const { code, stdout, stderr } = await census(["query", query, "--output", "csv", ...stored]);
    expect({ code, count: stdout }).toStrictEqual({ code: 0, count: query.includes("count") ? "count\n0\n" : "" });
    expect(stderr).toContain(hint);
  });

  it("does not have is named in the shell and below an inventory", async () => {
    const { stdout, stderr } = await census(["shell", ...stored], { input: 'facts { name = "kernl" }\n' });
    expect([stdout, stderr]).toStrictEqual(["[]\n", 'unknown fact "kernl"; did you mean kernel?\n']);
    const inventory = await census(["inventory", 'nodes { certname = "berth-0042" }', "--format", "ssh", ...stored]);
    expect(inventory).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('unknown certname "berth-0042"') as string,
    });
  });

  it("does not have is named by a check, which passes as before", async () => {
    const file = join(folder, "names.yaml");
    writeFileSync(file, 'queries:\n- name: None is old\n  query: facts { name = "kernl" }\n  expect: no rows\n');
    const { code, stdout } = await census(["check", file, ...stored]);
    expect(code).toBe(0);
    expect(stdout).toContain('✔ None is old: 0 rows\n  unknown fact "kernl"; did you mean kernel?\n');
  });

  it("has under a short name is completed, of nodes and of reports", async () => {
    const run = await census(["events", "tankfarm-0004", "--status", "failure", ...stored]);
    expect(run).toMatchObject({ code: 0, stderr: "" });
    const [event] = JSON.parse(run.stdout) as { certname: string; report: string }[];
    expect(event?.certname).toBe("tankfarm-0004.ember-point.saltmarsh.example");
    const words = ["events", event?.report.slice(0, 8) ?? "", "--status", "failure"];
    expect((await census([...words, ...stored])).stdout).toBe(run.stdout);
  });
});

it("a name in a statement of SQL is named below the answer", async () => {
  const statement = "SELECT certname FROM facts WHERE name = 'kernl'";
  const expected = { code: 0, stdout: "[]\n", stderr: 'unknown fact "kernl"; did you mean kernel?\n' };
  expect(await census(["sql", statement, "--archive", SAMPLE])).toStrictEqual(expected);
});

it("a query whose names are known has no hint", async () => {
  const query = 'resources[certname] { type = "Class" and title = "Chrony" and certname ~ "^x" }';
  expect(await census(["query", query, "--archive", SAMPLE])).toStrictEqual({ code: 0, stdout: "[]\n", stderr: "" });
});

it("a filter that nothing matches is no error if its names are known", async () => {
  const words = ["nodes", "--environment", "production", "--class", "chrony", "--silent", "30d", "--archive", SAMPLE];
  expect(await census(words)).toStrictEqual({ code: 0, stdout: "[]\n", stderr: "" });
});

it.each([
  [["nodes", "--fact", "os.family=Debain"], 'no node has "Debain" as os.family; did you mean Debian?'],
  [["nodes", "--fact", "kernel=zzz"], 'no node has "zzz" as kernel; census facts --name kernel --count lists all'],
  [
    ["events", "berth-0024"],
    "the latest run of berth-0024.tollhouse.saltmarsh.example (unchanged, 2026-11-20T11:49:59.107Z) has no events; --since 7d shows those of earlier runs",
  ],
  [["events", "bastion-0007"], "bastion-0007.north-quay.saltmarsh.example has never reported"],
  [["search", "chrny"], 'nothing contains "chrny"; did you mean chrony?'],
])("an answer without rows says why: %j", async (words, said) => {
  const run = await census([...words, "--archive", SAMPLE]);
  expect(run).toStrictEqual({ code: 0, stdout: "[]\n", stderr: `${said}\n` });
});

async function certnamesOf(query: string): Promise<string[]> {
  const { stdout } = await census(["query", query, "--output", "csv", "--archive", SAMPLE]);
  return stdout.split("\n").slice(1, -1);
}

it("a table of failures names the nodes that failed before there were events", async () => {
  const failed = await certnamesOf('nodes[certname] { latest_report_status = "failed" order by certname }');
  const withEvent = await certnamesOf('events[certname] { latest_report? = true and status = "failure" }');
  const others = failed.filter((certname) => !withEvent.includes(certname));
  expect(others).toHaveLength(2);
  const { stderr } = await census(["events", "--output", "table", "--archive", SAMPLE]);
  expect(stderr).toBe(
    `4 rows\n2 nodes failed without a failed event; census node NAME says why: ${others.join(", ")}\n`,
  );
});

it("the error for an archive without packages says how they are collected", async () => {
  const archive = join(folder, "small.tgz");
  writeFileSync(archive, await tgz([metadata, facts("web-01", '{"kernel": "Linux"}')]));
  const { code, stdout, stderr } = await census(["packages", "openssl", "--archive", archive]);
  expect({ code, stdout }).toStrictEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/^census: packages: the source contains no packages\. .*package_inventory_enabled/);
});

it("a table omits reports of plans and prints their number", async () => {
  const { code, stderr } = await census(["reports", "--limit", "2", "--output", "table", "--archive", SAMPLE]);
  expect(code).toBe(0);
  expect(stderr).toBe(
    `2 of 452 rows\n4 reports of plans not shown; census query 'reports{ type = "plan" }' lists them\n`,
  );
  const narrowed = ["reports", "--since", "1m", "--output", "table", "--archive", SAMPLE];
  expect((await census(narrowed)).stderr).not.toContain("plans");
});
