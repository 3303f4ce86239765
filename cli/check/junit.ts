import { basename } from "node:path";
import { type CheckReport, isFailure, type Outcome, plainLines, skipReason, summaryOf } from "./outcome.ts";

/**
 * A report as JUnit XML, as CI systems read it: a suite for each file. JUnit has no warnings: a failed check that is no error
 * passes, and says so in its output.
 */
export function junitReport({ outcomes }: CheckReport): string {
  const suites = Map.groupBy(outcomes, ({ path }) => path);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts(outcomes)}>`,
    ...[...suites].flatMap(([path, members]) => [
      `  <testsuite name="${escaped(path)}" ${counts(members)}>`,
      ...members.flatMap(testCase),
      "  </testsuite>",
    ]),
    "</testsuites>",
    "",
  ].join("\n");
}

function counts(outcomes: readonly Outcome[]): string {
  const count = (isOne: (outcome: Outcome) => boolean): number => outcomes.filter(isOne).length;
  const skipped = count(({ status }) => status === "skipped");
  const seconds = outcomes.reduce((sum, outcome) => sum + outcome.seconds, 0);
  const failures = count(isFailure);
  return `tests="${outcomes.length}" failures="${failures}" errors="0" skipped="${skipped}" time="${seconds.toFixed(3)}"`;
}

function testCase(outcome: Outcome): string[] {
  const { check, path, status, seconds, remarks } = outcome;
  const suite = basename(path).replace(/\.\w+$/, "");
  const head = `    <testcase name="${escaped(check.name)}" classname="${escaped(suite)}" time="${seconds.toFixed(3)}"`;
  if (status === "passed" && remarks.length === 0) return [`${head}/>`];
  if (status === "passed") {
    return [`${head}>`, `      <system-out>${escaped(remarks.join("\n"), false)}</system-out>`, "    </testcase>"];
  }
  if (status === "skipped") return [`${head}>`, `      <skipped message="${escaped(skipReason)}"/>`, "    </testcase>"];
  const place = `${path}:${check.place.line}`;
  const lines = escaped([...plainLines(outcome), place].join("\n"), false);
  const body = isFailure(outcome)
    ? `      <failure type="${check.severity}" message="${escaped(summaryOf(outcome))}">${lines}</failure>`
    : `      <system-out>${check.severity}: ${lines}</system-out>`;
  return [`${head}>`, body, "    </testcase>"];
}

/** A text for XML. Characters that XML cannot have are replaced. */
function escaped(text: string, isAttribute = true): string {
  const plain = text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\u{FFFD}")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("\r", "&#13;");
  if (!isAttribute) return plain;
  return plain.replaceAll('"', "&quot;").replaceAll("\n", "&#10;").replaceAll("\t", "&#9;");
}
