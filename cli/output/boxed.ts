import type { Paint } from "../colours.ts";
import { displayWidth } from "./fit.ts";

/** Which lines have a rule above them; the number of lines is the rule below all. */
type HasRule = (index: number) => boolean;

/** The paint of a cell, if it has one. */
type CellPaint = (line: number, column: number) => Paint | undefined;

/** A table with borders and complete cells, for pipes and files. */
export function boxed(
  lines: readonly (readonly string[])[],
  hasRule: HasRule,
  paintOf: CellPaint = () => undefined,
): string {
  const columns = lines[0]?.length ?? 0;
  const widths = Array.from({ length: columns }, (_, index) =>
    lines.reduce((width, line) => Math.max(width, displayWidth(line[index] ?? "")), 1),
  );
  const rule = (left: string, middle: string, right: string): string =>
    `${left}${widths.map((width) => "─".repeat(width + 2)).join(middle)}${right}\n`;
  const parts = [rule("┌", "┬", "┐")];
  for (const [index, line] of lines.entries()) {
    if (index > 0 && hasRule(index)) parts.push(rule("├", "┼", "┤"));
    const cells = widths.map((width, column) => {
      const cell = line[column] ?? "";
      const painted = paintOf(index, column)?.(cell) ?? cell;
      return ` ${painted}${" ".repeat(width - displayWidth(cell))} `;
    });
    parts.push(`│${cells.join("│")}│\n`);
  }
  parts.push(rule("└", "┴", "┘"));
  return parts.join("");
}
