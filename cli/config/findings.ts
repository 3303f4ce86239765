import type { Finding, Level } from "#app/check/finding.ts";
import { counted } from "../output/counted.ts";
import { stdout } from "../stdout.ts";

/** The output format; undefined: text. */
export type FindingsFormat = "table" | "json" | undefined;

/** Exit codes of commands that check something. */
export const exitCode = { sound: 0, errors: 1, notUnderstood: 2 } as const;

/**
 * Writes the findings of a check.
 * @param subject what was checked: `Configuration`
 * @returns the exit code: 0 without errors, else 1
 */
export async function writeFindings(
  findings: readonly Finding[],
  subject: string,
  format: FindingsFormat,
): Promise<number> {
  await stdout.write(format === "json" ? findingsJson(findings) : findingsText(findings, subject));
  return findings.some(({ level }) => level === "error") ? exitCode.errors : exitCode.sound;
}

function findingsJson(findings: readonly Finding[]): string {
  const rows = findings.map((finding) => JSON.stringify(finding));
  return `[\n${rows.join(",\n")}${rows.length === 0 ? "" : "\n"}]\n`;
}

/** A line for each finding with its fix below, and a summary. */
function findingsText(findings: readonly Finding[], subject: string): string {
  const width = "warning".length;
  const lines = findings.flatMap(({ level, check, where, what, remedy }) => [
    `${level.padEnd(width)}  ${check}: ${where === null ? "" : `${where}: `}${what}`,
    ...(remedy === null ? [] : [`${" ".repeat(width)}  fix: ${remedy}`]),
  ]);
  return [...lines, summary(findings, subject), ""].join("\n");
}

function summary(findings: readonly Finding[], subject: string): string {
  const [errors, warnings] = (["error", "warning"] as const).map((level) => levelCount(findings, level));
  if (errors === undefined && warnings === undefined) return `${subject} OK.`;
  return `${subject} has ${[errors, warnings].filter((text) => text !== undefined).join(" and ")}.`;
}

function levelCount(findings: readonly Finding[], wanted: Level): string | undefined {
  const count = findings.filter(({ level }) => level === wanted).length;
  return count === 0 ? undefined : counted(count, wanted);
}
