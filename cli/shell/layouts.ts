import type { TextFormat } from "../output/formats.ts";
import { writeBlocks } from "../output/table.ts";
import { writers } from "../output/writers.ts";
import { type Rows, type WriteOptions } from "../output/rows.ts";
import type { TextOutput } from "../stdout.ts";

export interface LayoutOptions extends WriteOptions {
  /** Every row of a table as a block of lines. */
  readonly isExpanded: boolean;
}

/** Writes rows in a layout. */
export async function writeAs(
  layout: TextFormat,
  rows: Rows,
  output: TextOutput,
  options: LayoutOptions,
): Promise<void> {
  const write = layout === "table" && options.isExpanded ? writeBlocks : writers[layout];
  await write(rows, output, options);
}
