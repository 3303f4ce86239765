import { formatSpan } from "#storage/display/spans.ts";
import { stateLabels } from "#storage/states/words.ts";
import { type Paint, paints, type Paints, style } from "../colours.ts";
import { cutToWidth, displayWidth, shareWidth, wrapToWidth } from "../output/fit.ts";
import { isolated, printableCell } from "../output/printable.ts";
import { stateLooks, stateText } from "../output/states.ts";
import { type Content, contentOf, type HeadLine } from "./content.ts";
import { helpLines } from "./help.ts";
import type { ListColumn, ListRow } from "./list.ts";
import { countsOf } from "./fleet.ts";
import { shownPage, shownView, type State } from "./state.ts";

const GAP = "  ";
const CHOSEN = "▸ ";
const NOT_CHOSEN = "  ";

interface Look extends Paints {
  readonly width: number;
  readonly isColoured: boolean;
  readonly chosen: Paint;
}

/** The lines of the screen, one for each row of the terminal or fewer. */
export function frameOf(state: State, isColoured: boolean): string[] {
  const width = state.columns;
  const look: Look = { ...paints(isColoured), width, isColoured, chosen: isColoured ? style(7, 27) : (text) => text };
  if (state.isHelp) return helpFrame(state, look);
  const content = contentOf(state);
  const above = [
    titleLine(state, content, look),
    ...linkLines(state, look),
    ...headLines(state, content, look),
    tabLine(state, content, look),
  ];
  const below = [...moreLines(state, content, look), footer(state, content, look)];
  const hasHeading = content.list.columns.some(({ heading }) => heading !== "");
  const height = Math.max(3, state.rows - above.length - below.length - (hasHeading ? 1 : 0));
  const rows = rowLines(state, content, height, look);
  const middle = [...(hasHeading ? [headingLine(state, content, look)] : []), ...rows];
  const missing = Math.max(0, state.rows - above.length - middle.length - below.length);
  return [...above, ...middle, ...Array.from({ length: missing }, () => ""), ...below].slice(0, state.rows);
}

/** A text that fits and cannot move the cursor. */
function shown(text: string, width: number): string {
  return isolated(cutToWidth(printableCell(text), Math.max(1, width)));
}

function padded(text: string, width: number, isNumber = false): string {
  const cut = shown(text, width);
  const blanks = " ".repeat(Math.max(0, width - displayWidth(cut)));
  return isNumber ? blanks + cut : cut + blanks;
}

/** Two texts at both ends of a line; the left one is cut first. */
function ends(left: string, right: string, { width }: Look, paintLeft: Paint, paintRight: Paint): string {
  const most = Math.max(0, width - displayWidth(right) - (right === "" ? 0 : 2));
  if (most < 10) return paintLeft(shown(left, width));
  return paintLeft(padded(left, most)) + (right === "" ? "" : GAP + paintRight(right));
}

function titleLine(state: State, { trail }: Content, look: Look): string {
  const { link, fleet, source } = state;
  const right =
    link.kind === "still"
      ? `as of ${fleet.now.toISOString().slice(0, 16).replace("T", " ")}`
      : link.kind === "live"
        ? `live ${clock(link.at)}`
        : `stopped ${clock(link.at)}`;
  const left = trail.length === 0 ? source : trailText(trail, look.width - displayWidth(right) - GAP.length * 2 - 6);
  return ends(`Census  ${left}`, right, look, look.strong, look.faint);
}

/** The last pages of a trail: those before them are left out where there is no space. */
function trailText(trail: readonly string[], width: number): string {
  for (let first = 0; first < trail.length - 1; first++) {
    const text = [...(first === 0 ? [] : ["…"]), ...trail.slice(first)].join(" › ");
    if (displayWidth(text) <= width) return text;
  }
  return trail.at(-1) ?? "";
}

function clock(time: Date): string {
  return time.toTimeString().slice(0, 8);
}

/** What a person must know when the source does not answer. */
function linkLines({ link }: State, look: Look): string[] {
  if (link.kind !== "gone") return [];
  const { sign, paint } = stateLooks.failed;
  const span = formatSpan((link.at.getTime() - link.since.getTime()) / 1000);
  const text = shown(`${sign} no answer since ${clock(link.since)} (${span}): ${link.reason}`, look.width);
  return [look.isColoured ? paint(text) : text];
}

