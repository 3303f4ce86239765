import { type Json, type JsonObject, parseJson } from "../json.ts";
import type { Edge, Resource } from "./catalog.ts";
import type { Report, ReportEvent, ReportLog } from "./report.ts";
import { type InstalledPackage, packageFields } from "./packages.ts";
import { oneOf, queryOf, queryRows, type Side } from "./side.ts";

/** Two nodes, or one node on two sides. */
export interface Pair {
  readonly from: string;
  readonly to: string;
}

/** The contents of each node of both sides, by certname. */
export interface Contents<T> {
  readonly from: ReadonlyMap<string, readonly T[]>;
  readonly to: ReadonlyMap<string, readonly T[]>;
}

interface OfNode {
  readonly certname: string;
}

export interface Fact extends OfNode {
  readonly name: string;
  readonly value: Json;
}

/** Facts of these nodes, except those that are the same on both sides. */
export async function differingFacts(from: Side, to: Side, pairs: readonly Pair[]): Promise<Contents<Fact>> {
  return differing<Fact>(from, to, pairs, "facts", ["name", "value"]);
}

/** Resources of these nodes' catalogs, except those that are the same on both sides. */
export async function differingResources(
  from: Side,
  to: Side,
  pairs: readonly Pair[],
  fields: readonly (keyof Resource)[],
): Promise<Contents<Resource & OfNode>> {
  return differing<Resource & OfNode>(from, to, pairs, "resources", fields);
}

/** All packages of these nodes, except of those that have the same ones on both sides. */
export async function differingPackages(
  from: Side,
  to: Side,
  pairs: readonly Pair[],
): Promise<Contents<InstalledPackage & OfNode>> {
  const different = await differing<InstalledPackage & OfNode>(from, to, pairs, "package_inventory", packageFields);
  const others = pairs.filter((pair) => different.from.has(pair.from) || different.to.has(pair.to));
  const all = async (side: Side, end: keyof Pair): Promise<ReadonlyMap<string, (InstalledPackage & OfNode)[]>> =>
    byNode(await textsOf(rowsOf(side, end, others, "package_inventory", packageFields)));
  const [before, after] = await Promise.all([all(from, "from"), all(to, "to")]);
  return { from: before, to: after };
}

/** Edges of these nodes' catalogs, except those that are the same on both sides. */
export async function differingEdges(from: Side, to: Side, pairs: readonly Pair[]): Promise<Contents<Edge & OfNode>> {
  const fields = ["source_type", "source_title", "target_type", "target_title", "relationship"];
  return differing<Edge & OfNode>(from, to, pairs, "edges", fields);
}

/**
 * Most rows of two sides have the same text: those are dropped without parsing. The remaining rows exist on one side
 * only, or differ in content or only in spelling.
 */
async function differing<T extends OfNode>(
  from: Side,
  to: Side,
  pairs: readonly Pair[],
  entity: string,
  fields: readonly string[],
): Promise<Contents<T>> {
  const [before, after] = await Promise.all([
    textsOf(rowsOf(from, "from", pairs, entity, fields)),
    textsOf(rowsOf(to, "to", pairs, entity, fields)),
  ]);
  for (const text of before) if (after.delete(text)) before.delete(text);
  return { from: byNode<T>(before), to: byNode<T>(after) };
}

function rowsOf(
  side: Side,
  end: keyof Pair,
  pairs: readonly Pair[],
  entity: string,
  fields: readonly string[],
): AsyncIterable<readonly string[]> {
  const certnames = pairs.map((pair) => pair[end]);
  return side.query(queryOf(entity, ["certname", ...fields], oneOf("certname", certnames)));
}

async function textsOf(batches: AsyncIterable<readonly string[]>): Promise<Set<string>> {
  const texts = new Set<string>();
  for await (const batch of batches) for (const text of batch) texts.add(text);
  return texts;
}

function byNode<T extends OfNode>(texts: ReadonlySet<string>): Map<string, T[]> {
  return Map.groupBy(
    [...texts].map((text) => parseJson(text) as unknown as T),
    ({ certname }) => certname,
  );
}

/** Fields of a report that are compared: not its times and identifiers. */
const headFields = [
  "type",
  "status",
  "environment",
  "producer",
  "puppet_version",
  "report_format",
  "configuration_version",
  "code_id",
  "noop",
  "noop_pending",
  "corrective_change",
  "cached_catalog_status",
] as const;

/** Fields of events that are compared. */
export const eventFields = [
  "resource_type",
  "resource_title",
  "property",
  "status",
  "old_value",
  "new_value",
  "message",
  "corrective_change",
] as const;

interface Metric {
  readonly category: string;
  readonly name: string;
  readonly value: Json;
}

interface Expanded<T> {
  readonly data: readonly T[] | null;
}

/** A report with {@link reportFields}. */
export type ReportRow = JsonObject & { metrics: Expanded<Metric>; logs: Expanded<ReportLog>; certname: string };

/** Fields that a comparison needs of a report. */
export const reportFields = ["certname", ...headFields, "metrics", "logs"] as const;

/** A report and its node; undefined if the side has none with this hash. */
export async function readReport(side: Side, hash: string): Promise<(Report & OfNode) | undefined> {
  const isIt: Json = ["and", ["=", "hash", hash], ["=", "type", "any"]];
  const [row] = await queryRows<ReportRow>(side, queryOf("reports", reportFields, isIt));
  if (row === undefined) return undefined;
  const ofIt: Json = ["=", "report", hash];
  const events = await queryRows<ReportEvent>(
    side,
    queryOf("events", [...eventFields, "timestamp"], ofIt, "timestamp"),
  );
  return reportOf(row, events);
}

/** The compared part of a report, of its row and its events in their order. */
export function reportOf(row: ReportRow, events: readonly ReportEvent[]): Report & OfNode {
  return {
    certname: row.certname,
    head: Object.fromEntries(headFields.map((field) => [field, row[field] ?? null])),
    events,
    metrics: byCategory(row.metrics.data ?? []),
    logs: row.logs.data ?? [],
  };
}

function byCategory(metrics: readonly Metric[]): Record<string, JsonObject> {
  const categories = Map.groupBy(metrics, ({ category }) => category);
  return Object.fromEntries(
    [...categories].map(([category, own]) => [
      category,
      Object.fromEntries(own.map(({ name, value }) => [name, value])),
    ]),
  );
}
