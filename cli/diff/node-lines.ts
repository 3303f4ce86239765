import { edgeText, fieldText, type ResourceChange, resourceText } from "#storage/diff/catalog.ts";
import type { NodeChange } from "#storage/diff/changes.ts";
import { packageText } from "#storage/diff/packages.ts";
import { type EventChange, eventText, logText, type ReportChanges } from "#storage/diff/report.ts";
import { pathText, type ValueChange } from "#storage/diff/values.ts";
import { printable } from "../output/printable.ts";
import { marks } from "./paint.ts";
import { type TreeLine, valueLines, valueText } from "./value-lines.ts";

/** A node as a tree. */
export function nodeLines(change: NodeChange): TreeLine[] {
  const head: TreeLine = { depth: 0, look: change.kind, text: nodeText(change) };
  if (change.kind !== "changed") return [head];
  const { summary, facts, packages, resources, edges, report } = change;
  return [
    head,
    ...summary.flatMap((value) => summaryLines(1, value)),
    ...section(
      1,
      "facts",
      facts.flatMap((value) => valueLines(2, pathText(value.path), value)),
    ),
    ...section(
      1,
      "packages",
      packages.flatMap((value) => valueLines(2, packageText(value), value)),
    ),
    ...section(
      1,
      "resources",
      resources.flatMap((resource) => resourceLines(2, resource)),
    ),
    ...section(
      1,
      "edges",
      edges.map(({ kind, edge }) => markedLine(2, kind, edgeText(edge))),
    ),
    ...(report === null ? [] : section(1, "latest report", reportLines(2, report))),
  ];
}

/** `~ web-01.example.com`: a node and how it differs. */
export function nodeText(change: NodeChange): string {
  const { kind, certname } = change;
  const renamed = kind === "changed" && change.to_certname !== certname ? ` → ${change.to_certname}` : "";
  return printable(`${marks[kind]} ${certname}${renamed}`);
}

/** Added and removed values are shown by name only. */
function summaryLines(depth: number, value: ValueChange): TreeLine[] {
  const name = pathText(value.path);
  return value.path.length > 1 || value.kind === "changed"
    ? valueLines(depth, name, value)
    : [markedLine(depth, value.kind, name)];
}

function resourceLines(depth: number, change: ResourceChange): TreeLine[] {
  const head = markedLine(depth, change.kind, resourceText(change));
  if (change.kind === "changed") {
    return [head, ...change.changes.flatMap((value) => valueLines(depth + 1, fieldText(value), value))];
  }
  const { parameters, exported } = change.kind === "added" ? change.to : change.from;
  const fields = { ...parameters, ...(exported ? { exported } : {}) };
  const lines = Object.entries(fields).map(([name, value]): TreeLine => ({
    depth: depth + 1,
    look: change.kind,
    text: `${printable(name)}: ${valueText(value)}`,
  }));
  return [head, ...lines];
}

/** Two reports as a tree. */
export function reportLines(depth: number, { head, events, metrics, logs }: ReportChanges): TreeLine[] {
  return [
    ...head.flatMap((value) => valueLines(depth, pathText(value.path), value)),
    ...section(
      depth,
      "events",
      events.flatMap((event) => eventLines(depth + 1, event)),
    ),
    ...section(
      depth,
      "metrics",
      metrics.flatMap((value) => valueLines(depth + 1, pathText(value.path), value)),
    ),
    ...section(
      depth,
      "log",
      logs.map(({ kind, log }) => markedLine(depth + 1, kind, logText(log))),
    ),
  ];
}

function eventLines(depth: number, change: EventChange): TreeLine[] {
  const place = eventText(change);
  if (change.kind === "changed") {
    const head = markedLine(depth, "changed", place);
    return [head, ...change.changes.flatMap((value) => valueLines(depth + 1, pathText(value.path), value))];
  }
  const { status, old_value: from, new_value: to, message } = change.kind === "added" ? change.to : change.from;
  const values = from === null && to === null ? "" : `, ${valueText(from)} → ${valueText(to)}`;
  return [
    markedLine(depth, change.kind, `${place}: ${status}${values}`),
    ...(status === "failure" && message !== null
      ? [{ ...markedLine(depth + 1, change.kind, message), text: printable(message) }]
      : []),
  ];
}

function markedLine(depth: number, kind: ValueChange["kind"], text: string): TreeLine {
  return { depth, look: kind, text: printable(`${marks[kind]} ${text}`) };
}

function section(depth: number, name: string, lines: readonly TreeLine[]): TreeLine[] {
  return lines.length === 0 ? [] : [{ depth, look: "heading", text: name }, ...lines];
}
