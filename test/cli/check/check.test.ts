import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readQueryFile } from "#storage/saved-queries/read.ts";
import { program } from "#test/program.ts";
import type { Running } from "#test/running.ts";
import {
  type ArchiveDocuments,
  archiveDocuments,
  certnamesOf,
  isHiddenFailure,
  latestReports,
  writePopulation,
} from "../archive-documents.ts";
import { census, type Run, SAMPLE, startServer, workFolder } from "../census.ts";

const folder = workFolder();
const older = join(folder, "older.tgz");
const sampleChecks = fileURLToPath(new URL("../../../fixtures/checks.yaml", import.meta.url));

let documents: ArchiveDocuments;
let olderDocuments: ArchiveDocuments;
let server: Running;

beforeAll(async () => {
  // The same nodes a day before: other runs.
  await writePopulation(older, { nodes: 40, seed: 7, reportsPerNode: 3, baseTime: "2026-11-19T12:00:00.000Z" });
  documents = await archiveDocuments(SAMPLE);
  olderDocuments = await archiveDocuments(older);
  server = await startServer(["open", SAMPLE, "--no-browser", "--port", "0"]);
});
afterAll(() => server.stop());

function file(name: string, ...lines: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
}

interface CheckJson {
  readonly name: string;
  readonly status: string;
  readonly found: string | null;
  readonly count: number | null;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

async function checked(...words: readonly string[]): Promise<{ run: Run; checks: readonly CheckJson[] }> {
  const run = await census(["check", ...words, "--format", "json"]);
  expect(run.stderr).toBe("");
  return { run, checks: (JSON.parse(run.stdout) as { checks: CheckJson[] }).checks };
}

const failedNodes = (from: ArchiveDocuments): string[] =>
  latestReports(from)
    .filter(({ status }) => status === "failed")
    .map(({ certname }) => certname)
    .sort();

/** Failed events of the latest reports, as the sample's check shows them. */
const failures = (from: ArchiveDocuments): Record<string, unknown>[] =>
  latestReports(from).flatMap(({ certname, resources }) =>
    resources.flatMap(({ resource_type, resource_title, events }) =>
      events
        .filter(({ status }) => status === "failure")
        .map(({ message }) => ({ certname, resource_type, resource_title, message })),
    ),
  );

const byText = (rows: readonly object[]): object[] =>
  rows.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));

