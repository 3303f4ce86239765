/**
 * Results in `docs/performance.md`, `docs/performance-notes.md` and `docs/high-availability.md`: the tables between `<!-- name -->` and `<!-- end -->`.
 * `npm run bench -- --docs` replaces those of the scenarios it measured. Everything else is written by hand.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Parts, withParts } from "../../packaging/docs/parts.ts";
import { conditionsOf } from "./machine.ts";
import { type Run, spelled } from "./report.ts";
import { type Figure } from "./figure.ts";

/** The pages with tables. */
const pages = ["performance.md", "performance-notes.md", "high-availability.md"].map((name) =>
  join(import.meta.dirname, "../../docs", name),
);

/** Replaces the tables of a run on the pages. */
export function renewPages(figures: readonly Figure[], run: Run): void {
  const tables = tablesOf(figures, run);
  for (const page of pages) writeFileSync(page, withParts(readFileSync(page, "utf8"), tables));
}

/** A table for each group of scenarios that was measured, below the conditions that it was measured under. */
function tablesOf(figures: readonly Figure[], run: Run): Parts {
  const groups = Map.groupBy(figures, ({ scenario }) => groupOf(scenario, run));
  const tables = [...groups].map(([name, measured]) => {
    const { size, table } = layouts.find(({ of }) => of.test(name)) ?? list;
    const conditions = conditionsOf(run.started, name.startsWith("peer-") ? run.peer : undefined);
    return [name, `${[...size(run), conditions].join("; ")}\n\n${table(measured)}`] as const;
  });
  return Object.fromEntries(tables);
}

/** The pages of the explorer are shown at several sizes. */
function groupOf(scenario: string, { nodes }: Run): string {
  if (scenario.startsWith("pages/")) return `pages-${nodes}`;
  if (scenario === "large-opening") return "opening";
  const names =
    /^(?:peer-\w+|fleet-hour$|history|query|explorer|(?:package|commands|opening|replicas|fixture-start|large-fleet)$)/;
  return names.exec(scenario)?.[0] ?? "alone";
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
  { of: /^fleet-hour$/, size: ({ hour }) => [`${hour.nodes} nodes, ${hour.minutes} minutes`], table: ofHour },
  { of: /^pages-/, size: ({ nodes }) => [`${nodes} nodes`], table: ofPages },
  { of: /^(?:opening|replicas|large-fleet)$/, size: () => [], table: alone },
  { of: /^query$/, size: ({ nodes }) => [`${nodes} nodes`], table: queries },
];

/** Of all others. */
const list: Omit<Layout, "of"> = { size: ({ nodes }) => [`${nodes} nodes`], table: alone };

function compared(figures: readonly Figure[]): string {
  const scenarios = Map.groupBy(figures, ({ scenario }) => scenario);
  const isRepeated = figures.some(({ metric }) => metric === "again");
  const rows = [...scenarios].flatMap(([scenario, own]) => {
    const what = scenario.replace(/^peer-\w+[/, ]+/, "");
    const figure = (name: string): Figure | undefined => own.find(({ metric }) => metric === name);
    const besides = own.flatMap(({ metric }) => /^(?:peer|Census)(, .+)/.exec(metric)?.[1] ?? []);
    return ["", ...new Set(besides)].map((part) => {
      const census = figure(`Census${part}`);
      const cells = [`${what}${part}`, shown(figure(`peer${part}`)), shown(census), shown(figure(`ratio${part}`))];
      return [...cells, ...(isRepeated ? [shown(figure("again"))] : []), limit(census)];
    });
  });
  return tableOf(["what", "PuppetDB", "Census", "ratio", ...(isRepeated ? ["sent again"] : []), LIMIT], rows);
}

function alone(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const { unit, statistics } = figure;
    const spread =
      figure.samples.length > 1 ? `${spelled(statistics.min, unit)} – ${spelled(statistics.max, unit)}` : "";
    return [figure.scenario, figure.metric, shown(figure), spread, limit(figure)];
  });
  return tableOf(["scenario", "figure", "median", "min – max", LIMIT], rows);
}

/** A row for each figure of the only scenario. */
function ofHour(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [figure.metric, shown(figure), limit(figure)]);
  return tableOf(["figure", "measured", LIMIT], rows);
}

/** A row for each query: until the answer is there, and what of that goes into making SQL. */
function queries(figures: readonly Figure[]): string {
  const scenarios = Map.groupBy(figures, ({ scenario }) => scenario);
  const rows = [...scenarios].map(([scenario, own]) => {
    const [answer, again, compile] = ["answer", "again", "compile"].map((name) =>
      own.find(({ metric }) => metric === name),
    );
    return [scenario.replace(/^query\//, ""), shown(answer), shown(again), shown(compile)];
  });
  return tableOf(["query", "answer", "sent again", "compile"], rows);
}

/** A row for each page of the explorer. */
function ofPages(figures: readonly Figure[]): string {
  const names = ["median", "95th percentile", "nothing stored since", "elapsed"];
  const scenarios = Map.groupBy(figures, ({ scenario }) => scenario);
  const rows = [...scenarios].map(([scenario, own]) => {
    const cells = names.map((name) => own.find(({ metric }) => metric === name));
    const [ours, boards, board] = ["requests", "Puppetboard, requests", "Puppetboard, median"].map((name) =>
      own.find(({ metric }) => metric === name),
    );
    const page = scenario.replace(/^pages\//, "");
    return [page, counted(ours), ...cells.map(shown), limit(cells[3]), counted(boards), shown(board)];
  });
  const head = ["page", "requests", ...names, LIMIT, "Puppetboard's requests", "their median"];
  return tableOf(head, rows);
}

/** A number without its unit, which the head of the column says. */
function counted(figure: Figure | undefined): string {
  return figure === undefined ? "" : String(figure.statistics.median);
}

function shown(figure: Figure | undefined): string {
  return figure === undefined ? "" : spelled(figure.statistics.median, figure.unit);
}

/** The limit that people feel, if there is one. */
function limit(figure: Figure | undefined): string {
  if (figure?.target === undefined) return "";
  const { target, unit, met } = figure;
  const wanted = "atLeast" in target ? `≥ ${spelled(target.atLeast, unit)}` : `≤ ${spelled(target.atMost, unit)}`;
  return met === true ? wanted : `${wanted}, **missed**`;
}

/** The head of the column of limits. */
const LIMIT = "limit";

/** @returns without the column of limits where there are none */
function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const at = head.indexOf(LIMIT);
  if (at >= 0 && rows.every((row) => row[at] === "")) {
    const without = (row: readonly string[]): string[] => row.toSpliced(at, 1);
    return tableOf(without(head), rows.map(without));
  }
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}
