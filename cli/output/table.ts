import { getBorderCharacters, table, type TableUserConfig } from "table";
import type { TextOutput } from "../stdout.ts";
import { cellText, columnsOf, rowObject } from "#storage/output/cells.ts";
import { counted } from "./counted.ts";
import { cutToWidth, displayWidth, shareWidth } from "./fit.ts";
import { printable } from "./printable.ts";
import { terminalWidth } from "./width.ts";
import type { Rows, WriteOptions } from "./rows.ts";

/** What borders and padding take: of each column, and once. */
const PER_COLUMN = 3;
const ONCE = 1;

/**
 * A table as wide as the terminal, long cells cut; with more columns than fit, every row becomes a block of lines, a key
 * and its value on each. In a pipe nothing is cut. Holds the whole answer in memory, for the widths depend on all of it.
 * The number of rows goes to stderr.
 */
export async function writeTable(
  rows: Rows,
  output: TextOutput,
  { columns = terminalWidth() }: WriteOptions = {},
): Promise<void> {
  const objects = [];
  for await (const batch of rows) objects.push(...batch.map(rowObject));
  const keys = columnsOf(objects);
  const cells = objects.map((row) => keys.map((key) => printable(cellText(row[key]))));
  if (keys.length > 0) await output.write(sideBySide(keys, cells, columns) ?? inBlocks(keys, cells, columns));
  remark(output, `${counted(objects.length, "row")}\n`);
}

/** The same with every row as a block of lines, however few columns there are. */
export async function writeBlocks(
  rows: Rows,
  output: TextOutput,
  { columns = terminalWidth() }: WriteOptions = {},
): Promise<void> {
  let count = 0;
  for await (const batch of rows) {
    const objects = batch.map(rowObject);
    const keys = columnsOf(objects);
    const cells = objects.map((row) => keys.map((key) => printable(cellText(row[key]))));
    if (keys.length > 0) await output.write(inBlocks(keys, cells, columns));
    count += batch.length;
  }
  remark(output, `${counted(count, "row")}\n`);
}

function remark(output: TextOutput, text: string): void {
  if (output.aside === undefined) process.stderr.write(text);
  else output.aside(text);
}

function sideBySide(keys: readonly string[], cells: readonly string[][], columns: number): string | undefined {
  const header = keys.map(printable);
  const natural = header.map((key, index) => widest([key, ...cells.map((row) => row[index] ?? "")]));
  const widths = shareWidth(natural, columns - ONCE - PER_COLUMN * keys.length);
  if (widths === undefined) return undefined;
  const lines = [header, ...cells];
  return draw(lines, widths, (index) => index <= 1 || index === lines.length);
}

function inBlocks(keys: readonly string[], cells: readonly string[][], columns: number): string {
  const lines = cells.flatMap((row) => row.map((cell, index) => [printable(keys[index] ?? ""), cell]));
  const natural = [0, 1].map((index) => widest(lines.map((line) => line[index] ?? "")));
  const widths = shareWidth(natural, columns - ONCE - PER_COLUMN * 2) ?? natural;
  return draw(lines, widths, (index) => index % keys.length === 0);
}

function draw(lines: readonly string[][], widths: readonly number[], hasLine: (index: number) => boolean): string {
  const config: TableUserConfig = {
    border: getBorderCharacters("norc"),
    columns: widths.map((width) => ({ width: Math.max(1, width) })),
    drawHorizontalLine: hasLine,
  };
  return table(
    lines.map((line) => line.map((cell, index) => cutToWidth(cell, widths[index] ?? 0))),
    config,
  );
}

function widest(texts: readonly string[]): number {
  return texts.reduce((width, text) => Math.max(width, displayWidth(text)), 0);
}
