import type { Json, JsonObject } from "#storage/json.ts";
import { cellIn, formsOf } from "./cell-forms.ts";
import { type Column, columnOf, type ColumnKind, type Importance } from "./columns.ts";
import { displayWidth, wrapToWidth } from "./fit.ts";
import { printableCell } from "./printable.ts";

/** Lines that a heading has at most. */
export const HEADING_LINES = 3;
/** Lines of a value that has the width of the terminal: one that is shown once, or in a block. */
export const BLOCK_LINES = 4;

/** How wide wrapped cells are: never narrower than `keep`, and wider than `enough` only where there is space. */
interface WrappedWidth {
  readonly keep: number;
  readonly enough: number;
}

const wrappedWidths: Readonly<Record<Importance, WrappedWidth>> = {
  main: { keep: 20, enough: 48 },
  useful: { keep: 16, enough: 32 },
  detail: { keep: 14, enough: 24 },
  background: { keep: 12, enough: 20 },
};

/** Kinds whose cells may take several lines. */
const wraps: ReadonlySet<ColumnKind> = new Set(["message", "resource", "path", "text"]);

/** One column of the result, with its width in a table. */
export interface LaidOutColumn {
  readonly name: string;
  readonly heading: string;
  readonly column: Column;
  readonly width: number;
  readonly isRight: boolean;
  readonly cells: readonly string[];
}

/** A column while its form and width are not decided. */
export class Candidate {
  readonly name: string;
  readonly column: Column;
  readonly heading: string;
  readonly values: readonly Json[];
  form = 0;
  width = 0;
  readonly #rows: readonly JsonObject[];
  readonly #now: Date | undefined;
  readonly #cells: string[][] = [];
  readonly #natural: number[] = [];

  /** @param isSecondary whether it may be left out although it is a main column elsewhere */
  constructor(name: string, rows: readonly JsonObject[], now: Date | undefined, isSecondary = false) {
    this.name = name;
    this.values = rows.map((row) => row[name] ?? null);
    const column = columnOf(name, this.values);
    this.column = isSecondary && column.importance === "main" ? { ...column, importance: "useful" } : column;
    this.heading = printableCell(this.column.heading ?? name);
    this.#rows = rows;
    this.#now = now;
  }

  get cells(): readonly string[] {
    return (this.#cells[this.form] ??= this.#written());
  }

  /** The width that shows every cell in one line. */
  get natural(): number {
    return (this.#natural[this.form] ??= Math.max(this.headingWidth, widest(this.cells)));
  }

  /** The width that the heading needs in several lines. */
  get headingWidth(): number {
    const longest = widest(this.heading.split(/(?<=[_.])/));
    return wrappedWidth([this.heading], HEADING_LINES, longest, displayWidth(this.heading));
  }

  get isMain(): boolean {
    return this.column.importance === "main";
  }

  get doesWrap(): boolean {
    return wraps.has(this.column.kind);
  }

  /** The width that shows every cell completely in at most `lines` lines. */
  complete(lines: number): number {
    return this.doesWrap ? wrappedWidth(this.cells, lines, this.least, this.natural) : this.natural;
  }

  /** The width that shows almost every cell completely in at most `lines` lines, unless that is very wide. */
  needed(lines: number): number {
    if (!this.doesWrap) return Math.min(this.natural, 64);
    const almost = wrappedWidth(withoutOutliers(this.cells), lines, this.least, this.natural);
    return Math.max(this.least, Math.min(wrappedWidths[this.column.importance].enough, almost));
  }

  /** The width that is still worth to be shown. */
  get least(): number {
    return Math.min(this.natural, Math.max(wrappedWidths[this.column.importance].keep, this.headingWidth));
  }

  /** @returns whether there is such a form */
  useForm(form: number): boolean {
    if (formsOf[this.column.kind][form] === undefined) return false;
    this.form = form;
    return true;
  }

  /** The most complete form of which nothing is cut in a block. */
  useFormFor(width: number): void {
    const lines = this.doesWrap ? BLOCK_LINES : 1;
    const isCut = (): boolean => this.cells.some((cell) => wrapToWidth(cell, width, lines).isCut);
    this.width = 0;
    this.useForm(0);
    while (isCut() && this.useForm(this.form + 1));
  }

  useNarrowestForm(): void {
    // Lists are shortened cell by cell, where they would be cut.
    if (this.column.kind !== "text") this.form = formsOf[this.column.kind].length - 1;
  }

  /** @param lines that a cell has at most */
  laidOut(lines: number): LaidOutColumn {
    const { name, heading, column, width } = this;
    const cells = column.kind === "text" && width > 0 ? this.#uncut(width, lines) : this.cells;
    const isRight = column.kind === "number" || column.kind === "duration";
    return { name, heading, column, width: width === 0 ? this.natural : width, isRight, cells };
  }

  /** The cells, those that would be cut in a shorter form. */
  #uncut(width: number, lines: number): readonly string[] {
    const narrowest = formsOf[this.column.kind].length - 1;
    return this.cells.map((cell, row) =>
      wrapToWidth(cell, width, lines).isCut ? this.#cell(this.values[row] ?? null, row, narrowest) : cell,
    );
  }

  #written(): string[] {
    return this.values.map((value, row) => this.#cell(value, row, this.form));
  }

  #cell(value: Json, row: number, index: number): string {
    const form = formsOf[this.column.kind][index];
    if (form === undefined) throw new Error(`${this.column.kind} has no form ${index}`);
    return cellIn(form, value, this.column, { row: this.#rows[row] ?? {}, now: this.#now });
  }
}

/** The columns of a terminal that the widest of some texts takes. */
export function widest(texts: readonly string[]): number {
  return texts.reduce((width, text) => Math.max(width, displayWidth(text)), 0);
}

/** All texts except the longest: a few very long ones must not decide for all. */
function withoutOutliers(texts: readonly string[]): readonly string[] {
  return texts.toSorted((a, b) => b.length - a.length).slice(Math.floor(texts.length * 0.05));
}

/** The smallest width from `least` to `most` in which no text needs more than `lines` lines. */
function wrappedWidth(texts: readonly string[], lines: number, least: number, most: number): number {
  // The longest cells decide.
  const longest = texts.toSorted((a, b) => b.length - a.length).slice(0, 50);
  let [low, high] = [least, most];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (longest.some((text) => wrapToWidth(text, middle, lines).isCut)) low = middle + 1;
    else high = middle;
  }
  return low;
}
