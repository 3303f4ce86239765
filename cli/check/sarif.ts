import { createHash } from "node:crypto";
import { isAbsolute, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { version } from "#app/version.ts";
import type { JsonObject } from "#storage/json.ts";
import { type CheckReport, type Outcome, plainLines, skipReason } from "./outcome.ts";

/** A report as SARIF 2.1.0: a rule for each check, a result for each one that failed. */
export function sarifReport({ outcomes }: CheckReport): string {
  const log: JsonObject = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "Census", semanticVersion: version, rules: outcomes.map(ruleOf) } },
        invocations: [{ executionSuccessful: true, toolExecutionNotifications: notificationsOf(outcomes) }],
        results: outcomes.flatMap((outcome, index) => (outcome.status === "failed" ? [resultOf(outcome, index)] : [])),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

/** Checks of two files may have the same name. */
function idOf({ path, check }: Outcome): string {
  return `${path}/${check.name}`;
}

function ruleOf(outcome: Outcome): JsonObject {
  const { check, expected } = outcome;
  return {
    id: idOf(outcome),
    shortDescription: { text: check.name },
    fullDescription: { text: `${check.name}: expects ${expected}` },
    ...(check.advice === undefined ? {} : { help: { text: check.advice } }),
    defaultConfiguration: { level: check.severity },
  };
}

function resultOf(outcome: Outcome, ruleIndex: number): JsonObject {
  const { path, check } = outcome;
  const { line, column } = check.place;
  const uri = isAbsolute(path) ? pathToFileURL(path).href : encodeURI(path.split(sep).join("/"));
  return {
    ruleId: idOf(outcome),
    ruleIndex,
    level: check.severity,
    message: { text: plainLines(outcome).join("\n") },
    locations: [{ physicalLocation: { artifactLocation: { uri }, region: { startLine: line, startColumn: column } } }],
    partialFingerprints: { "check/v1": createHash("sha256").update(idOf(outcome)).digest("hex") },
  };
}

/** What is to be said of checks that have no result. */
function notificationsOf(outcomes: readonly Outcome[]): JsonObject[] {
  return outcomes.flatMap((outcome) => {
    const texts = outcome.status === "skipped" ? [`skipped, ${skipReason}`] : outcome.remarks;
    return texts.map((text) => ({
      level: "note",
      message: { text: `${outcome.check.name}: ${text}` },
      associatedRule: { id: idOf(outcome) },
    }));
  });
}
