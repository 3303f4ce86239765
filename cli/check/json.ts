import type { JsonObject } from "#storage/json.ts";
import type { CheckReport, Outcome } from "./outcome.ts";

/** A report as JSON. */
export function jsonReport({ outcomes, source, against }: CheckReport): string {
  const count = (status: Outcome["status"]): number => outcomes.filter((outcome) => outcome.status === status).length;
  const report: JsonObject = {
    source,
    ...(against === undefined ? {} : { against }),
    passed: count("passed"),
    failed: count("failed"),
    skipped: count("skipped"),
    checks: outcomes.map(checkOf),
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}

function checkOf({ path, check, status, expected, remarks, verdict, error }: Outcome): JsonObject {
  return {
    name: check.name,
    file: path,
    line: check.place.line,
    severity: check.severity,
    status,
    expected,
    found: verdict?.found ?? (error === undefined ? null : `cannot run: ${error}`),
    remarks: [...remarks],
    advice: check.advice ?? null,
    query: check.text,
    count: verdict?.count ?? null,
    rows: [...(verdict?.rows ?? [])],
  };
}
