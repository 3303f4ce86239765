import { compareBytewise } from "../bytewise.ts";
import { differingPackages } from "./archive-packages.ts";
import type { ContentChanges, NodeChange } from "./changes.ts";
import { comparePairs, comparePopulations, type DiffOptions } from "./nodes.ts";
import { comparePackages, type InstalledPackage, packageFields } from "./packages.ts";
import { type DiffPart, diffParts } from "./parts.ts";
import { queryOf, queryRows, type Side } from "./side.ts";
import { countsOf, type CommonChange, type DiffSummary, PlaceCounts, Summarizer } from "./summary.ts";
import type { ValueChange } from "./values.ts";
import { visibilityOf, volatilePatterns } from "./visibility.ts";

/** The older and the newer of two archives. */
export interface ArchivePair {
  readonly from: Side;
  readonly to: Side;
}

/** What is compared of the nodes of two archives. */
export type ArchivePart = DiffPart | "packages";

/** A node that differs, and in how many places of each part. */
export interface DifferentNode {
  readonly kind: NodeChange["kind"];
  readonly certname: string;
  readonly counts: Partial<Record<ArchivePart, number>>;
}

/** What differs between two archives. */
export interface ComparedArchives extends Omit<DiffSummary, "common"> {
  /** In the order of their certnames. */
  readonly different: readonly DifferentNode[];
  /** The differences on most nodes, and how many there are. */
  readonly common: readonly CommonChange<ArchivePart>[];
  readonly places: number;
}

/** How a node differs: of one that both archives have all differences, of others the node. */
export type ComparedNode =
  | { readonly kind: "same"; readonly volatile: number; readonly packages: readonly ValueChange[] }
  | Exclude<NodeChange, { readonly kind: "changed" }>
  | ({ readonly kind: "changed"; readonly packages: readonly ValueChange[] } & ContentChanges);

/** Common differences that are returned. */
const MOST_COMMON = 200;

/** Compares all nodes, as `census diff` does, and their packages. */
export async function compareArchives({ from, to }: ArchivePair, withVolatile: boolean): Promise<ComparedArchives> {
  const summarizer = new Summarizer();
  const different = new Map<string, DifferentNode>();
  const compared = comparePopulations(from, to, optionsOf(withVolatile));
  for await (const one of compared) {
    summarizer.take(one);
    const { change } = one;
    if (change === undefined) continue;
    const counts = change.kind === "changed" ? countsOf(change) : {};
    different.set(change.certname, { kind: change.kind, certname: change.certname, counts });
  }
  const { common, nodes, volatile } = summarizer.result();
  const places = new PlaceCounts<"packages">();
  let more = 0;
  for await (const { certname, changes } of differingPackages(from, to)) {
    const known = different.get(certname);
    if (known !== undefined && known.kind !== "changed") continue;
    if (known === undefined) more++;
    const counts = { ...known?.counts, packages: changes.length };
    different.set(certname, { kind: "changed", certname, counts });
    for (const change of changes) places.count("packages", packageText(change), change);
  }
  const all = [...common, ...places.commonest(["packages"])].sort((one, other) => other.nodes - one.nodes);
  return {
    nodes: { ...nodes, changed: nodes.changed + more, same: nodes.same - more },
    volatile,
    different: [...different.values()].sort((one, other) => compareBytewise(one.certname, other.certname)),
    places: all.length,
    common: all.slice(0, MOST_COMMON),
  };
}

/** `openssl (dnf)` */
function packageText({ path: [provider, name] }: ValueChange): string {
  return `${String(name)} (${String(provider)})`;
}

/**
 * Compares one node in full, with its packages and its latest report.
 * @throws CensusError "not-found" when neither archive has it
 */
export async function compareNodeOfArchives(
  { from, to }: ArchivePair,
  certname: string,
  withVolatile: boolean,
): Promise<ComparedNode> {
  const options = optionsOf(withVolatile);
  for await (const { change, volatile } of comparePairs(from, to, [{ from: certname, to: certname }], options)) {
    if (change?.kind === "added" || change?.kind === "removed") return change;
    const [old, now] = await Promise.all([packagesOf(from, certname), packagesOf(to, certname)]);
    const packages = comparePackages(old, now);
    return change === undefined ? { kind: "same", volatile, packages } : { ...change, packages };
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

async function packagesOf(side: Side, certname: string): Promise<InstalledPackage[]> {
  return queryRows(side, queryOf("package_inventory", packageFields, ["=", "certname", certname]));
}
