import { createRequire } from "node:module";
import Ajv from "ajv-draft-04";
import { describe, expect, it } from "vitest";
import { type CheckFormat, reportWriters } from "#cli/check/formats.ts";
import type { CheckReport, Outcome } from "#cli/check/outcome.ts";
import type { SavedQuery } from "#storage/saved-queries/types.ts";

function outcome(name: string, status: Outcome["status"], rest: Partial<SavedQuery> = {}): Outcome {
  const check: SavedQuery = {
    name,
    place: { line: 3, column: 5 },
    language: "PQL",
    text: "nodes{}",
    textPlace: { line: 4, column: 12 },
    unset: [],
    advice: undefined,
    severity: "error",
    panel: undefined,
    expectation: undefined,
    ...rest,
  };
  const rows = status === "failed" ? [{ certname: "a" }] : [];
  const verdict = { isMet: status === "passed", found: "2 rows", rows, count: rows.length * 2 };
  return {
    path: "dir/c&d.yaml",
    check,
    status,
    expected: "no rows",
    remarks: [],
    verdict: status === "skipped" ? undefined : verdict,
    seconds: 0.25,
  };
}

const all: readonly Outcome[] = [
  outcome("fine", "passed"),
  outcome('not "fine", <b>', "failed", { advice: "100 % of\nthese: \u0007 & more" }),
  outcome("perhaps", "failed", { severity: "warning" }),
  outcome("a remark", "failed", { severity: "note" }),
  outcome("later", "skipped"),
];

async function written(format: CheckFormat, outcomes = all, columns?: number): Promise<string> {
  let text = "";
  const report: CheckReport = { outcomes, source: "s", against: undefined, now: () => Promise.resolve(0n) };
  const write = (part: string): Promise<void> => {
    text += part;
    return Promise.resolve();
  };
  const terminal = columns === undefined ? null : { columns, isColoured: false };
  await reportWriters[format](report, { write }, { terminal });
  return text;
}