describe("census check", () => {
  it("reports the failures that are in the documents of an archive", async () => {
    const { run, checks } = await checked(sampleChecks, "--archive", SAMPLE);
    const facts = new Set(documents.facts.map(({ certname }) => certname));
    const failed = failedNodes(documents);
    const withoutFacts = certnamesOf(documents).filter((name) => !facts.has(name));
    expect(checks.map(({ name, status, found }) => [name, status, found])).toStrictEqual([
      ["Every node has facts", "failed", `${withoutFacts.length} rows`],
      ["Few nodes failed", "failed", `${failed.length} rows`],
      ["No new failures", "skipped", null],
      ["Every node runs an agent that is supported", "passed", `${documents.facts.length} rows`],
      ["Only known operating systems", "passed", expect.stringMatching(/^\d+ rows$/)],
    ]);
    expect(checks[0]?.rows.map(({ certname }) => certname).toSorted()).toStrictEqual(withoutFacts);
    expect(checks[1]?.rows.map(({ certname }) => certname)).toStrictEqual(failed);
    expect(run.code).toBe(1);
  });

  it("lists nodes by their state, hidden failures and silent ones included", async () => {
    const hidden = latestReports(documents)
      .filter(isHiddenFailure)
      .map(({ certname }) => certname)
      .sort();
    const failed = failedNodes(documents);
    const states = ["queries:", "  - name: fails", "    states: [failed, hidden]", "    expect: no rows"];
    const { checks } = await checked(file("states.yaml", ...states), "--archive", SAMPLE);
    expect(hidden.length).toBeGreaterThan(0);
    expect(checks[0]?.count).toBe(failed.length + hidden.length);
    const wanted = [
      ...failed.map((certname) => ({ certname, state: "failed" })),
      ...hidden.map((certname) => ({ certname, state: "hidden failure" })),
    ];
    expect(byText(checks[0]?.rows ?? [])).toStrictEqual(byText(wanted));
  });

  it("accepts parameters", async () => {
    const words = ["--param", `max_failed=${failedNodes(documents).length}`, "--archive", SAMPLE];
    const { run, checks } = await checked(sampleChecks, ...words);
    expect(checks[1]).toMatchObject({ status: "passed" });
    // What is left is a warning.
    expect(run.code).toBe(0);
  });

  it("reports what is new and what is missing since an older archive", async () => {
    const checksFile = file(
      "changes.yaml",
      "queries:",
      ...["no new rows", "no missing rows", "same rows"].flatMap((expected) => [
        `  - name: ${expected}`,
        '    query: events[certname, resource_type, resource_title, message] { latest_report? = true and status = "failure" }',
        `    expect: ${expected}`,
      ]),
    );
    const { run, checks } = await checked(checksFile, "--archive", SAMPLE, "--against", older);
    const [now, before] = [failures(documents), failures(olderDocuments)].map((rows) =>
      rows.map((row) => JSON.stringify(row)),
    );
    const added = (now ?? [])
      .filter((text) => !before?.includes(text))
      .map((text) => ({ change: "new", ...(JSON.parse(text) as object) }));
    const gone = (before ?? [])
      .filter((text) => !now?.includes(text))
      .map((text) => ({ change: "missing", ...(JSON.parse(text) as object) }));
    expect(added.length + gone.length).toBeGreaterThan(2);
    expect(byText(checks[0]?.rows ?? [])).toStrictEqual(byText(added));
    expect(byText(checks[1]?.rows ?? [])).toStrictEqual(byText(gone));
    expect(byText(checks[2]?.rows ?? [])).toStrictEqual(byText([...added, ...gone]));
    expect(checks.map(({ count }) => count)).toStrictEqual([added.length, gone.length, added.length + gone.length]);
    expect(run.code).toBe(1);
    const same = await checked(checksFile, "--archive", SAMPLE, "--against", SAMPLE);
    expect(same.checks.map(({ status }) => status)).toStrictEqual(["passed", "passed", "passed"]);
    expect(same.run.code).toBe(0);
  });

  it("reports the same for a server and a data directory", async () => {
    const { queries } = readQueryFile(sampleChecks, readFileSync(sampleChecks, "utf8"));
    const pql = queries.filter(({ language, expectation }) => language !== "SQL" && expectation !== undefined);
    const lines = pql.flatMap(({ name, text }) => [
      `  - name: ${name}`,
      `    query: ${JSON.stringify(text)}`,
      "    expect: no rows",
    ]);
    const path = file("pql.yaml", "queries:", ...lines);
    const data = join(folder, "data");
    expect((await census(["import", SAMPLE, "--data", data])).code).toBe(0);
    const [archive, url, directory] = await Promise.all([
      checked(path, "--archive", SAMPLE),
      checked(path, "--url", server.url),
      checked(path, "--data", data, "--now", "2026-11-20T12:00:00Z"),
    ]);
    expect(url.checks).toStrictEqual(archive.checks);
    expect(directory.checks).toStrictEqual(archive.checks);
    const serving = await startServer([
      "serve",
      "--data",
      data,
      "--port",
      "0",
      "--allow-sql",
      "--now",
      "2026-11-20T12:00:00Z",
    ]);
    const all = await checked(sampleChecks, "--url", serving.url);
    await serving.stop();
    expect(all.checks).toStrictEqual((await checked(sampleChecks, "--archive", SAMPLE)).checks);
    const same = file("same.yaml", "queries:", "  - name: a", "    query: nodes{}", "    expect: same rows");
    const changed = await checked(same, "--url", server.url, "--against", SAMPLE);
    expect(changed.checks[0]).toMatchObject({ status: "passed" });
  });

  it("checks a fixture, whose exit code and output are those of the check", async () => {
    const facts = join(folder, "nodes/facts");
    mkdirSync(facts, { recursive: true });
    writeFileSync(join(facts, "web-01.json"), '{ "kernel": "Linux" }');
    const query = ["  - name: Only Linux", '    query: facts[value] { name = "kernel" }'];
    const path = file("fixture.yaml", "queries:", ...query, "    expect: { column: value, only: [Windows] }");
    const command = [...program, "check", path, "--format", "github"];
    const run = await census(["fixture", "--from", join(folder, "nodes"), "--", ...command]);
    const message = '1 row of 1 with another value; expected value only "Windows"%0A{"value":"Linux"}';
    expect(run).toStrictEqual({
      code: 1,
      stdout: `::error file=${path},line=2,col=5,title=Only Linux::${message}\n`,
      stderr: "",
    });
  });

  it("lists what failed with its rows and advice", async () => {
    const { code, stdout, stderr } = await census(["check", sampleChecks, "--archive", SAMPLE]);
    expect({ code, stderr }).toStrictEqual({ code: 1, stderr: "" });
    const lines = stdout.split("\n");
    const count = failedNodes(documents).length;
    expect(lines).toContain(`✖ Few nodes failed: ${count} rows; expected at most 2 rows`);
    expect(lines).toContain(`  ${sampleChecks}:14`);
    for (const name of failedNodes(documents)) expect(stdout).toContain(`│ ${name} `);
    expect(lines).toContain("  census events --group-by message shows the reasons.");
    expect(lines).toContain("□ No new failures: skipped, needs --against OLD");
    expect(lines.at(-2)).toBe("5 checks: 2 passed, 1 failed, 1 with a warning, 1 skipped");
  });
});

