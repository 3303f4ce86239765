import { cutToWidth } from "../output/fit.ts";
import type { TextOutput } from "../stdout.ts";
import { looks } from "./paint.ts";
import type { TreeLine } from "./value-lines.ts";

/** How a tree is laid out. */
export interface TreeLayout {
  readonly coloured: boolean;
  /** The terminal's width; longer lines are cut. */
  readonly columns: number;
}

/** Writes lines of a tree, each as deep as it says. */
export async function writeLines(lines: readonly TreeLine[], { coloured, columns }: TreeLayout, output: TextOutput) {
  if (lines.length === 0) return;
  const texts = lines.map(({ depth, look, text }) => {
    const line = cutToWidth("  ".repeat(depth) + text, columns);
    return look === undefined || !coloured ? line : looks[look](line);
  });
  await output.write(`${texts.join("\n")}\n`);
}