describe("a report of checks", () => {
  it("for JUnit has failures, skipped tests, and warnings in the output of tests that passed", async () => {
    expect(await written("junit")).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="5" failures="1" errors="0" skipped="1" time="1.250">
  <testsuite name="dir/c&amp;d.yaml" tests="5" failures="1" errors="0" skipped="1" time="1.250">
    <testcase name="fine" classname="c&amp;d" time="0.250"/>
    <testcase name="not &quot;fine&quot;, &lt;b&gt;" classname="c&amp;d" time="0.250">
      <failure type="error" message="2 rows; expected no rows">2 rows; expected no rows
100 % of
these: \u{FFFD} &amp; more
{"certname":"a"}
… 1 more row
dir/c&amp;d.yaml:3</failure>
    </testcase>
    <testcase name="perhaps" classname="c&amp;d" time="0.250">
      <system-out>warning: 2 rows; expected no rows
{"certname":"a"}
… 1 more row
dir/c&amp;d.yaml:3</system-out>
    </testcase>
    <testcase name="a remark" classname="c&amp;d" time="0.250">
      <system-out>note: 2 rows; expected no rows
{"certname":"a"}
… 1 more row
dir/c&amp;d.yaml:3</system-out>
    </testcase>
    <testcase name="later" classname="c&amp;d" time="0.250">
      <skipped message="needs --against OLD"/>
    </testcase>
  </testsuite>
</testsuites>
`);
  });

  it("for GitHub annotates each check that failed, each on one line", async () => {
    const rest = '2 rows; expected no rows%0A{"certname":"a"}%0A… 1 more row';
    const place = "file=dir/c&d.yaml,line=3,col=5";
    expect((await written("github")).split("\n")).toStrictEqual([
      `::error ${place},title=not "fine"%2C <b>::2 rows; expected no rows%0A100 %25 of%0Athese: \u0007 & more%0A{"certname":"a"}%0A… 1 more row`,
      `::warning ${place},title=perhaps::${rest}`,
      `::notice ${place},title=a remark::${rest}`,
      "",
    ]);
    expect(await written("github", all.slice(0, 1))).toBe("");
  });

  it("for people has a sign for each outcome, and no control characters", async () => {
    const lines = (await written("text")).split("\n");
    const heads = lines.filter((line) => /^\S/.test(line));
    expect(heads).toStrictEqual([
      "✔ fine: 2 rows",
      '✖ not "fine", <b>: 2 rows; expected no rows',
      "▲ perhaps: warning: 2 rows; expected no rows",
      "▲ a remark: note: 2 rows; expected no rows",
      "□ later: skipped, needs --against OLD",
      "5 checks: 1 passed, 1 failed, 1 with a warning, 1 with a note, 1 skipped",
    ]);
    expect(lines).toContain("  … 1 more row");
    expect(lines.join("\n")).not.toContain("\u0007");
  });

  it.each([40, 80, 100, 120])("for people fits into %d columns of a terminal", async (columns) => {
    const name = "Each node of the site runs an agent that is supported, and a longer name is wrapped as well";
    const advice = `census node NAME shows more. ${"And a long paragraph of advice. ".repeat(6)}`.trim();
    const text = await written("text", [outcome(name, "failed", { advice })], columns);
    const lines = text.split("\n");
    expect(lines.filter((line) => line.length > columns)).toStrictEqual([]);
    const oneLine = text.replaceAll(/\s+/g, " ");
    expect(oneLine).toContain(`✖ ${name}: 2 rows; expected no rows`);
    expect(oneLine).toContain(advice);
    expect(lines).toContain("  a");
  });

  it("in JSON has every check with its rows", async () => {
    const report = JSON.parse(await written("json")) as Record<string, unknown> & { checks: Record<string, unknown>[] };
    expect(report).toMatchObject({ source: "s", passed: 1, failed: 3, skipped: 1 });
    expect(
      report.checks.map(({ name, status, severity, count, rows }) => [name, status, severity, count, rows]),
    ).toStrictEqual([
      ["fine", "passed", "error", 0, []],
      ['not "fine", <b>', "failed", "error", 2, [{ certname: "a" }]],
      ["perhaps", "failed", "warning", 2, [{ certname: "a" }]],
      ["a remark", "failed", "note", 2, [{ certname: "a" }]],
      ["later", "skipped", "error", null, []],
    ]);
  });

  it("in SARIF has a rule for each check and a result for each that failed", async () => {
    const { runs } = JSON.parse(await written("sarif")) as { runs: [SarifRun] };
    const [{ tool, results, invocations }] = runs;
    const names = all.map(({ check }) => `dir/c&d.yaml/${check.name}`);
    expect(tool.driver.rules.map(({ id }) => id)).toStrictEqual(names);
    expect(results.map(({ ruleId, ruleIndex, level }) => [ruleId, ruleIndex, level])).toStrictEqual([
      [names[1], 1, "error"],
      [names[2], 2, "warning"],
      [names[3], 3, "note"],
    ]);
    expect(results[0]?.locations).toStrictEqual([
      {
        physicalLocation: {
          artifactLocation: { uri: "dir/c&d.yaml" },
          region: { startLine: 3, startColumn: 5 },
        },
      },
    ]);
    expect(new Set(results.map(({ partialFingerprints }) => partialFingerprints["check/v1"])).size).toBe(3);
    expect(invocations[0]?.toolExecutionNotifications).toHaveLength(1);
  });
});

describe("a check that passed with an unknown name", () => {
  const odd = [{ ...outcome("odd", "passed"), remarks: ['unknown fact "<kernl>"'] }];

  it.each<[CheckFormat, said: string]>([
    ["text", '✔ odd: 2 rows\n  unknown fact "<kernl>"\n'],
    ["junit", '<system-out>unknown fact "&lt;kernl&gt;"</system-out>\n    </testcase>'],
    ["github", '::notice file=dir/c&d.yaml,line=3,col=5,title=odd::2 rows%0Aunknown fact "<kernl>"\n'],
    ["json", JSON.stringify('unknown fact "<kernl>"')],
    ["sarif", JSON.stringify('odd: unknown fact "<kernl>"')],
  ])("names it in %s", async (format, said) => {
    expect(await written(format, odd)).toContain(said);
  });
});

describe("a report in SARIF", () => {
  const schema = createRequire(import.meta.url)("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json") as object;
  // A pattern of the schema is no regular expression for Unicode, and formats are not part of the validator.
  const options = { strict: false, unicodeRegExp: false, validateFormats: false, allErrors: true };
  const isValid = new Ajv.default(options).compile(schema);

  const path = "/site/a file.yaml";
  it.each<[string, readonly Outcome[]]>([
    ["all outcomes", all],
    ["no outcome", []],
    ["a remark", all.map((one) => ({ ...one, remarks: ["unknown fact"] }))],
    ["a file by its absolute path", all.map((one) => ({ ...one, path }))],
  ])("is valid with %s", async (_what, outcomes) => {
    const log = JSON.parse(await written("sarif", outcomes)) as unknown;
    isValid(log);
    expect(isValid.errors).toBeNull();
  });

  it("is not valid by chance", async () => {
    const { runs } = JSON.parse(await written("sarif")) as { runs: [SarifRun] };
    const results = runs[0].results.map((result) => ({ ...result, level: "fatal" }));
    expect(isValid({ version: "2.1.0", runs: [{ ...runs[0], results }] })).toBe(false);
  });
});

interface SarifRun {
  readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
  readonly invocations: readonly { readonly toolExecutionNotifications: readonly unknown[] }[];
  readonly results: readonly {
    readonly ruleId: string;
    readonly ruleIndex: number;
    readonly level: string;
    readonly locations: readonly unknown[];
    readonly partialFingerprints: Readonly<Record<string, string>>;
  }[];
}
