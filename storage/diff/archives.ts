import type { NodeChange } from "./changes.ts";
import { comparePairs, comparePopulations, type DiffOptions } from "./nodes.ts";
import { type DiffPart, diffParts } from "./parts.ts";
import type { Side } from "./side.ts";
import { type CommonChange, countsOf, type DiffSummary, Summarizer } from "./summary.ts";
import { visibilityOf, volatilePatterns } from "./visibility.ts";

/** The older and the newer of two archives. */
export interface ArchivePair {
  readonly from: Side;
  readonly to: Side;
}

/** A node that differs, and in how many places of each part. */
export interface DifferentNode {
  readonly kind: NodeChange["kind"];
  readonly certname: string;
  readonly counts: Partial<Record<DiffPart, number>>;
}

/** What differs between two archives. */
export interface ComparedArchives extends Omit<DiffSummary, "common"> {
  /** In the order of their certnames. */
  readonly different: readonly DifferentNode[];
  /** The differences on most nodes, and how many there are. */
  readonly common: readonly CommonChange[];
  readonly places: number;
}

/** How a node differs. */
export type ComparedNode = { readonly kind: "same"; readonly volatile: number } | NodeChange;

/** Compares all nodes, as `census diff` does. */
export async function compareArchives({ from, to }: ArchivePair, withVolatile: boolean): Promise<ComparedArchives> {
  const summarizer = new Summarizer();
  const different: DifferentNode[] = [];
  for await (const compared of comparePopulations(from, to, optionsOf(withVolatile))) {
    summarizer.take(compared);
    const { change } = compared;
    if (change === undefined) continue;
    const counts = change.kind === "changed" ? countsOf(change) : {};
    different.push({ kind: change.kind, certname: change.certname, counts });
  }
  const { common, nodes, volatile } = summarizer.result();
  return { nodes, volatile, different, places: common.length, common: common.slice(0, 200) };
}

/**
 * Compares one node in full, with its latest report.
 * @throws CensusError "not-found" when neither archive has it
 */
export async function compareNodeOfArchives(
  { from, to }: ArchivePair,
  certname: string,
  withVolatile: boolean,
): Promise<ComparedNode> {
  const options = optionsOf(withVolatile);
  for await (const { change, volatile } of comparePairs(from, to, [{ from: certname, to: certname }], options)) {
    return change ?? { kind: "same", volatile };
  }
  throw new Error("a pair of nodes has a comparison");
}

function optionsOf(withVolatile: boolean): DiffOptions {
  return {
    parts: new Set(diffParts),
    visibility: visibilityOf([], withVolatile ? [] : volatilePatterns),
    tags: true,
    locations: false,
  };
}
