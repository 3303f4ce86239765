/**
 * `docs/performance.md` holds what a run measured: its tables stand between `<!-- name -->` and `<!-- end -->`, and
 * `npm run bench -- --docs` renews those of the scenarios it measured. Everything else on the page is written by hand.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { conditionsOf } from "./machine.ts";
import { type Run, spelled } from "./report.ts";
import { type Figure } from "./figure.ts";

/** Where the page lies, and beside it the plot that it shows. */
const page = join(import.meta.dirname, "../../docs/performance.md");
const PLOT = "growth.svg";

/** Markdown by the name of its place on the page. */
type Tables = Readonly<Record<string, string>>;

/** Puts the tables of a run in their places on the page, and draws the plot anew. */
export async function renewPage(figures: readonly Figure[], run: Run): Promise<void> {
  writeFileSync(page, renewTables(readFileSync(page, "utf8"), tablesOf(figures, run)));
  const { growthPlot } = await import("./plot.ts");
  const drawn = await growthPlot(figures);
  if (drawn !== undefined) writeFileSync(join(dirname(page), PLOT), `${drawn}\n`);
}

/** @returns the text with what stands between the marks of each table replaced by that table */
export function renewTables(text: string, tables: Tables): string {
  return text.replace(
    /(<!-- ([\w-]+) -->\n)[^]*?(<!-- end -->)/g,
    (whole, begin: string, name: string, end: string) => {
      const table = tables[name];
      return table === undefined ? whole : `${begin}\n${table}\n\n${end}`;
    },
  );
}

/** A table for each group of scenarios that was measured, below the conditions that it was measured under. */
export function tablesOf(figures: readonly Figure[], run: Run): Tables {
  const groups = Map.groupBy(figures, ({ scenario }) => groupOf(scenario));
  const tables = [...groups].map(([name, measured]) => {
    const { size, table } = layouts.find(({ of }) => of.test(name)) ?? list;
    const conditions = conditionsOf(run.started, name.startsWith("peer-") ? run.peer : undefined);
    return [name, `${[...size(run), conditions].join("; ")}\n\n${table(measured)}`] as const;
  });
  return Object.fromEntries(tables);
}

function groupOf(scenario: string): string {
  return /^(?:peer-\w+|fleet-\w+|growth|package$)/.exec(scenario)?.[0] ?? "alone";
}

interface Layout {
  /** the groups that are shown like this */
  readonly of: RegExp;
  /** what the size of the population is said to be; nothing where the table says it */
  readonly size: (run: Run) => readonly string[];
  readonly table: (figures: readonly Figure[]) => string;
}

const layouts: readonly Layout[] = [
  { of: /^peer-/, size: ({ nodes }) => [`${nodes} nodes`], table: compared },
  { of: /^fleet-/, size: ({ fleet }) => [`fleet of ${fleet.nodes} nodes`], table: overTime },
  { of: /^growth$/, size: () => [], table: bySize },
];

/** Of all others. */
const list: Omit<Layout, "of"> = { size: ({ nodes }) => [`${nodes} nodes`], table: alone };

function compared(figures: readonly Figure[]): string {
  const scenarios = Map.groupBy(figures, ({ scenario }) => scenario);
  const hasFloor = figures.some(({ metric }) => metric === "floor");
  const rows = [...scenarios].flatMap(([scenario, own]) => {
    const what = scenario.replace(/^peer-\w+[/, ]+/, "");
    const figure = (name: string): Figure | undefined => own.find(({ metric }) => metric === name);
    const besides = own.flatMap(({ metric }) => /^(?:peer|Census)(, .+)/.exec(metric)?.[1] ?? []);
    return ["", ...new Set(besides)].map((part) => {
      const ratio = figure(`ratio${part}`);
      const cells = [`${what}${part}`, shown(figure(`peer${part}`)), shown(figure(`Census${part}`)), shown(ratio)];
      const floor = [figure("floor"), figure("floor's ratio")].filter((each) => each !== undefined).map(shown);
      return [...cells, bar(ratio), ...(hasFloor ? [part === "" ? floor.join(", ") : ""] : [])];
    });
  });
  return tableOf(["what", "PuppetDB", "Census", "ratio", "bar", ...(hasFloor ? ["the engine alone"] : [])], rows);
}

function alone(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const { unit, statistics } = figure;
    const spread =
      figure.samples.length > 1 ? `${spelled(statistics.min, unit)} – ${spelled(statistics.max, unit)}` : "";
    return [figure.scenario, figure.metric, shown(figure), spread, bar(figure)];
  });
  return tableOf(["scenario", "figure", "median", "min – max", "bar"], rows);
}

/** The plot, and a row for each scenario, with its figures side by side; the last of them has the bar. */
function bySize(figures: readonly Figure[]): string {
  // Some are followed through more sizes than others.
  const names = [...new Set(figures.map(({ metric }) => metric))].toSorted((a, b) => placeOf(a) - placeOf(b) || 0);
  const scenarios = Map.groupBy(figures, ({ scenario }) => scenario);
  const rows = [...scenarios].map(([scenario, own]) => {
    const cells = names.map((name) => own.find(({ metric }) => metric === name));
    const what = scenario.replace(/^growth\//, "").replace("/", ": ");
    return [what, ...cells.map(shown), bar(cells.find((figure) => figure?.target !== undefined))];
  });
  return `![The same as a plot](${PLOT})\n\n${tableOf(["what", ...names, "bar"], rows)}`;
}

/** Sizes in their order, in front of what has no number. */
function placeOf(metric: string): number {
  return Number(/^\d+/.exec(metric)?.[0] ?? Infinity);
}

/** Figures with a sample for each moment side by side, the others below. */
function overTime(figures: readonly Figure[]): string {
  const times = Math.max(...figures.map(({ samples }) => samples.length));
  const steady = figures.filter(({ samples }) => samples.length === times);
  const rows = Array.from({ length: times }, (_, time) =>
    steady.map(({ samples, unit }) => spelled(samples[time] ?? Number.NaN, unit)),
  );
  const whole = figures.filter(({ samples }) => samples.length < times);
  const sums = whole.map((figure) => [figure.metric, shown(figure), bar(figure)]);
  return [
    tableOf(
      steady.map(({ metric }) => metric),
      rows,
    ),
    ...(sums.length === 0 ? [] : [tableOf(["figure", "", "bar"], sums)]),
  ].join("\n\n");
}

function shown(figure: Figure | undefined): string {
  return figure === undefined ? "" : spelled(figure.statistics.median, figure.unit);
}

function bar(figure: Figure | undefined): string {
  if (figure?.target === undefined) return "";
  const { target, unit, met } = figure;
  const wanted = "atLeast" in target ? `≥ ${spelled(target.atLeast, unit)}` : `≤ ${spelled(target.atMost, unit)}`;
  return met === true ? wanted : `${wanted}, **missed**`;
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}
