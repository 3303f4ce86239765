import { createHash } from "node:crypto";
import { flat } from "../flat-text.ts";
import type { Json } from "../json.ts";
import { type Timestamp, formatTimestamp } from "../time.ts";
import { canonicalString, canonicalText, compareText } from "./canonical.ts";
import { addList, sha1 } from "./sha1.ts";

/** Name, version, provider. */
export type Package = readonly [name: string, version: string, provider: string];

/** Type and name, e.g. `["hiera", "ntp::servers"]`. */
export type CatalogInput = readonly [type: string, name: string];

/** A part of the hashed text: its text, and a text that decides its position. */
export interface HashedPart {
  readonly order: string;
  readonly text: string;
}

/** Orders by the first text, then the second and so on. None of them may contain U+0000. */
export function orderBy(...texts: readonly string[]): string {
  return texts.join("\0");
}

export function inOrder<T extends Pick<HashedPart, "order">>(parts: readonly T[]): T[] {
  return parts.toSorted((a, b) => compareText(a.order, b.order));
}

/** The texts of parts in their order. */
export function textsInOrder(parts: readonly HashedPart[]): string[] {
  return inOrder(parts).map(({ text }) => text);
}

export interface FactsetContent {
  readonly certname: string;
  readonly environment: string | null;
  /** after the blocklist, before characters are replaced; names are unique */
  readonly facts: readonly HashedPart[];
  readonly packages: readonly HashedPart[];
}

/** A fact in a fact set's hash. */
export function hashedFact(name: string, value: Json): HashedPart {
  return { order: name, text: flat(`${canonicalString(name)}:${canonicalText(value, "strings")}`) };
}

/** A package in it. */
export function hashedPackage(tuple: Package): HashedPart {
  return { order: orderBy(...tuple), text: packageText(tuple) };
}

/** reference/hashing.md §5b */
export function factsetHash({ certname, environment, facts, packages }: FactsetContent): string {
  const digest = createHash("sha1");
  digest.update(`{"certname":${canonicalString(certname)},"environment":${canonicalText(environment, "strings")},`);
  if (packages.length > 0) {
    digest.update('"package_inventory":[');
    addList(digest, [...new Set(textsInOrder(packages))]);
    digest.update("],");
  }
  digest.update('"values":{');
  addList(digest, textsInOrder(facts));
  digest.update("}}");
  return digest.digest("hex");
}

function packageText(tuple: Package): string {
  return canonicalText([...tuple], "strings");
}

/** The eight fields that identify a report. */
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

/** The end of a file's name in an archive: the producer timestamp's hash (reference/archive.md §1). */
export function archiveFileHash(producerTimestamp: Timestamp): string {
  return sha1(canonicalString(formatTimestamp(producerTimestamp)));
}
