import type { JsonObject } from "../json.ts";
import { compareBytewise } from "../bytewise.ts";
import { CensusError } from "../errors.ts";
import { compareEdges, compareResources, type Resource } from "./catalog.ts";
import { type Compared, isEmptyReport, Sieve } from "./changes.ts";
import {
  type Contents,
  differingEdges,
  differingFacts,
  differingPackages,
  differingResources,
  type Fact,
  type Pair,
  readReport,
} from "./contents.ts";
import { isSameDocument, type Outline, outlines, type Scope } from "./outline.ts";
import { comparePackages, type InstalledPackage } from "./packages.ts";
import type { DiffPart } from "./parts.ts";
import { compareReports, type ReportChanges } from "./report.ts";
import type { Side } from "./side.ts";
import { compareValues } from "./values.ts";
import type { Visibility } from "./visibility.ts";

/** The scope of a comparison. */
export interface DiffOptions {
  readonly parts: ReadonlySet<DiffPart>;
  readonly visibility: Visibility;
  /** Whether tags of resources are compared. */
  readonly tags: boolean;
  /** Whether the places of resources in the code are compared. */
  readonly locations: boolean;
}

interface Comparison extends DiffOptions {
  /** Whether latest reports are compared completely, rather than by their metadata. */
  readonly fullReports: boolean;
}

/** Maximum nodes in one query for contents. */
const BATCH = 100;
/** Maximum nodes that wait for such a query. */
const LONGEST = 2000;

/** The outlines of one node on both sides, or of two nodes that are compared. */
interface Met {
  readonly from: Outline | undefined;
  readonly to: Outline | undefined;
}

interface OutlinePair {
  readonly from: Outline;
  readonly to: Outline;
}

/**
 * Compares all nodes of two sides, in bounded memory: both are read in the order of their certnames, and contents are
 * queried only for nodes whose hashes differ, a batch of nodes at a time.
 * @returns the comparison of each node that one of the sides has
 */
export async function* comparePopulations(from: Side, to: Side, options: DiffOptions): AsyncGenerator<Compared> {
  const scope: Scope = { parts: options.parts };
  const waiting: Met[] = [];
  let unequal = 0;
  for await (const met of merged(outlines(from, scope), outlines(to, scope))) {
    waiting.push(met);
    if (mayDiffer(met, options)) unequal++;
    if (unequal < BATCH && waiting.length < LONGEST) continue;
    yield* compareBatch(from, to, waiting.splice(0), { ...options, fullReports: false });
    unequal = 0;
  }
  yield* compareBatch(from, to, waiting, { ...options, fullReports: false });
}

/**
 * Compares certain nodes in full, their latest reports included.
 * @throws CensusError "not-found" for a node that neither side has, or that is to be compared with another one but is
 *   missing
 */
export async function* comparePairs(
  from: Side,
  to: Side,
  pairs: readonly Pair[],
  options: DiffOptions,
): AsyncGenerator<Compared> {
  const [before, after] = await Promise.all([
    outlinesOf(from, { parts: options.parts, certnames: pairs.map((pair) => pair.from) }),
    outlinesOf(to, { parts: options.parts, certnames: pairs.map((pair) => pair.to) }),
  ]);
  for (const pair of pairs) {
    const [old, young] = [before.get(pair.from), after.get(pair.to)];
    const isAbsent =
      pair.from === pair.to ? old === undefined && young === undefined : old === undefined || young === undefined;
    if (isAbsent) {
      const missing = old === undefined ? pair.from : pair.to;
      throw new CensusError("not-found", `node ${JSON.stringify(missing)} not found; certnames are case-sensitive`);
    }
    yield* compareBatch(from, to, [{ from: old, to: young }], { ...options, fullReports: true });
  }
}

async function outlinesOf(side: Side, scope: Scope): Promise<Map<string, Outline>> {
  const found = new Map<string, Outline>();
  for await (const outline of outlines(side, scope)) found.set(outline.certname, outline);
  return found;
}

/** Merges two streams in the same order into pairs with equal keys. */
async function* merged(from: AsyncGenerator<Outline>, to: AsyncGenerator<Outline>): AsyncGenerator<Met> {
  try {
    let [before, after] = await Promise.all([from.next(), to.next()]);
    while (before.done !== true || after.done !== true) {
      const order = compareHeads(before, after);
      yield {
        from: order <= 0 && before.done !== true ? before.value : undefined,
        to: order >= 0 && after.done !== true ? after.value : undefined,
      };
      [before, after] = await Promise.all([order <= 0 ? from.next() : before, order >= 0 ? to.next() : after]);
    }
  } finally {
    await Promise.all([from.return(undefined), to.return(undefined)]);
  }
}

/** Below 0: the first comes first; a stream that has ended comes last. */
function compareHeads(before: IteratorResult<Outline, void>, after: IteratorResult<Outline, void>): number {
  if (before.done === true) return 1;
  return after.done === true ? -1 : compareBytewise(before.value.certname, after.value.certname);
}

