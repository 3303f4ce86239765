import type { Severity } from "#storage/saved-queries/types.ts";
import { type CheckReport, plainLines } from "./outcome.ts";

/** The command of a workflow for each severity. */
const commands: Readonly<Record<Severity, string>> = { error: "error", warning: "warning", note: "notice" };

/**
 * A report as workflow commands of GitHub Actions: an annotation for each check that failed, and a notice for each
 * that passed with a name that the source does not have.
 */
export function githubReport({ outcomes }: CheckReport): string {
  return outcomes
    .filter(({ status, remarks }) => status === "failed" || remarks.length > 0)
    .map((outcome) => {
      const { check, path, status } = outcome;
      const { line, column } = check.place;
      const where = `file=${property(path)},line=${line},col=${column},title=${property(check.name)}`;
      const command = status === "failed" ? commands[check.severity] : "notice";
      return `::${command} ${where}::${data(plainLines(outcome).join("\n"))}\n`;
    })
    .join("");
}

function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
