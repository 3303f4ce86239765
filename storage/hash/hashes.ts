import { hash } from "node:crypto";
import { type Json, type JsonObject } from "../json.ts";
import { type Timestamp, formatTimestamp } from "../time.ts";
import { canonicalString, canonicalText, compareText } from "./canonical.ts";
import { inSetOrder } from "./tag-order.ts";

/** Name, version, provider. */
export type Package = readonly [name: string, version: string, provider: string];

/** Type and name, e.g. `["hiera", "ntp::servers"]`. */
export type CatalogInput = readonly [type: string, name: string];

function sha1(text: string): string {
  return hash("sha1", text);
}

/** A resource's hash, over type, title and parameters alone (reference/hashing.md §4). */
export function resourceHash(type: string, title: string, parameters: Json): string {
  return sha1(resourceText(type, title, canonicalText(parameters, "symbols")));
}

function resourceText(type: string, title: string, parameters: string): string {
  return `[${canonicalString(type)},${canonicalString(title)},${parameters}]`;
}

/**
 * The hash of a catalog and those of its resources, in the order of `resources` (reference/hashing.md §4–5). Both lists
 * are as in a valid payload: which keys a resource *has* counts, a null one included. Repeated edges count once.
 */
export function catalogHashes(
  certname: string,
  resources: readonly JsonObject[],
  edges: readonly JsonObject[],
): { catalog: string; resources: string[] } {
  const parameters = resources.map((resource) => canonicalText(resource["parameters"] ?? null, "symbols"));
  const texts = resources
    .map((resource, index) => ({ ...names(resource), text: catalogResourceText(resource, parameters[index] ?? "") }))
    .sort((a, b) => compareText(a.title, b.title) || compareText(a.type, b.type))
    .map(({ text }) => text);
  const text = `{"certname":${canonicalString(certname)},"edges":[${edgeTexts(edges).join(",")}],"resources":[${texts.join(",")}]}`;
  return {
    catalog: sha1(text),
    resources: resources.map((resource, index) => {
      const { type, title } = names(resource);
      return sha1(resourceText(type, title, parameters[index] ?? ""));
    }),
  };
}

function names(object: Json | undefined): { type: string; title: string } {
  return object as { type: string; title: string };
}

/** What of a resource is in a catalog's hash, sorted. */
const RESOURCE_KEYS = ["exported", "file", "line", "parameters", "tags", "title", "type"] as const;

function catalogResourceText(resource: JsonObject, parameters: string): string {
  let text = "{";
  for (const key of RESOURCE_KEYS) {
    const value = resource[key];
    if (value === undefined) continue;
    if (text.length > 1) text += ",";
    text += `"${key}":`;
    if (key === "parameters") text += parameters;
    else text += canonicalText(key === "tags" ? inSetOrder(value as string[]) : value, "symbols");
  }
  return `${text}}`;
}

function edgeTexts(edges: readonly JsonObject[]): string[] {
  return edges
    .map((edge) => ({
      relationship: edge["relationship"] as string,
      source: names(edge["source"]),
      target: names(edge["target"]),
      text: canonicalText(edge, "symbols"),
    }))
    .sort(
      (a, b) =>
        compareText(a.source.title, b.source.title) ||
        compareText(a.source.type, b.source.type) ||
        compareText(a.target.title, b.target.title) ||
        compareText(a.target.type, b.target.type) ||
        compareText(a.relationship, b.relationship) ||
        compareText(a.text, b.text),
    )
    .map(({ text }) => text)
    .filter((text, index, all) => text !== all[index - 1]);
}

export interface FactsetContent {
  readonly certname: string;
  readonly environment: string | null;
  /** after the blocklist, before characters are replaced */
  readonly values: JsonObject;
  readonly package_inventory: readonly Package[];
}

/** reference/hashing.md §5b */
export function factsetHash(facts: FactsetContent): string {
  const { certname, environment, values, package_inventory } = facts;
  const packages = [...package_inventory].sort(comparePackages).map(packageText);
  const distinct = packages.filter((text, index) => text !== packages[index - 1]);
  const inventory = distinct.length > 0 ? `"package_inventory":[${distinct.join(",")}],` : "";
  return sha1(
    `{"certname":${canonicalString(certname)},"environment":${canonicalText(environment, "strings")},` +
      `${inventory}"values":${canonicalText(values, "strings")}}`,
  );
}

function comparePackages(a: Package, b: Package): number {
  return compareText(a[0], b[0]) || compareText(a[1], b[1]) || compareText(a[2], b[2]);
}

function packageText(tuple: Package): string {
  return canonicalText([...tuple], "strings");
}

/** reference/hashing.md §8 */
export function packageHash(tuple: Package): string {
  return sha1(packageText(tuple));
}

/** The hash of all packages of a node (reference/hashing.md §8). */
export function packageSetHash(packages: readonly Package[]): string {
  return sha1(canonicalText(packages.map(packageHash).sort(), "strings"));
}

/** The eight fields that make a report that report and no other. */
export interface ReportIdentity {
  readonly certname: string;
  readonly configuration_version: string;
  readonly end_time: Timestamp;
  readonly producer_timestamp: Timestamp;
  readonly puppet_version: string;
  readonly report_format: number;
  readonly start_time: Timestamp;
  /** as sent: upper and lower case differ */
  readonly transaction_uuid: string | null;
}

/** reference/hashing.md §6 */
export function reportHash(report: ReportIdentity): string {
  const identity = {
    certname: report.certname,
    configuration_version: report.configuration_version,
    end_time: formatTimestamp(report.end_time),
    producer_timestamp: formatTimestamp(report.producer_timestamp),
    puppet_version: report.puppet_version,
    report_format: report.report_format,
    start_time: formatTimestamp(report.start_time),
    transaction_uuid: report.transaction_uuid,
  };
  return sha1(canonicalText(identity, "symbols"));
}

/** The hash of a node's catalog inputs; neither order nor repetitions count (reference/hashing.md §8). */
export function catalogInputsHash(certname: string, inputs: readonly CatalogInput[]): string {
  return sha1([certname, ...distinctInputs(inputs).flat(), ""].join("\0"));
}

/** The distinct inputs, sorted by type and name. */
export function distinctInputs(inputs: readonly CatalogInput[]): CatalogInput[] {
  return [...inputs]
    .sort((a, b) => compareText(a[0], b[0]) || compareText(a[1], b[1]))
    .filter((input, index, all) => input[0] !== all[index - 1]?.[0] || input[1] !== all[index - 1]?.[1]);
}

/** Stands for a certname in a queue file's name that cannot hold it (reference/hashing.md §8). */
export function certnameHash(certname: string): string {
  return sha1(certname);
}

/** The end of a file's name in an archive: the producer timestamp's hash (reference/archive.md §1). */
export function archiveFileHash(producerTimestamp: Timestamp): string {
  return sha1(canonicalString(formatTimestamp(producerTimestamp)));
}