function headLines(state: State, { head }: Content, look: Look): string[] {
  if (shownPage(state).subject.kind === "fleet") return fleetLines(state, look);
  return head.flatMap((line) => wrappedHead(line, look));
}

function wrappedHead({ text, state, most = 1 }: HeadLine, look: Look): string[] {
  const whole = printableCell(stateText(text, state));
  const lines = wrapToWidth(whole, Math.max(1, look.width), most).lines.map(isolated);
  return state === undefined || !look.isColoured ? [...lines] : lines.map(stateLooks[state].paint);
}

/** The number of nodes in each state, in words and as a bar. */
function fleetLines({ fleet }: State, look: Look): string[] {
  const counts = countsOf(fleet);
  if (counts.length === 0) return [];
  const words = counts.map(({ state, count }) => ({
    state,
    text: `${stateLooks[state].sign} ${count} ${stateLabels[state]}`,
  }));
  const lines: { state: (typeof counts)[number]["state"]; text: string }[][] = [[]];
  let used = 0;
  for (const word of words) {
    const size = displayWidth(word.text) + GAP.length;
    if (used > 0 && used + size - GAP.length > look.width) {
      lines.push([]);
      used = 0;
    }
    lines.at(-1)?.push(word);
    used += size;
  }
  const paint = (text: string, state: (typeof counts)[number]["state"]): string =>
    look.isColoured ? stateLooks[state].paint(text) : text;
  return [
    ...lines.map((line) => line.map(({ state, text }) => paint(text, state)).join(GAP)),
    barWidths(
      counts.map(({ count }) => count),
      look.width,
    )
      .map((size, index) => {
        const state = counts[index]?.state ?? "unchanged";
        return paint(stateLooks[state].sign.repeat(size), state);
      })
      .join(""),
  ];
}

/** Distributes the columns of a bar in proportion; what is there has one column at least. */
export function barWidths(counts: readonly number[], width: number): number[] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const widths = counts.map((count) => Math.max(1, Math.floor((count / total) * width)));
  const largest = widths.indexOf(Math.max(...widths));
  const used = widths.reduce((sum, size) => sum + size, 0);
  return widths.map((size, index) => (index === largest ? Math.max(1, size + width - used) : size));
}

function tabLine(state: State, { tabs, tab, list, rows }: Content, look: Look): string {
  const { filter, order } = shownView(state);
  const isFiltered = state.isTyping || filter !== "";
  const sorted = list.orders[order];
  const right = [
    ...(isFiltered ? [`/${filter}${state.isTyping ? "_" : ""}`, `${rows.length} of ${list.rows.length}`] : []),
    ...(sorted === undefined || isFiltered ? [] : [`by ${sorted.name}`]),
  ];
  const texts = tabs.map(({ name, count }, index) => {
    const text = `${tabs.length > 1 ? `${index + 1} ` : ""}${name}${count === undefined ? "" : ` ${count}`}`;
    return index === tab ? `[${text}]` : ` ${text} `;
  });
  const plain = texts.join("");
  const most = Math.max(12, look.width - displayWidth(plain) - 2);
  const end = shown(right.join(GAP), most);
  const gap = look.width - displayWidth(plain) - displayWidth(end);
  const left = texts.map((text, index) => (index === tab ? look.strong(text) : look.faint(text))).join("");
  if (gap < 1) return isFiltered ? end : left;
  return left + " ".repeat(gap) + (isFiltered ? look.word(end) : look.faint(end));
}

interface Laid {
  readonly column: ListColumn;
  readonly index: number;
  readonly width: number;
}

/** The columns that fit, with their widths. */
function laidOut({ list }: Content, width: number): Laid[] {
  const columns = list.columns
    .map((column, index) => ({ column, index }))
    .filter(({ column }) => width >= (column.from ?? 0));
  const fixed = columns.map(({ column }) => (typeof column.width === "number" ? column.width : 0));
  const shares = columns.map(({ column }) => (typeof column.width === "number" ? 0 : column.width.share));
  const taken = fixed.reduce((sum, size) => sum + size, 0) + GAP.length * (columns.length - 1) + CHOSEN.length;
  const left = Math.max(0, width - taken);
  const all = shares.reduce((sum, share) => sum + share, 0);
  const parts = shareWidth(
    shares.map((share) => (all === 0 ? 0 : Math.floor((left * share) / all))),
    left,
  );
  return columns.map(({ column, index }, place) => ({
    column,
    index,
    width: (fixed[place] ?? 0) || (parts[place] ?? 0),
  }));
}