describe("a file of checks", () => {
  const query = ["queries:", "  - name: a", "    query: nodes{}"];

  it.each<[string, string[], readonly string[], string]>([
    ["no expectation", query, [], "check: FILE: no query has expect"],
    [
      "a parameter without a value",
      [
        "parameters:",
        "  name:",
        "queries:",
        "  - name: a",
        "    query: nodes{ certname = $name }",
        "    expect: no rows",
      ],
      [],
      "FILE:5:12: a: parameter name has no value; add --param name=VALUE, or a default",
    ],
    [
      "a value for no parameter",
      [...query, "    expect: no rows"],
      ["--param", "a=1"],
      'check: unknown parameter "a"; the file has no parameters',
    ],
    [
      "a value without a name",
      [...query, "    expect: no rows"],
      ["--param", "1"],
      'check: --param needs NAME=VALUE, not "1"',
    ],
    [
      "only changes, without --against",
      [...query, "    expect: no new rows"],
      [],
      "check: every check is about changes; add --against OLD",
    ],
  ])("%s", async (_what, lines, words, message) => {
    const path = file("wrong.yaml", ...lines);
    const { code, stdout, stderr } = await census(["check", path, ...words, "--archive", SAMPLE]);
    expect({ code, stdout }).toStrictEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^census: [^\n]+\n$/);
    expect(stderr).toContain(`census: ${message.replace("FILE", path)}`);
  });

  it.each<[string, string[], string]>([
    [
      "an unknown field",
      ["queries:", "  - name: a", "    query: nodes[certnam] {}", "    expect: no rows"],
      "FILE:3:12: a: Can't extract unknown 'nodes' field 'certnam'",
    ],
    [
      "an unknown column of SQL",
      ["queries:", "  - name: a", "    sql: SELECT certnam FROM nodes", "    expect: no rows"],
      'FILE:3:10: a: there is no column "certnam"',
    ],
    [
      "SQL that writes",
      ["queries:", "  - name: a", "    sql: DROP TABLE nodes", "    expect: no rows"],
      "FILE:3:10: a: SQL may only read",
    ],
  ])("with %s has a failed check that says so, and where", async (_what, lines, message) => {
    const path = file("broken.yaml", ...lines);
    const { code, stdout, stderr } = await census(["check", path, "--archive", SAMPLE]);
    expect({ code, stderr }).toStrictEqual({ code: 1, stderr: "" });
    expect(stdout).toContain(`✖ a: cannot run: ${message.replace("FILE", path)}`);
  });

  it("that the source does not answer fails, in each report, and the others are made", async () => {
    const path = file(
      "mixed.yaml",
      "queries:",
      "  - name: a",
      "    sql: SELECT 1",
      "    expect: no rows",
      "    severity: note",
      "  - name: b",
      "    query: nodes[certname] {}",
      "    expect: { column: certnme, only: [a] }",
      "  - name: c",
      '    query: nodes[certname] { certname = "none" }',
      "    expect: no rows",
    );
    const words = ["check", path, "--url", server.url];
    const text = await census(words);
    expect(text).toMatchObject({ code: 1, stderr: "" });
    expect(text.stdout).toContain(`a: cannot run: ${path}:3:10: a: `);
    expect(text.stdout).toContain("Set allow-sql = true in section [census]");
    expect(text.stdout).toContain(
      `b: cannot run: ${path}:7:12: b: the result has no column "certnme"; did you mean certname?`,
    );
    expect(text.stdout).toContain("✔ c: 0 rows");
    const junit = await census([...words, "--format", "junit"]);
    expect(junit.code).toBe(1);
    expect(junit.stdout).toContain('tests="3" failures="2"');
    expect(junit.stdout.match(/<failure type="[^"]+" message="cannot run: /g)).toHaveLength(2);
  });

  it("that names what the source does not have fails with --strict", async () => {
    const path = file(
      "strict.yaml",
      "queries:",
      "  - name: a",
      '    query: facts[certname] { name = "kernl" }',
      "    expect: no rows",
      "  - name: b",
      '    query: facts[certname] { name = "kernel" and value = "none" }',
      "    expect: no rows",
    );
    expect(await census(["check", path, "--archive", SAMPLE])).toMatchObject({ code: 0 });
    const { code, stdout } = await census(["check", path, "--strict", "--archive", SAMPLE, "--output", "json"]);
    expect(code).toBe(1);
    const { checks } = JSON.parse(stdout) as { checks: { name: string; status: string; remarks: string[] }[] };
    expect(checks.map(({ name, status }) => [name, status])).toStrictEqual([
      ["a", "failed"],
      ["b", "passed"],
    ]);
    expect(checks[0]?.remarks.join()).toContain("did you mean kernel");
  });

  it("is written as an example with --init, which runs, and no file is replaced", async () => {
    const path = join(folder, "first.yaml");
    expect(await census(["check", path, "--init"])).toMatchObject({ code: 0, stderr: "" });
    const run = await census(["check", path, "--archive", SAMPLE]);
    expect(run).toMatchObject({ code: 1, stderr: "" });
    expect(run.stdout).toContain("✖ Few nodes failed: 8 rows");
    expect(run.stdout).toContain("□ No new failures: skipped");
    expect(await census(["check", path, "--init"])).toMatchObject({
      code: 1,
      stderr: `census: ${path}: already exists; choose another name\n`,
    });
  });

  it("is an error if it does not exist", async () => {
    const run = await census(["check", "nowhere.yaml", "--archive", SAMPLE]);
    expect(run).toStrictEqual({ code: 2, stdout: "", stderr: "census: nowhere.yaml: no such file or directory\n" });
  });
});