/** Whether contents must be read to know. Nothing tells beforehand whether packages are the same. */
function mayDiffer(met: Met, { parts }: DiffOptions): met is OutlinePair {
  const { from, to } = met;
  if (from === undefined || to === undefined) return false;
  return (
    parts.has("packages") ||
    !isSameDocument(from.factsHash, to.factsHash) ||
    !isSameDocument(from.catalogHash, to.catalogHash) ||
    from.reportHash !== to.reportHash ||
    compareValues(from.summary, to.summary).length > 0
  );
}

function onOneSide({ from, to }: Met): Compared["change"] {
  if (from === undefined) return to && { kind: "added", certname: to.certname, to: to.summary };
  return to === undefined ? { kind: "removed", certname: from.certname, from: from.summary } : undefined;
}

async function* compareBatch(
  from: Side,
  to: Side,
  batch: readonly Met[],
  options: Comparison,
): AsyncGenerator<Compared> {
  const contents = await readContents(
    from,
    to,
    batch.filter((met) => mayDiffer(met, options)),
    options,
  );
  for (const met of batch) {
    if (mayDiffer(met, options)) {
      const report = await compareLatestReports(from, to, met, options);
      yield compareContents(met, contents, report, options.visibility);
    } else {
      yield { change: onOneSide(met), volatile: 0 };
    }
  }
}

interface BatchContents {
  readonly facts: Contents<Fact>;
  readonly packages: Contents<InstalledPackage>;
  readonly resources: Contents<Resource>;
  readonly edges: Awaited<ReturnType<typeof differingEdges>>;
}

const nothing: Contents<never> = { from: new Map(), to: new Map() };

async function readContents(
  from: Side,
  to: Side,
  batch: readonly OutlinePair[],
  { parts, tags, locations }: DiffOptions,
): Promise<BatchContents> {
  const namesOf = (pairs: readonly OutlinePair[]): Pair[] =>
    pairs.map((pair) => ({ from: pair.from.certname, to: pair.to.certname }));
  const differIn = (hash: "factsHash" | "catalogHash"): Pair[] =>
    namesOf(
      batch.filter(({ from: { [hash]: old }, to: { [hash]: young } }) => {
        return old !== null && young !== null && !isSameDocument(old, young);
      }),
    );
  const fields: (keyof Resource)[] = ["type", "title", "exported", "parameters"];
  if (tags) fields.push("tags");
  if (locations) fields.push("file", "line");
  const [facts, catalogs, all] = [differIn("factsHash"), differIn("catalogHash"), namesOf(batch)];
  const isWanted = (part: DiffPart, pairs: readonly Pair[]): boolean => parts.has(part) && pairs.length > 0;
  return {
    facts: isWanted("facts", facts) ? await differingFacts(from, to, facts) : nothing,
    packages: isWanted("packages", all) ? await differingPackages(from, to, all) : nothing,
    resources: isWanted("resources", catalogs) ? await differingResources(from, to, catalogs, fields) : nothing,
    edges: isWanted("edges", catalogs) ? await differingEdges(from, to, catalogs) : nothing,
  };
}

async function compareLatestReports(
  from: Side,
  to: Side,
  pair: OutlinePair,
  { fullReports }: Comparison,
): Promise<ReportChanges | null> {
  const [before, after] = [pair.from.reportHash, pair.to.reportHash];
  if (!fullReports || before === null || after === null || before === after) return null;
  const [old, young] = await Promise.all([readReport(from, before), readReport(to, after)]);
  return old === undefined || young === undefined ? null : compareReports(old, young);
}

function compareContents(
  { from, to }: OutlinePair,
  { facts, packages, resources, edges }: BatchContents,
  report: ReportChanges | null,
  visibility: Visibility,
): Compared {
  const sieve = new Sieve(visibility);
  const both = <T>(contents: Contents<T>): [readonly T[], readonly T[]] => [
    contents.from.get(from.certname) ?? [],
    contents.to.get(to.certname) ?? [],
  ];
  // Values that are compared in full are omitted from the comparison of metadata.
  const glances = report === null ? [from.summary, to.summary] : [from.summary, to.summary].map(withoutReport);
  const [factsBefore, factsAfter] = both(facts);
  const changes = {
    summary: sieve.values("nodes", compareValues(glances[0], glances[1])),
    facts: sieve.values("facts", compareValues(factValues(factsBefore), factValues(factsAfter))),
    packages: sieve.packages(comparePackages(...both(packages))),
    resources: sieve.resources(compareResources(...both(resources))),
    edges: sieve.edges(compareEdges(...both(edges))),
    report: report === null ? null : sieve.report(report),
  };
  const { report: ofReport, ...lists } = changes;
  const isSame =
    Object.values(lists).every((list) => list.length === 0) && (ofReport === null || isEmptyReport(ofReport));
  const { volatile } = sieve;
  if (isSame) return { change: undefined, volatile };
  return {
    change: { kind: "changed", certname: from.certname, to_certname: to.certname, ...changes, volatile },
    volatile,
  };
}

function withoutReport(summary: JsonObject): JsonObject {
  const { report, ...rest } = summary;
  return report === undefined ? summary : rest;
}

function factValues(facts: readonly Fact[]): JsonObject {
  return Object.fromEntries(facts.map(({ name, value }) => [name, value]));
}
