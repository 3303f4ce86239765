import { shortFailure } from "#storage/display/short-failure.ts";
import { shortFile } from "#storage/display/short-file.ts";
import { formatAge, formatDuration } from "#storage/display/spans.ts";
import { stateLabels } from "#storage/states/words.ts";
import type { Json, JsonObject } from "#storage/json.ts";
import { cellText } from "#storage/output/cells.ts";
import { type Paints, paints } from "../colours.ts";
import { counted } from "../output/counted.ts";
import { displayWidth, wrapToWidth } from "../output/fit.ts";
import { printableCell } from "../output/printable.ts";
import { stateOfWord } from "#storage/states/words.ts";
import { stateLooks, stateText } from "../output/states.ts";
import type { Failure } from "./failures.ts";
import type { NodeSummary } from "./summary.ts";

/** How the page is laid out. */
export interface PageLayout {
  /** Columns of a line. */
  readonly width: number;
  readonly isColoured: boolean;
  readonly now: Date;
}

/** Lines of a message before it is cut. */
const MESSAGE_LINES = 4;
const INDENT = "  ";

/** The page of a node for people. */
export function nodePage(node: NodeSummary, layout: PageLayout): string {
  const paint = paints(layout.isColoured);
  const sections: (readonly string[])[] = [
    headLines(node, layout, paint),
    section(
      "failed",
      node.failures.flatMap((failure) => failureLines(node, failure, layout, paint)),
      paint,
    ),
    section("runs", runLines(node.runs, layout), paint),
    section("facts", pairLines(Object.entries(node.facts), layout, paint), paint),
    section(`classes (${node.classes.length})`, wrapped(node.classes.join(", "), layout.width, INDENT), paint),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => `${line}\n`).join(""))
    .join("\n");
}

function section(title: string, lines: readonly string[], paint: Paints): string[] {
  return lines.length === 0 ? [] : [paint.strong(title), ...lines];
}

function headLines(node: NodeSummary, layout: PageLayout, paint: Paints): string[] {
  const { certname, state, reason, deactivated, expired, environment } = node;
  const word = stateText(stateLabels[state], state);
  const shown = layout.isColoured ? stateLooks[state].paint(word) : word;
  const times: [string, string | null][] = [
    ["deactivated", deactivated],
    ["expired", expired],
    ["report", node.report_timestamp],
    ["catalog", node.catalog_timestamp],
    ["facts", node.facts_timestamp],
  ];
  const pairs: [string, Json][] = [
    ["environment", environment ?? "none"],
    ...times.flatMap(([label, time]): [string, Json][] => (time === null ? [] : [[label, timeText(time, layout)]])),
    [
      "contains",
      [
        counted(node.classes.length, "class", "classes"),
        counted(node.resources, "resource"),
        counted(node.packages, "package"),
      ].join(", "),
    ],
  ];
  return [
    `${paint.strong(printableCell(certname))}  ${shown}`,
    ...wrapped(reason, layout.width, INDENT, MESSAGE_LINES),
    "",
    ...pairLines(pairs, layout, paint),
  ];
}

function failureLines(
  { certname }: NodeSummary,
  { resource, message, declared }: Failure,
  { width }: PageLayout,
  paint: Paints,
): string[] {
  const text = shortFailure(message ?? "no message", { certname });
  const lines = wrapped(text, width, resource === null ? INDENT : INDENT.repeat(2), MESSAGE_LINES);
  const place = declared === null ? [] : wrapped(shortFile(declared), width, INDENT.repeat(2)).map(paint.faint);
  return [...(resource === null ? [] : wrapped(resource, width, INDENT)), ...lines, ...place];
}

function runLines(runs: readonly JsonObject[], layout: PageLayout): string[] {
  const rows = runs.map((run) => {
    const word = cellText(run["state"]);
    const state = stateOfWord(word);
    const counts = ["failed", "changed", "skipped"].flatMap((name) => {
      const count = Number(cellText(run[name]));
      return count > 0 ? [`${count} ${name}`] : [];
    });
    const seconds = cellText(run["seconds"]);
    return {
      state,
      cells: [
        timeText(cellText(run["end_time"]), layout),
        `${stateText(word, state)}${run["noop"] === true ? " (noop)" : ""}`,
        seconds === "" ? "" : formatDuration(Number(seconds)),
        counts.join(", "),
      ].map(printableCell),
    };
  });
  const widths = [0, 1, 2].map((index) => Math.max(0, ...rows.map(({ cells }) => displayWidth(cells[index] ?? ""))));
  return rows.map(({ state, cells }) => {
    const line = cells.map((cell, index) => {
      const padded = cell + " ".repeat(Math.max(0, (widths[index] ?? 0) - displayWidth(cell)));
      return index === 1 && state !== undefined && layout.isColoured ? stateLooks[state].paint(padded) : padded;
    });
    return `${INDENT}${line.join("  ")}`.trimEnd();
  });
}

function pairLines(pairs: readonly (readonly [string, Json])[], { width }: PageLayout, paint: Paints): string[] {
  const labels = Math.max(0, ...pairs.map(([label]) => displayWidth(label)));
  return pairs.flatMap(([label, value]) => {
    const lines = wrapped(cellText(value), width, " ".repeat(INDENT.length + labels + 2));
    const [first = "", ...others] = lines;
    return [`${INDENT}${paint.faint(label.padEnd(labels))}  ${first.trimStart()}`, ...others];
  });
}

/** `2026-11-20 11:45:11 · 14 min ago`. */
function timeText(time: string, { now }: PageLayout): string {
  return `${time.slice(0, 10)} ${time.slice(11, 19)} · ${formatAge(time, now)}`;
}

function wrapped(text: string, width: number, indent: string, lines = 400): string[] {
  return wrapToWidth(printableCell(text), Math.max(1, width - indent.length), lines).lines.map((line) => indent + line);
}
