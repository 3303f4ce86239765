import { documentKinds } from "#storage/archive/document-kinds.ts";
import { type Compared, isEmptyReport, Sieve } from "#storage/diff/changes.ts";
import { type Pair, readReport } from "#storage/diff/contents.ts";
import { comparePairs, comparePopulations, type DiffOptions } from "#storage/diff/nodes.ts";
import { compareReports } from "#storage/diff/report.ts";
import type { Side } from "#storage/diff/side.ts";
import { Summarizer } from "#storage/diff/summary.ts";
import { CensusError } from "#storage/errors.ts";
import { formatTimestamp } from "#storage/time.ts";
import { UsageError } from "../errors.ts";
import { momentAt } from "../moment.ts";
import type { SourceChoice } from "../sources/choice.ts";
import { fullCertname } from "../names/full-certname.ts";
import { rowReader } from "../sources/read-rows.ts";
import { openSource } from "../sources/source.ts";
import { type OpenSource } from "../sources/open-source.ts";
import type { Comparison } from "./comparison.ts";
import { compareIssues, haveChanged, type IssueChanges } from "./issues.ts";
import type { DiffWriter } from "./writers.ts";

/**
 * Compares and writes the result.
 * @returns whether anything differs
 * @throws CensusError "bad-file" for a source that cannot be used, "not-found" for a report that is not there
 * @throws UsageError for a node that is not there
 */
export async function runComparison(what: Comparison, options: DiffOptions, writer: DiffWriter): Promise<boolean> {
  if (what.kind === "reports") {
    return withSources([what.source], ([source]) =>
      compareTwoReports(sideOf(source as OpenSource), what, options, writer),
    );
  }
  if (what.kind === "times") {
    return withSources([what.source], async ([source]) => {
      const [before, after] = await atTimes(source as OpenSource, what);
      return compareNodes(before, after, { pairs: what.pairs, options, writer });
    });
  }
  return withSources([what.from, ...(what.to === undefined ? [] : [what.to])], async ([from, to = from]) => {
    const pairs = what.kind === "nodes" ? what.pairs : [];
    return compareNodes(from as OpenSource, to as OpenSource, { pairs, options, writer });
  });
}

/** @param pairs none: all nodes, and the issues that they have */
async function compareNodes(
  before: OpenSource,
  after: OpenSource,
  {
    pairs,
    options,
    writer,
  }: { readonly pairs: readonly Pair[]; readonly options: DiffOptions; readonly writer: DiffWriter },
): Promise<boolean> {
  const [a, b] = [sideOf(before), sideOf(after)];
  if (pairs.length > 0) {
    return writeNodes(comparePairs(a, b, await fullPairs(pairs, before, after), options), undefined, writer);
  }
  const issues = options.parts.has("reports") ? () => compareIssues(before, after) : undefined;
  return writeNodes(comparePopulations(a, b, options), issues, writer);
}

/** @throws UsageError when one time is not before the other */
async function atTimes(
  source: OpenSource,
  { since, until }: Extract<Comparison, { kind: "times" }>,
): Promise<[before: OpenSource, after: OpenSource]> {
  const now = await source.now();
  const [start, end] = [momentAt(since, now), until === undefined ? now : momentAt(until, now)];
  if (start >= end) {
    const name = until === undefined ? "the time of the source" : "--until";
    throw new UsageError(
      `diff: --since must be before ${name}: ${formatTimestamp(start)} is not before ${formatTimestamp(end)}`,
    );
  }
  return [source.at(start), until === undefined ? source : source.at(end)];
}

/** The pairs with their certnames in full. */
async function fullPairs(pairs: readonly Pair[], before: OpenSource, after: OpenSource): Promise<Pair[]> {
  const [a, b] = [rowReader(before), rowReader(after)];
  const full: Pair[] = [];
  for (const { from, to } of pairs) {
    if (from === to) {
      const name = await fullCertname("diff: ", from, [a, b]);
      full.push({ from: name, to: name });
    } else {
      full.push({ from: await fullCertname("diff: ", from, [a]), to: await fullCertname("diff: ", to, [b]) });
    }
  }
  return full;
}

async function writeNodes(
  all: AsyncIterable<Compared>,
  compareTheirIssues: (() => Promise<IssueChanges>) | undefined,
  writer: DiffWriter,
): Promise<boolean> {
  const summarizer = new Summarizer();
  for await (const compared of all) {
    summarizer.take(compared);
    if (compared.change !== undefined) await writer.node(compared.change);
  }
  const summary = summarizer.result();
  const issues = await compareTheirIssues?.();
  await writer.end(summary, issues);
  return haveChanged(issues) || summary.nodes.added + summary.nodes.removed + summary.nodes.changed > 0;
}

async function compareTwoReports(
  side: Side,
  { from, to }: { readonly from: string; readonly to: string },
  { visibility }: DiffOptions,
  writer: DiffWriter,
): Promise<boolean> {
  const [before, after] = await Promise.all([from, to].map((hash) => readReport(side, hash)));
  if (before === undefined || after === undefined) {
    throw new CensusError("not-found", `report ${before === undefined ? from : to} not found`);
  }
  const sieve = new Sieve(visibility);
  const changes = sieve.report(compareReports(before, after));
  await writer.report(changes, sieve.volatile);
  return !isEmptyReport(changes);
}

async function withSources<T>(
  choices: readonly SourceChoice[],
  work: (sources: OpenSource[]) => Promise<T>,
): Promise<T> {
  const opening = await Promise.allSettled(choices.map((choice) => openSource(choice, documentKinds)));
  const sources = opening.flatMap((opened) => (opened.status === "fulfilled" ? [opened.value] : []));
  try {
    for (const opened of opening) if (opened.status === "rejected") throw opened.reason;
    return await work(sources);
  } finally {
    await Promise.all(sources.map((source) => source.close()));
  }
}

function sideOf(source: OpenSource): Side {
  return {
    isBytewise: source.kind !== "url",
    query: async function* (query) {
      yield* (await source.query(query)).rows;
    },
  };
}
