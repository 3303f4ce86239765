import { shortFile } from "#storage/display/short-file.ts";
import { stateLabels } from "#storage/states/words.ts";
import type { StateKey } from "#storage/states/node-state.ts";
import { counted } from "../output/counted.ts";
import { arranged, type List, type ListRow } from "./list.ts";
import { issueList, issueNodes, nodeList, reasonOf, stateList } from "./fleet-lists.ts";
import { eventList, factList, logList, reportList, summaryList } from "./node-lists.ts";
import { countsOf } from "./fleet.ts";
import { ageText, timeText } from "./times.ts";
import { type Page, shownPage, shownView, type State } from "./state.ts";
import { detailKey, type Tab, tabOf, tabs } from "./tabs.ts";

/** A line above the lists of a page. */
export interface HeadLine {
  readonly text: string;
  readonly state?: StateKey;
  /** Lines that it may be wrapped to; default: 1. */
  readonly most?: number;
}

/** A list of the page that is shown: its name, and how many rows it has, if that is known. */
export interface TabLabel {
  readonly name: string;
  readonly count: number | undefined;
}

/** What the page that is shown contains, whatever the size of the terminal. */
export interface Content {
  /** From the first page to this one. */
  readonly trail: readonly string[];
  readonly head: readonly HeadLine[];
  readonly tabs: readonly TabLabel[];
  readonly tab: number;
  readonly list: List;
  /** The rows that the filter selects, sorted. */
  readonly rows: readonly ListRow[];
  /** Where the chosen row is among them. */
  readonly chosen: number;
}

/** The contents of the page that is shown. */
export function contentOf(state: State): Content {
  const page = shownPage(state);
  const view = shownView(state);
  const list = listOf(state, page);
  const rows = arranged(list, view.filter, view.order);
  const found = rows.findIndex(({ key }) => key === view.chosen);
  return {
    trail: state.pages.flatMap(({ subject }) => nameOf(subject)),
    head: headOf(state, page),
    tabs: tabs[page.subject.kind].map((name) => ({ name, count: countOf(state, page, name) })),
    tab: page.tab,
    list,
    rows,
    chosen: found >= 0 ? found : Math.max(0, Math.min(view.index, rows.length - 1)),
  };
}

function listOf(state: State, page: Page): List {
  const { fleet } = state;
  const { subject } = page;
  const key = detailKey(page) ?? "";
  switch (subject.kind) {
    case "fleet":
      return fleetLists[tabOf(page) as keyof typeof fleetLists](fleet);
    case "state":
      return nodeList(fleet, subject.state);
    case "issue":
      return issueNodes(
        fleet,
        fleet.issues.find(({ id }) => id === subject.id),
      );
    case "node":
      return nodeLists[tabOf(page) as keyof typeof nodeLists](state, key, subject.certname);
    case "report":
      return tabOf(page) === "log" ? logList(state, key) : eventList(state, key, subject.certname);
  }
}

const fleetLists = { issues: issueList, nodes: (fleet: State["fleet"]) => nodeList(fleet), states: stateList } as const;

const nodeLists = { summary: summaryList, reports: reportList, events: eventList, facts: factList } as const;

function nameOf(subject: Page["subject"]): string[] {
  switch (subject.kind) {
    case "fleet":
      return [];
    case "state":
      return [stateLabels[subject.state]];
    case "issue":
      return [subject.what];
    case "node":
      return [subject.certname];
    case "report":
      return [`run of ${timeText(subject.time)}`];
  }
}

function headOf({ fleet, rows }: State, { subject }: Page): HeadLine[] {
  if (subject.kind === "node" || subject.kind === "report") return nodeHead(fleet, subject.certname);
  if (subject.kind !== "issue") return [];
  const issue = fleet.issues.find(({ id }) => id === subject.id);
  if (issue === undefined) return [];
  const { nodes, since, place, class: name } = issue;
  const facts = [
    counted(nodes.length, "node"),
    ...(since === null ? [] : [`since ${timeText(since.time)} (${ageText(since.time, fleet.now, since.isOldest)})`]),
    ...(name === null ? [] : [`class ${name}`]),
    ...(place === null ? [] : [`${shortFile(place.file)}${place.line === null ? "" : `:${place.line}`}`]),
  ];
  return [
    { text: issue.what, state: "failed" },
    { text: reasonOf(issue), most: Math.max(2, Math.floor(rows / 4)) },
    { text: facts.join(" · "), most: 2 },
  ];
}

function nodeHead(fleet: State["fleet"], certname: string): HeadLine[] {
  const node = fleet.nodes.find((one) => one.certname === certname);
  if (node === undefined) return [];
  const { state, report, environment } = node;
  const issues = fleet.issues.filter(({ nodes }) => nodes.some((one) => one.certname === certname));
  const times = report === null ? "" : `, report ${ageText(report, fleet.now)} old`;
  return [
    { text: `${stateLabels[state]}${times}, environment ${environment ?? "none"}`, state },
    ...issues.slice(0, 1).map((issue) => {
      const since = issue.nodes.find((one) => one.certname === certname)?.since ?? null;
      const age = since === null ? "" : `since ${ageText(since.time, fleet.now, since.isOldest)}: `;
      return { text: `${age}${issue.what}: ${reasonOf(issue)}`, most: 2 };
    }),
  ];
}

function countOf({ fleet }: State, { subject }: Page, name: Tab): number | undefined {
  if (subject.kind !== "fleet") return undefined;
  if (name === "issues") return fleet.issues.length;
  return name === "nodes" ? fleet.nodes.length : countsOf(fleet).length;
}