function headingLine(state: State, content: Content, look: Look): string {
  const sorted = content.list.orders[shownView(state).order]?.name;
  const cells = laidOut(content, look.width).map(({ column, width }) => {
    const { heading, isNumber } = column;
    const marked = heading === sorted && displayWidth(heading) < width ? `${heading}↓` : heading;
    return padded(marked, width, isNumber);
  });
  return look.faint(NOT_CHOSEN + cells.join(GAP));
}

function rowLines(state: State, content: Content, height: number, look: Look): string[] {
  const { rows, chosen, list } = content;
  if (rows.length === 0) {
    const { filter } = shownView(state);
    const text = list.rows.length === 0 ? list.nothing : `Nothing contains "${filter}"; Escape removes the filter.`;
    return [look.faint(shown(NOT_CHOSEN + text, look.width))];
  }
  const first = Math.max(0, Math.min(chosen - Math.floor(height / 2), rows.length - height));
  const laid = laidOut(content, look.width);
  return rows.slice(first, first + height).map((row, index) => rowLine(row, laid, first + index === chosen, look));
}

function rowLine(row: ListRow, laid: readonly Laid[], isChosen: boolean, look: Look): string {
  const cells = row.cells();
  const texts = laid.map(({ column, index, width }) => {
    const text = padded(cells[index] ?? "", width, column.isNumber);
    if (isChosen || !look.isColoured) return text;
    if (index === 0 && row.state !== undefined) return stateLooks[row.state].paint(text);
    return column.isFaint === true ? look.faint(text) : text;
  });
  return isChosen ? look.chosen(CHOSEN + texts.join(GAP)) : NOT_CHOSEN + texts.join(GAP);
}

/** The chosen row in full, as far as there is space. */
function moreLines({ rows: height }: State, { rows, chosen }: Content, look: Look): string[] {
  const more = rows[chosen]?.more;
  if (height < 20 || more === undefined) return [];
  const most = Math.floor(height / 8);
  const { lines } = wrapToWidth(printableCell(more), look.width, most);
  return [
    look.faint("─".repeat(look.width)),
    ...Array.from({ length: most }, (_, index) => isolated(lines[index] ?? "")),
  ];
}

function footer(state: State, { rows, chosen, list, tabs }: Content, look: Look): string {
  const keys: [string, string][] = state.isTyping
    ? [
        ["Enter", "done"],
        ["Escape", "no filter"],
        ["↑↓", "move"],
      ]
    : [
        ...(rows[chosen]?.opens === undefined ? [] : [["Enter", "open"] as [string, string]]),
        ...(state.pages.length > 1 || shownView(state).filter !== "" ? [["Esc", "back"] as [string, string]] : []),
        ...(tabs.length > 1 ? [["Tab", "next list"] as [string, string]] : []),
        ["/", "filter"],
        ...(list.orders.length > 1 ? [["s", "sort"] as [string, string]] : []),
        ...(state.link.kind === "still" ? [] : [["r", "refresh"] as [string, string]]),
        ["?", "help"],
        ["q", "quit"],
      ];
  let line = "";
  let used = 0;
  for (const [key, what] of keys) {
    const size = displayWidth(`${key} ${what}`) + GAP.length;
    if (used + size - GAP.length > look.width) break;
    line += `${used === 0 ? "" : GAP}${look.word(key)} ${look.faint(what)}`;
    used += size;
  }
  return line;
}

function helpFrame({ rows }: State, look: Look): string[] {
  const lines = helpLines(look.width);
  const height = Math.max(1, rows - 1);
  const body = lines.slice(0, height).map((line) => shown(line, look.width));
  return [...body, ...Array.from({ length: height - body.length }, () => ""), look.faint("any key: back")].slice(
    0,
    rows,
  );
}
