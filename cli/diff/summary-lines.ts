import type { NodeChange } from "#storage/diff/changes.ts";
import type { DiffPart } from "#storage/diff/parts.ts";
import { type CommonChange, countsOf, type DiffSummary, type Transition } from "#storage/diff/summary.ts";
import { counted } from "../output/counted.ts";
import { printable } from "../output/printable.ts";
import { nodeText } from "./node-lines.ts";
import { marks } from "./paint.ts";
import { type TreeLine, valueText } from "./value-lines.ts";

/** Places that are listed; those on fewer nodes are counted. */
const LISTED = 20;

/** The singular and the plural for a difference of each part. */
const nouns: Readonly<Record<DiffPart, readonly [one: string, several: string]>> = {
  nodes: ["state change", "state changes"],
  facts: ["fact", "facts"],
  packages: ["package", "packages"],
  resources: ["resource", "resources"],
  edges: ["edge", "edges"],
  reports: ["difference between reports", "differences between reports"],
};

/** What is before a place that does not say by itself which part it is of. */
const prefixes: Partial<Record<DiffPart, string>> = { edges: "edge", facts: "fact", packages: "package" };

/** A node on one line: `~ web-01.example.com: 2 facts, 1 resource`. */
export function nodeSummaryLine(change: NodeChange): TreeLine {
  const { kind } = change;
  if (kind !== "changed") return { depth: 0, look: kind, text: nodeText(change) };
  const counts = Object.entries(countsOf(change)).map(([part, count]) => counted(count, ...nouns[part as DiffPart]));
  return { depth: 0, look: kind, text: `${nodeText(change)}: ${counts.join(", ")}` };
}

/**
 * What many nodes have in common, then how many nodes there are of each kind; of a single node nothing of this.
 * @param haveIssuesChanged issues came or went, which is a difference also where no node differs
 */
export function summaryLines({ common, nodes, volatile }: DiffSummary, haveIssuesChanged: boolean): TreeLine[] {
  const differing = nodes.changed + nodes.added + nodes.removed;
  if (differing === 0) return [...(haveIssuesChanged ? [] : nothingLines), ...volatileLines(volatile)];
  if (differing + nodes.same === 1) return volatileLines(volatile);
  const shared = common.filter((change) => change.nodes > 1);
  const counts = `${nodes.added} added, ${nodes.removed} removed, ${nodes.same} identical`;
  return [
    ...sharedLines(shared),
    { depth: 0, text: "" },
    { depth: 0, look: "heading", text: `${counted(nodes.changed, "node differs", "nodes differ")}, ${counts}` },
    ...volatileLines(volatile),
  ];
}

/** Shown when there are no differences. */
export const nothingLines: readonly TreeLine[] = [{ depth: 0, look: "heading", text: "No differences" }];

function sharedLines(shared: readonly CommonChange[]): TreeLine[] {
  if (shared.length === 0) return [];
  const more = shared.length - LISTED;
  return [
    { depth: 0, text: "" },
    { depth: 0, look: "heading", text: "On several nodes" },
    ...shared.slice(0, LISTED).flatMap(commonLines),
    ...(more > 0 ? [{ depth: 1, look: "aside", text: `and ${more} more` } as const] : []),
  ];
}

/** Parts that are not shown because they always differ. */
export function volatileLines(count: number): TreeLine[] {
  if (count === 0) return [];
  const text = `${counted(count, "volatile difference")} hidden; show with --volatile`;
  return [{ depth: 0, look: "aside", text }];
}

function commonLines({ part, kind, place, nodes, transitions }: CommonChange): TreeLine[] {
  const text = printable(`${marks[kind]} ${part in prefixes ? `${prefixes[part]} ` : ""}${place}`);
  const [first] = transitions;
  const isOne = first !== undefined && first.nodes === nodes;
  return [
    { depth: 1, look: kind, text: `${text} on ${nodes} nodes${isOne ? `: ${transitionText(first)}` : ""}` },
    ...(isOne
      ? []
      : transitions.map((each): TreeLine => ({ depth: 2, text: `${each.nodes} × ${transitionText(each)}` }))),
  ];
}

function transitionText({ from, to }: Transition): string {
  return [from, to].flatMap((value) => (value === undefined ? [] : [valueText(value)])).join(" → ");
}
