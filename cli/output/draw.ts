import { type Paints, paints } from "../colours.ts";
import type { ColumnKind } from "./columns.ts";
import { cellLines, cutToWidth, displayWidth, wrapToWidth } from "./fit.ts";
import { BLOCK_LINES, HEADING_LINES, type LaidOutColumn } from "./candidate.ts";
import { GAP, INDENT, type Layout, namesWidth } from "./layout.ts";
import { isolated, printableCell } from "./printable.ts";
import { paintOfState } from "./states.ts";
import type { TerminalLook } from "./terminal.ts";

export interface DrawOptions {
  readonly terminal: TerminalLook;
  /** What to do to see all columns. */
  readonly toSeeAll: string;
}

/** A layout as text for a terminal. */
export function draw(layout: Layout, { terminal, toSeeAll }: DrawOptions): string {
  const drawing: Drawing = { layout, terminal, paint: paints(terminal.isColoured) };
  const above = linesAbove(drawing);
  const rows = layout.kind === "table" ? tableLines(drawing) : blockLines(drawing);
  return [...above, ...(above.length === 0 ? [] : [""]), ...rows, ...linesUnder(drawing, toSeeAll)]
    .map((line) => `${line}\n`)
    .join("");
}

interface Drawing {
  readonly layout: Layout;
  readonly terminal: TerminalLook;
  readonly paint: Paints;
}

/** The values that are the same in all rows: `environment: production`, and columns without values. */
function linesAbove({ layout: { same, empty }, terminal, paint }: Drawing): string[] {
  const lines = same.flatMap((one) => {
    const names = namesWidth([one], terminal.columns);
    const name = cutToWidth(one.heading, names);
    return namedLines(`${name}: `, one, 0, { width: terminal.columns - names - 2, terminal, paint });
  });
  return [...lines, ...(empty.length === 0 ? [] : asideLines(`no value: ${empty.join(", ")}`, terminal, paint))];
}

function linesUnder({ layout: { leftOut }, terminal, paint }: Drawing, toSeeAll: string): string[] {
  if (leftOut.length === 0) return [];
  return ["", ...asideLines(`not shown: ${leftOut.join(", ")}; ${toSeeAll}`, terminal, paint)];
}

function asideLines(text: string, { columns }: TerminalLook, paint: Paints): string[] {
  return wrapToWidth(printableCell(text), columns, 20).lines.map((line) => paint.faint(isolated(line)));
}

/** A value that is absent takes no line. */
function linesBelow(cell: string, width: number, most: number): readonly string[] {
  return cell === "" ? [] : cellLines(cell, width, most);
}

function tableLines(drawing: Drawing): string[] {
  const { layout, terminal, paint } = drawing;
  const { columns, below, lines } = layout;
  const count = columns[0]?.cells.length ?? 0;
  const headings = sideBySide(
    columns.map((one) => ({
      ...one,
      lines: wrapToWidth(one.heading, one.width, HEADING_LINES).lines,
      paint: paint.strong,
    })),
    "bottom",
  );
  const headingsBelow = below.map(({ heading }) => `${" ".repeat(INDENT)}${paint.strong(heading)}`);
  const rule = columns.map(({ width }) => "─".repeat(Math.min(width, 200))).join(" ".repeat(GAP));
  const rows = Array.from({ length: count }, (_, row) => [
    ...sideBySide(
      columns.map((one) => ({
        ...one,
        lines: cellLines(one.cells[row] ?? "", one.width, lines),
        paint: (text: string) => painted(text, one.column.kind, terminal),
      })),
      "top",
    ),
    ...below.flatMap(({ cells, column }) =>
      linesBelow(cells[row] ?? "", terminal.columns - INDENT, lines).map(
        (line) => " ".repeat(INDENT) + painted(line, column.kind, terminal),
      ),
    ),
  ]);
  return [...headings, ...headingsBelow, paint.faint(rule), ...rows.flat()];
}

interface WrappedCell {
  readonly lines: readonly string[];
  readonly width: number;
  readonly isRight: boolean;
  readonly paint: (text: string) => string;
}

/** Cells of several lines next to each other. */
function sideBySide(cells: readonly WrappedCell[], at: "top" | "bottom"): string[] {
  const height = Math.max(...cells.map(({ lines }) => lines.length));
  return Array.from({ length: height }, (_, index) => {
    let line = "";
    let isOwed = 0;
    for (const { lines, width, isRight, paint } of cells) {
      const text = lines[at === "top" ? index : index - (height - lines.length)] ?? "";
      const blanks = " ".repeat(Math.max(0, width - displayWidth(text)));
      if (text !== "") {
        line += " ".repeat(isOwed) + (isRight ? blanks : "") + paint(text);
        isOwed = isRight ? 0 : blanks.length;
      } else isOwed += blanks.length;
      isOwed += GAP;
    }
    return line;
  });
}

/** Every row as lines of a name and its value, with a blank line between two rows. */
function blockLines({ layout: { columns }, terminal, paint }: Drawing): string[] {
  const count = columns[0]?.cells.length ?? 0;
  const names = namesWidth(columns, terminal.columns);
  const values: Values = { width: terminal.columns - names - GAP, terminal, paint };
  return Array.from({ length: count }, (_, row) => [
    ...(row === 0 ? [] : [""]),
    ...columns.flatMap((one) => {
      const name = cutToWidth(one.heading, names);
      return namedLines(name + " ".repeat(names + GAP - displayWidth(name)), one, row, values);
    }),
  ]).flat();
}

/** The layout of values with their names. */
interface Values extends Pick<Drawing, "terminal" | "paint"> {
  readonly width: number;
}

/** A name and its value, in several lines if it is long. */
function namedLines(
  name: string,
  { column, cells }: LaidOutColumn,
  row: number,
  { width, terminal, paint }: Values,
): string[] {
  const [first = "", ...others] = cellLines(cells[row] ?? "", width, BLOCK_LINES);
  const shown = name.trimEnd();
  const margin = " ".repeat(displayWidth(name));
  const head = paint.strong(isolated(shown));
  return [
    first === "" ? head : head + " ".repeat(name.length - shown.length) + painted(first, column.kind, terminal),
    ...others.map((line) => margin + painted(line, column.kind, terminal)),
  ];
}

function painted(text: string, kind: ColumnKind, { isColoured }: TerminalLook): string {
  const shown = isolated(text);
  const paint = isColoured && kind === "state" ? paintOfState(text) : undefined;
  return paint === undefined ? shown : paint(shown);
}
