import { type Json, stringifyJson } from "../json.ts";
import { edgeText, resourcePlaceText, resourceText } from "./catalog.ts";
import type { Compared, NodeChange } from "./changes.ts";
import { packageText } from "./packages.ts";
import { type DiffPart, diffParts } from "./parts.ts";
import { pathText, type ValueChange } from "./values.ts";

/** How a value became another one, and on how many nodes. */
export interface Transition {
  readonly from?: Json;
  readonly to?: Json;
  readonly nodes: number;
}

/** A place that differs on some nodes. */
export interface CommonChange {
  readonly part: DiffPart;
  readonly kind: ValueChange["kind"];
  readonly place: string;
  readonly nodes: number;
  /** The most frequent ones first; not all if there are many, or if values are long. */
  readonly transitions: readonly Transition[];
}

/** The result of a comparison of many nodes. */
export interface DiffSummary {
  readonly nodes: Readonly<Record<ValueChange["kind"] | "same", number>>;
  /** The number of differences that were omitted because they always differ. */
  readonly volatile: number;
  /** Those on most nodes first. */
  readonly common: readonly CommonChange[];
}

interface Counted {
  readonly part: DiffPart;
  readonly kind: ValueChange["kind"];
  readonly place: string;
  nodes: number;
  readonly transitions: Map<string, Transition & { nodes: number }>;
}

/** Places that differ, with the number of nodes and the commonest values. */
class PlaceCounts {
  readonly #places = new Map<string, Counted>();

  count(part: DiffPart, place: string, change: ValueChange | "added" | "removed"): void {
    const kind = typeof change === "string" ? change : change.kind;
    const key = `${part}:${kind}:${place}`;
    const counted = this.#places.get(key) ?? { part, kind, place, nodes: 0, transitions: new Map() };
    counted.nodes++;
    this.#places.set(key, counted);
    if (typeof change !== "string") countTransition(counted.transitions, change);
  }

  /** Those on most nodes first. */
  commonest(): CommonChange[] {
    return [...this.#places.values()]
      .sort((a, b) => b.nodes - a.nodes || rankOf(a) - rankOf(b) || (a.place < b.place ? -1 : 1))
      .map(({ transitions, ...counted }) => ({ ...counted, transitions: mostFrequent([...transitions.values()]) }));
  }
}

function rankOf({ part }: Counted): number {
  return diffParts.indexOf(part);
}

/** Counts differences while they are found; its memory grows with the number of places, not of nodes. */
export class Summarizer {
  readonly #nodes = { added: 0, removed: 0, changed: 0, same: 0 };
  readonly #places = new PlaceCounts();
  #volatile = 0;

  take({ change, volatile }: Compared): void {
    this.#volatile += volatile;
    this.#nodes[change?.kind ?? "same"]++;
    if (change?.kind !== "changed") return;
    for (const value of change.summary) this.#places.count("nodes", pathText(value.path), value);
    for (const value of change.facts) this.#places.count("facts", pathText(value.path), value);
    for (const value of change.packages) this.#places.count("packages", packageText(value), value);
    for (const resource of change.resources) {
      if (resource.kind !== "changed") this.#places.count("resources", resourceText(resource), resource.kind);
      else
        for (const value of resource.changes)
          this.#places.count("resources", resourcePlaceText(resource, value), value);
    }
    for (const { kind, edge } of change.edges) this.#places.count("edges", edgeText(edge), kind);
  }

  /** The counts so far. */
  result(): DiffSummary {
    return { nodes: { ...this.#nodes }, volatile: this.#volatile, common: this.#places.commonest() };
  }
}

function countTransition(transitions: Counted["transitions"], change: ValueChange): void {
  const values = {
    ...(change.kind === "added" ? {} : { from: change.from }),
    ...(change.kind === "removed" ? {} : { to: change.to }),
  };
  const text = stringifyJson(values);
  const known = transitions.get(text);
  if (known !== undefined) known.nodes++;
  // Of a place with more different values, or longer ones, only the number of nodes is kept.
  else if (transitions.size < 100 && text.length <= 400) transitions.set(text, { ...values, nodes: 1 });
}

function mostFrequent(transitions: Transition[]): Transition[] {
  return transitions.sort((a, b) => b.nodes - a.nodes).slice(0, 5);
}

/** How many differences there are in each part of a node. */
export function countsOf(change: NodeChange & { readonly kind: "changed" }): Partial<Record<DiffPart, number>> {
  const { summary, facts, packages, resources, edges, report } = change;
  const reported =
    report === null ? 0 : report.head.length + report.events.length + report.metrics.length + report.logs.length;
  const counts = {
    nodes: summary.length,
    facts: facts.length,
    packages: packages.length,
    resources: resources.length,
    edges: edges.length,
    reports: reported,
  };
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}
