import { type JsonObject, stringifyJson } from "#storage/json.ts";
import { BLOCK_LINES, Candidate, type LaidOutColumn, widest } from "./candidate.ts";
import { type ColumnKind, importances } from "./columns.ts";
import { displayWidth, shareWidth } from "./fit.ts";

/** Blanks between two columns. */
export const GAP = 2;
/** Blanks before a text below its row. */
export const INDENT = 2;

/** Lines that a cell has at most before it is cut. */
const CELL_LINES = 2;

/** Columns that are narrowed before anything is wrapped, one form after the other; at first none. */
const narrower: readonly (readonly [kind: ColumnKind, form: number])[] = [
  ["hash", 0],
  ["hash", 1],
  ["message", 1],
  ["path", 1],
  ["message", 2],
  ["time", 1],
];

/** The target of a layout. */
export interface LayoutOptions {
  /** Columns of the terminal; infinite: every value in full. */
  readonly width: number;
  /** The present time of the data, for ages. */
  readonly now?: Date | undefined;
  /** Lines that a cell has at most. */
  readonly lines?: number | undefined;
  /** Columns that matter less in this result than elsewhere. */
  readonly secondary?: readonly string[] | undefined;
}

/** Where everything of a result is shown. */
export interface Layout {
  readonly kind: "table" | "blocks";
  /** Columns with one value in all rows, each with this value. */
  readonly same: readonly LaidOutColumn[];
  /** Columns without any value. */
  readonly empty: readonly string[];
  /** Side by side; of blocks, one below the other. */
  readonly columns: readonly LaidOutColumn[];
  /** Below each row, in the width of the terminal. */
  readonly below: readonly LaidOutColumn[];
  /** Columns for which there is no space. */
  readonly leftOut: readonly string[];
  readonly lines: number;
}

/**
 * Lays a result out for a terminal: values that are the same in all rows above the table, long messages below their
 * rows, and columns of little importance not at all where space lacks.
 */
export function layOut(
  rows: readonly JsonObject[],
  keys: readonly string[],
  { width, now, lines = CELL_LINES, secondary = [] }: LayoutOptions,
): Layout {
  const all = keys.map((key) => new Candidate(key, rows, now, secondary.includes(key)));
  if (width === Number.POSITIVE_INFINITY) return { ...nothing(lines), columns: all.map((one) => one.laidOut(lines)) };
  const { same, empty, differing } = separated(all, rows.length);
  const found = sideBySide(differing, width, lines, rows.length) ?? blocksOf(differing, width, lines);
  for (const one of same) one.width = Math.max(1, width - displayWidth(`${one.heading}: `));
  return { ...found, same: same.map((one) => one.laidOut(BLOCK_LINES)), empty: empty.map(({ name }) => name) };
}

/** Every row as a block, a column on each line. */
export function layOutBlocks(
  rows: readonly JsonObject[],
  keys: readonly string[],
  { width, now, lines = CELL_LINES, secondary = [] }: LayoutOptions,
): Layout {
  const all = keys.map((key) => new Candidate(key, rows, now, secondary.includes(key)));
  return blocksOf(all, width, lines);
}

function nothing(lines: number): Layout {
  return { kind: "table", same: [], empty: [], columns: [], below: [], leftOut: [], lines };
}

function blocksOf(all: readonly Candidate[], width: number, lines: number): Layout {
  const names = namesWidth(all, width);
  for (const one of all) one.useFormFor(width - names - GAP);
  return { ...nothing(lines), kind: "blocks", columns: all.map((one) => one.laidOut(lines)) };
}

/** The width of names that are followed by their values. */
export function namesWidth(named: readonly Pick<LaidOutColumn, "heading">[], width: number): number {
  return Math.min(widest(named.map(({ heading }) => heading)), Math.floor(width / 2));
}

interface Separated {
  readonly same: readonly Candidate[];
  readonly empty: readonly Candidate[];
  readonly differing: readonly Candidate[];
}

function isSame({ values }: Candidate): boolean {
  const first = stringifyJson(values[0] ?? null);
  return values.every((value) => stringifyJson(value) === first);
}

/** Columns that are the same in all rows apart from the others; of a single row nothing is. */
function separated(all: readonly Candidate[], rows: number): Separated {
  const same = rows > 1 ? all.filter(isSame) : [];
  const differing = all.filter((one) => !same.includes(one));
  // Rows need something that is theirs.
  if (differing.length === 0) return { same: [], empty: [], differing: all };
  const empty = same.filter(({ cells: [first] }) => first === "");
  return { same: same.filter((one) => !empty.includes(one)), empty, differing };
}

