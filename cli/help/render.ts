import { displayWidth } from "../output/fit.ts";
import { wrap } from "../output/wrap.ts";
import { type Paints, paints } from "../colours.ts";
import type { Block, Page, Term } from "./page.ts";

const INDENT = "  ";

/** How a page is laid out. */
export interface Layout {
  /** Columns of the terminal. */
  readonly columns: number;
  readonly coloured: boolean;
}

/** A page as text for a terminal, wrapped. */
export function renderPage({ summary, sections }: Page, { columns, coloured }: Layout): string {
  // Longer lines are hard to read; narrower terminals are not wrapped for.
  const width = Math.max(40, Math.min(100, columns));
  const paint = paints(coloured);
  const parts = sections.map(({ title, blocks }) =>
    [paint.strong(title), ...blocks.map((block) => indented(lines(block, width - INDENT.length, paint)))].join("\n\n"),
  );
  return `${[wrap(summary, width).map(paint.faint).join("\n"), ...parts].join("\n\n")}\n`;
}

function indented(lines: readonly string[]): string {
  return lines.map((line) => (line === "" ? line : INDENT + line)).join("\n");
}

function lines(block: Block, width: number, paint: Paints): string[] {
  if (block.kind === "code") return block.lines.map(paint.word);
  if (block.kind === "text") return wrap(block.text, width);
  const beside = block.terms.filter(([term]) => displayWidth(term) <= width / 3);
  const column = Math.max(0, ...beside.map(([term]) => displayWidth(term))) + INDENT.length;
  return block.terms.flatMap((term) => termLines(term, column, width, paint));
}

function termLines([term, meaning]: Term, column: number, width: number, paint: Paints): string[] {
  const wrapped = wrap(meaning, width - column);
  const gap = column - displayWidth(term);
  const [first = "", ...rest] = gap < INDENT.length ? ["", ...wrapped] : wrapped;
  const margin = " ".repeat(column);
  return [
    `${paint.word(term)}${first === "" ? "" : " ".repeat(gap)}${first}`,
    ...rest.map((line) => `${margin}${line}`),
  ];
}
