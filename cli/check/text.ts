import type { JsonObject } from "#storage/json.ts";
import type { Severity } from "#storage/saved-queries/types.ts";
import { type Paint, paints, style } from "../colours.ts";
import { counted } from "../output/counted.ts";
import { wrapToWidth } from "../output/fit.ts";
import { printable } from "../output/printable.ts";
import { rowsOf, type WriteOptions } from "../output/rows.ts";
import { writeTable } from "../output/table.ts";
import type { TextOutput } from "../stdout.ts";
import { type CheckReport, type Outcome, summaryOf } from "./outcome.ts";

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
  const width = (options.terminal?.columns ?? Number.POSITIVE_INFINITY) - INDENT.length;
  const { sign, paint } = lookOf(outcome);
  const { faint } = paints(isColoured);
  const severity = status === "failed" && check.severity !== "error" ? `${check.severity}: ` : "";
  const [first = "", ...others] = wrapped(`${check.name}: ${severity}${summaryOf(outcome)}`, width);
  await output.write(`${isColoured ? paint(sign) : sign} ${lines([first])}${lines(others, INDENT)}`);
  for (const remark of outcome.remarks) await output.write(lines(wrapped(remark, width), INDENT));
  if (status !== "failed") return;
  await output.write(lines(wrapped(`${path}:${check.place.line}`, width).map(faint), INDENT));
  if (verdict !== undefined && verdict.rows.length > 0) {
    const table = await tableOf(verdict.rows, options);
    await output.write(table.replaceAll(/^(?=.)/gm, INDENT));
    const left = verdict.count - verdict.rows.length;
    if (left > 0) await output.write(lines([`… ${counted(left, "more row")}`], INDENT));
  }
  if (check.advice !== undefined) await output.write(lines(wrapped(check.advice, width), INDENT));
}

/** A text in lines of at most `width` columns, without control characters. */
function wrapped(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => [...wrapToWidth(printable(line), width, 100).lines]);
}

function lines(texts: readonly string[], indent = ""): string {
  return texts.map((text) => `${indent}${text}\n`).join("");
}

async function tableOf(rows: readonly JsonObject[], options: WriteOptions): Promise<string> {
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
  await writeTable(rowsOf(rows), captured, { ...narrower, toSeeAll: "--output json shows all columns" });
  return text;
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