/** A table; undefined if there is no space even for its main columns. */
function sideBySide(all: readonly Candidate[], width: number, lines: number, rows: number): Layout | undefined {
  const [only] = all;
  if (only !== undefined && all.length === 1) {
    only.width = Math.min(only.natural, width);
    return table(all, [], all, lines);
  }
  for (const [kind, form] of narrower) {
    for (const one of all) if (one.column.kind === kind) one.useForm(form);
    for (const one of all) one.width = one.natural;
    if (!fits(all, width)) continue;
    growHeadings(all, width);
    return table(all, [], all, lines);
  }
  for (const one of all) one.useNarrowestForm();
  const below = messagesBelow(all, width, lines);
  const beside = chosen(
    all.filter((one) => !below.includes(one)),
    width,
    lines,
  );
  // A block has space for everything, and a single row no others to be compared with.
  if (beside === undefined || (rows === 1 && beside.length + below.length < all.length)) return undefined;
  grow(beside, width);
  growHeadings(beside, width);
  return table(beside, below, all, lines);
}

/** Messages that are to be below their rows: those that would be cut, or leave no space for other columns. */
function messagesBelow(all: readonly Candidate[], width: number, lines: number): readonly Candidate[] {
  const messages = all.filter(({ column }) => column.kind === "message");
  const widthOf = (one: Candidate): number => (messages.includes(one) ? one.complete(lines) : one.needed(lines));
  if (totalWidth(all.map(widthOf)) <= width) return [];
  const main = all.filter(({ isMain }) => isMain);
  const wouldBeCut = totalWidth(main.map(widthOf)) > width;
  return messages.filter((one) => wouldBeCut || one.complete(lines) > one.needed(lines));
}

function table(
  columns: readonly Candidate[],
  below: readonly Candidate[],
  all: readonly Candidate[],
  lines: number,
): Layout {
  return {
    ...nothing(lines),
    columns: columns.map((one) => one.laidOut(lines)),
    below: below.map((one) => one.laidOut(lines)),
    leftOut: all.filter((one) => !columns.includes(one) && !below.includes(one)).map(({ name }) => name),
  };
}

/**
 * The main columns, and of the others the most important for which there is space, with the widths that they need;
 * undefined if the main ones do not fit.
 */
function chosen(all: readonly Candidate[], width: number, lines: number): Candidate[] | undefined {
  // Messages next to others are complete.
  const isComplete = ({ column }: Candidate): boolean => column.kind === "message" && all.length > 1;
  for (const one of all) one.width = isComplete(one) ? one.complete(lines) : one.needed(lines);
  const main = all.filter(({ isMain }) => isMain);
  for (const one of main) if (!fits(main, width)) narrow(one, -left(main, width));
  if (!fits(main, width)) return undefined;
  const found = new Set(main);
  for (const importance of importances.slice(1)) {
    if (importance === "background") lengthenTimes([...found], width);
    for (const one of all.filter(({ column }) => column.importance === importance)) {
      if (fits([...found, one], width)) found.add(one);
    }
  }
  return found.size === 0 ? undefined : all.filter((one) => found.has(one));
}

function narrow(one: Candidate, surplus: number): void {
  const { column, width } = one;
  const least = column.kind === "certname" ? 24 : one.doesWrap ? one.least : width;
  one.width = Math.max(Math.min(width, least), width - surplus);
}

function fits(columns: readonly Candidate[], width: number): boolean {
  return left(columns, width) >= 0;
}

/**
 * Distributes the remaining width: main columns get all that they lack if that is enough, then times, then all a share.
 */
function grow(columns: readonly Candidate[], width: number): void {
  for (const one of columns.filter(({ isMain }) => isMain)) growTo(one, one.natural, columns, width);
  lengthenTimes(columns, width);
  const growing = columns.filter((one) => one.width < one.natural);
  const shares = shareWidth(
    growing.map((one) => one.natural - one.width),
    left(columns, width),
  );
  for (const [index, one] of growing.entries()) one.width += shares[index] ?? 0;
}

/** Headings in one line where there is space. */
function growHeadings(columns: readonly Candidate[], width: number): void {
  for (const one of columns) growTo(one, displayWidth(one.heading), columns, width);
}

function growTo(one: Candidate, wanted: number, columns: readonly Candidate[], width: number): void {
  if (wanted - one.width <= left(columns, width)) one.width = Math.max(one.width, wanted);
}

function left(columns: readonly Candidate[], width: number): number {
  return width - totalWidth(columns.map((one) => one.width));
}

function lengthenTimes(columns: readonly Candidate[], width: number): void {
  for (const one of columns.filter(({ column }) => column.kind === "time")) lengthen(one, left(columns, width));
}

/** The most complete form that needs at most `more` columns more. */
function lengthen(one: Candidate, more: number): void {
  const narrowest = one.form;
  const most = one.width + more;
  for (let form = 0; form < narrowest; form++) {
    one.useForm(form);
    if (one.natural <= most) break;
    one.useForm(narrowest);
  }
  one.width = Math.max(one.width, one.natural);
}

function totalWidth(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0) + GAP * Math.max(0, widths.length - 1);
}
