import type { JsonObject } from "#storage/json.ts";
import { cellText, columnsOf, rowObject } from "#storage/output/cells.ts";
import { type Paint, paints } from "../colours.ts";
import { remark, type TextOutput } from "../stdout.ts";
import { boxed } from "./boxed.ts";
import { columnOf } from "./columns.ts";
import { counted } from "./counted.ts";
import { draw } from "./draw.ts";
import { layOut, layOutBlocks, type LayoutOptions } from "./layout.ts";
import { printable } from "./printable.ts";
import { objectsOf, type Rows, type WriteOptions } from "./rows.ts";
import { paintOfWord } from "./states.ts";
import { terminalOf, type TerminalLook } from "./terminal.ts";

/**
 * A table for people. On a terminal it is laid out for the width of that; in a pipe it has borders and every value in full.
 * Keeps the whole result in memory, because the widths depend on all of it. The number of rows goes to stderr.
 */
export async function writeTable(rows: Rows, output: TextOutput, options: WriteOptions = {}): Promise<void> {
  const objects = await objectsOf(rows);
  const keys = columnsOf(objects);
  if (keys.length > 0) await output.write(await tableText(objects, keys, options));
  remark(output, `${rowCount(objects.length, options)}\n`);
}

/** The same with every row as a block of lines, however few columns there are. */
export async function writeBlocks(rows: Rows, output: TextOutput, options: WriteOptions = {}): Promise<void> {
  let count = 0;
  for await (const batch of rows) {
    const objects = batch.map(rowObject);
    const keys = columnsOf(objects);
    if (keys.length > 0) await output.write(await blockText(objects, keys, { ...options, isFirst: count === 0 }));
    count += batch.length;
  }
  remark(output, `${rowCount(count, options)}\n`);
}

function rowCount(count: number, { total }: WriteOptions): string {
  const all = total?.();
  return all === undefined || all <= count ? counted(count, "row") : `${count} of ${counted(all, "row")}`;
}

const TO_SEE_ALL = "--wide shows all columns";

async function tableText(rows: readonly JsonObject[], keys: readonly string[], options: WriteOptions): Promise<string> {
  const { terminal = terminalOf(), toSeeAll = TO_SEE_ALL } = options;
  if (terminal === null) {
    const lines = [keys.map(printable), ...rows.map((row) => exactCells(row, keys))];
    return boxed(lines, (index) => index === 1, paintsOf(rows, keys, options));
  }
  return draw(layOut(rows, keys, await layoutOptions(rows, keys, terminal, options)), { terminal, toSeeAll });
}

interface BlockOptions extends WriteOptions {
  /** Whether there are no rows before these. */
  readonly isFirst: boolean;
}

async function blockText(rows: readonly JsonObject[], keys: readonly string[], options: BlockOptions): Promise<string> {
  const { terminal = terminalOf(), toSeeAll = TO_SEE_ALL, isFirst } = options;
  if (terminal === null) {
    const names = keys.map(printable);
    const lines = rows.flatMap((row) => exactCells(row, keys).map((cell, index) => [names[index] ?? "", cell]));
    return boxed(lines, (index) => index % keys.length === 0);
  }
  const layout = layOutBlocks(rows, keys, await layoutOptions(rows, keys, terminal, options));
  return (isFirst ? "" : "\n") + draw(layout, { terminal, toSeeAll });
}

function exactCells(row: JsonObject, keys: readonly string[]): string[] {
  return keys.map((key) => printable(cellText(row[key])));
}

/** The paint of cells in a pipe: headings and states. */
function paintsOf(rows: readonly JsonObject[], keys: readonly string[], { isColoured = false }: WriteOptions) {
  if (!isColoured) return undefined;
  const { strong } = paints(true);
  return (line: number, column: number): Paint | undefined => {
    if (line === 0) return strong;
    const key = keys[column] ?? "";
    return columnOf(key, []).kind === "state" ? paintOfWord(cellText(rows[line - 1]?.[key])) : undefined;
  };
}

async function layoutOptions(
  rows: readonly JsonObject[],
  keys: readonly string[],
  terminal: TerminalLook,
  { now, cellLines, secondary }: WriteOptions,
): Promise<LayoutOptions> {
  const hasTimes = keys.some(
    (key) =>
      columnOf(
        key,
        rows.map((row) => row[key] ?? null),
      ).kind === "time",
  );
  const present = hasTimes && now !== undefined ? new Date(Number((await now()) / 1000n)) : undefined;
  return { width: terminal.columns, now: present, lines: cellLines, secondary };
}
