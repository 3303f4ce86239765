import { stringifyJson } from "#storage/json.ts";
import type { Severity } from "#storage/saved-queries/types.ts";
import { type Paint, paints, style } from "../colours.ts";
import { counted } from "../output/counted.ts";
import { printable } from "../output/printable.ts";
import type { WriteOptions } from "../output/rows.ts";
import { writeTable } from "../output/table.ts";
import type { TextOutput } from "../stdout.ts";
import type { CheckReport } from "./report.ts";
import { type Outcome, summaryOf } from "./outcome.ts";

const INDENT = "  ";

interface Look {
  readonly sign: string;
  readonly paint: Paint;
}

/** A sign of its own for each outcome, so that none is colour alone. */
function lookOf({ status, check }: Outcome): Look {
  if (status === "passed") return { sign: "✔", paint: style(32, 39) };
  if (status === "skipped") return { sign: "□", paint: style(90, 39) };
  return check.severity === "error" ? { sign: "✖", paint: style(31, 39) } : { sign: "▲", paint: style(33, 39) };
}

/** A line for each check; below those that failed their rows and advice. */
export async function writeText(report: CheckReport, output: TextOutput, options: WriteOptions): Promise<void> {
  for (const outcome of report.outcomes) await writeOutcome(outcome, output, { ...options, now: report.now });
  await output.write(`\n${totals(report.outcomes)}\n`);
}

async function writeOutcome(outcome: Outcome, output: TextOutput, options: WriteOptions): Promise<void> {
  const { check, path, status, verdict } = outcome;
  const isColoured = options.terminal?.isColoured ?? options.isColoured ?? false;
  const { sign, paint } = lookOf(outcome);
  const { faint } = paints(isColoured);
  const head = `${isColoured ? paint(sign) : sign} ${printable(check.name)}`;
  if (status !== "failed") return output.write(`${head}: ${summaryOf(outcome)}\n`);
  const severity = check.severity === "error" ? "" : `${check.severity}: `;
  await output.write(`${head}: ${severity}${printable(summaryOf(outcome))}\n`);
  await output.write(`${INDENT}${faint(`${printable(path)}:${check.place.line}`)}\n`);
  if (verdict !== undefined && verdict.rows.length > 0) {
    await output.write(indented(await tableOf(verdict.rows.map(stringifyJson), options)));
    const left = verdict.count - verdict.rows.length;
    if (left > 0) await output.write(`${INDENT}… ${counted(left, "more row")}\n`);
  }
  if (check.advice !== undefined) await output.write(indented(`${printableLines(check.advice)}\n`));
}

async function tableOf(rows: readonly string[], options: WriteOptions): Promise<string> {
  let text = "";
  const captured: TextOutput = {
    write: (part) => {
      text += part;
      return Promise.resolve();
    },
    aside: () => undefined,
  };
  const { terminal } = options;
  const narrower =
    terminal === null || terminal === undefined
      ? options
      : { ...options, terminal: { ...terminal, columns: terminal.columns - INDENT.length } };
  await writeTable(once(rows), captured, { ...narrower, toSeeAll: "--format json shows all columns" });
  return text;
}

async function* once(rows: readonly string[]): AsyncGenerator<readonly string[]> {
  yield await Promise.resolve(rows);
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, INDENT);
}

function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}

/** `5 checks: 3 passed, 1 failed, 1 skipped` */
function totals(outcomes: readonly Outcome[]): string {
  const count = (isOne: (outcome: Outcome) => boolean): number => outcomes.filter(isOne).length;
  const failed = (severity: Severity): number =>
    count((outcome) => outcome.status === "failed" && outcome.check.severity === severity);
  const parts: readonly (readonly [number, string])[] = [
    [count(({ status }) => status === "passed"), "passed"],
    [failed("error"), "failed"],
    [failed("warning"), "with a warning"],
    [failed("note"), "with a note"],
    [count(({ status }) => status === "skipped"), "skipped"],
  ];
  const texts = parts.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
  return `${counted(outcomes.length, "check")}: ${texts.join(", ")}`;
}
