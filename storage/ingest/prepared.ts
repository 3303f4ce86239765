import type { Package } from "../hash/hashes.ts";
import type { Timestamp } from "../time.ts";
import type { Catalog } from "../wire/catalog.ts";
import type { ReportEvent } from "../wire/events.ts";
import type { Report } from "../wire/report.ts";

/**
 * A command as rows: checked, hashed and shaped so far that the writer only hands cells to the engine. Plain data, so
 * that it can cross from one thread to another.
 */
export type Prepared =
  | PreparedFacts
  | PreparedCatalog
  | PreparedReport
  | PreparedInputs
  | PreparedDeactivation
  | PreparedExpiration;

interface PreparedBase {
  readonly certname: string;
  readonly producerTimestamp: Timestamp;
  readonly received: Timestamp;
}

/** Data that take the place of earlier ones, which may have been the same. */
export interface PreparedReplacement extends PreparedBase {
  /** What their content is told by (`storage/ingest/shortcuts/content-digest.ts`); undefined where that is not known. */
  readonly content: string | undefined;
  /** The content is left out, being what the node has already: rows are empty and the hash means nothing. */
  readonly isAbridged: boolean;
}

/** A top-level fact's row without its node: name, JSON text, sort key. */
export type PreparedFact = readonly [name: string, value: string, sortKey: string];

/** A scalar's: dictionary key of the path, JSON text, sort key. */
export type PreparedLeaf = readonly [path: string, value: string, sortKey: string];

export interface PreparedFacts extends PreparedReplacement {
  readonly command: "replace facts";
  readonly environment: string | null;
  readonly producer: string | null;
  readonly hash: string;
  /** Top-level facts. */
  readonly facts: readonly PreparedFact[];
  /** Scalars. */
  readonly leaves: readonly PreparedLeaf[];
  /** Dictionary keys of the structured top-level facts, which have a path but no leaf of their own. */
  readonly structured: readonly string[];
  readonly packages: readonly Package[];
}

/**
 * A resource's row in the dictionary without its id, and then name, canonical text and digest of each parameter in turn. `digest`
 * identifies the entry: it covers everything about the resource, not only what the hash does. Tuples cross threads in a
 * fraction of the time that objects take.
 */
export type PreparedResource = readonly [
  digest: string,
  hash: string,
  type: string,
  title: string,
  tags: readonly string[],
  exported: boolean,
  file: string | null,
  line: number | null,
  parameters: string,
  values: readonly (string | bigint)[],
];

/** An edge's row in the dictionary without its id. */
export type PreparedEdge = readonly [
  digest: string,
  sourceType: string,
  sourceTitle: string,
  targetType: string,
  targetTitle: string,
  relationship: string,
];

export interface PreparedCatalog extends PreparedReplacement {
  readonly command: "replace catalog";
  readonly meta: Omit<Catalog, "resources" | "edges">;
  readonly resources: readonly PreparedResource[];
  readonly edges: readonly PreparedEdge[];
}

export interface PreparedReport extends PreparedBase {
  readonly command: "store report";
  readonly meta: Omit<Report, "resources" | "resources_as_sent" | "metrics" | "logs">;
  readonly events: readonly ReportEvent[];
  readonly metrics: string | null;
  readonly logs: string | null;
  readonly resources: string | null;
}

export interface PreparedInputs extends PreparedBase {
  readonly command: "replace catalog inputs";
  readonly catalogUuid: string;
  readonly hash: string;
  readonly inputs: readonly (readonly [type: string, name: string])[];
}

export interface PreparedDeactivation extends PreparedBase {
  readonly command: "deactivate node";
}

export interface PreparedExpiration extends PreparedBase {
  readonly command: "configure expiration";
  readonly expireFacts: boolean;
}

/** The hash that a command's data are known by; undefined for commands that have none. */
export function hashOf(prepared: Prepared): string | undefined {
  if ("meta" in prepared) return prepared.meta.hash;
  return "hash" in prepared ? prepared.hash : undefined;
}
