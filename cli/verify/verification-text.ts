import type { Finding } from "#storage/verify/finding.ts";
import type { Verification } from "#storage/verify/verify.ts";
import { oneLine } from "../errors.ts";

/** The result of a verification as text: what was read, and what is damaged. */
export function verificationText({ directory, findings, read }: Verification): string {
  const { tables, rows, commands, postponed, deadLetters } = read;
  const damaged = findings.filter(({ severity }) => severity === "damaged");
  const notices = findings.filter(({ severity }) => severity === "notice");
  const verdict = damaged.length === 0 ? "no damage found" : `${damaged.length} damaged`;
  const lines = [
    `${directory}: ${verdict}`,
    `Read ${rows} rows of ${tables} tables, ${commands} commands in the queue, ${postponed} postponed, ${deadLetters} dead letters`,
    ...damaged.flatMap((finding) => linesOf("damaged", finding)),
    ...notices.flatMap((finding) => linesOf("notice", finding)),
  ];
  return `${lines.join("\n")}\n`;
}

function linesOf(what: string, { place, problem, remedy }: Finding): string[] {
  return ["", `${what}: ${oneLine(place)}`, `  ${oneLine(problem)}`, `  Fix: ${oneLine(remedy)}`];
}
