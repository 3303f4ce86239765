import type { Package } from "../hash/hashes.ts";
import type { Timestamp } from "../time.ts";
import type { Catalog } from "../wire/catalog.ts";
import type { ReportEvent } from "../wire/events.ts";
import type { EmptyContainer } from "../wire/fact-leaves.ts";
import type { Report } from "../wire/report.ts";
import type { RowText } from "./row-text.ts";

/**
 * A command as rows: checked, hashed and shaped so that the writer only passes cells to the engine. Plain data, so that
 * it can cross from one thread to another.
 */
export type Prepared =
  | PreparedFacts
  | PreparedCatalog
  | Unchanged
  | PreparedReport
  | ReportHead
  | PreparedInputs
  | PreparedDeactivation
  | PreparedExpiration;

/** A fact set or catalog whose content was not read: its node has stored it already, or it is not to be stored. */
export type Unchanged = UnchangedFacts | UnchangedCatalog;

/** A document of which only what the row of its node repeats is stored. */
export type Head = Unchanged | ReportHead;

interface PreparedBase {
  readonly kind: "full" | "unchanged";
  readonly certname: string;
  readonly producerTimestamp: Timestamp;
  readonly received: Timestamp;
}

/** A top-level fact's row without its node: name, JSON text, sort key. */
export type PreparedFact = readonly [name: string, value: RowText, sortKey: string];

/**
 * A scalar's row without its node: dictionary key of the path, JSON text, sort key. A scalar that is a whole fact has that
 * one's texts: in their place is its index among the facts.
 */
export type PreparedLeaf =
  | readonly [path: string, value: RowText, sortKey: string]
  | readonly [path: string, fact: number];

interface FactsMeta extends PreparedBase {
  readonly command: "replace facts";
  readonly environment: string | null;
  readonly producer: string | null;
}

export interface UnchangedFacts extends FactsMeta {
  readonly kind: "unchanged";
  /** The digest of the content (`storage/wire/scan.ts`); undefined where it is not known. */
  readonly contentDigest: string | undefined;
}

export interface PreparedFacts extends FactsMeta {
  readonly kind: "full";
  /** The digest of the content; undefined where it is not known. */
  readonly contentDigest: string | undefined;
  /** The digest of the facts that its history records (`fact-digests.ts`); undefined where none is recorded. */
  readonly steadyDigest: string | undefined;
  readonly hash: string;
  /** Top-level facts. */
  readonly facts: readonly PreparedFact[];
  /** Scalars. */
  readonly leaves: readonly PreparedLeaf[];
  /** Dictionary keys of the structured top-level facts, which have a path but no leaf of their own. */
  readonly structured: readonly string[];
  /** Empty lists and objects by their paths, JSON arrays; none where no history is recorded. */
  readonly empty: readonly EmptyContainer[];
  readonly packages: readonly Package[];
  /** The digest of the packages (`fact-digests.ts`). */
  readonly packagesDigest: string;
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
  parameters: RowText,
  values: readonly (RowText | bigint)[],
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

export interface UnchangedCatalog extends PreparedBase {
  readonly kind: "unchanged";
  readonly command: "replace catalog";
  /** The digest of the content; undefined where it is not known. */
  readonly contentDigest: string | undefined;
  readonly meta: Omit<Catalog, "resources" | "edges" | "hash">;
}

export interface PreparedCatalog extends PreparedBase {
  readonly kind: "full";
  readonly command: "replace catalog";
  /** The digest of the content; undefined where it is not known. */
  readonly contentDigest: string | undefined;
  readonly meta: Omit<Catalog, "resources" | "edges">;
  readonly resources: readonly PreparedResource[];
  readonly edges: readonly PreparedEdge[];
}

export interface PreparedReport extends PreparedBase {
  readonly kind: "full";
  readonly command: "store report";
  readonly meta: Omit<Report, "resources" | "resources_as_sent" | "metrics" | "logs">;
  readonly events: readonly PreparedEvent[];
  readonly metrics: RowText | null;
  readonly logs: RowText | null;
  readonly resources: RowText | null;
}

export interface ReportHead extends PreparedBase {
  readonly kind: "unchanged";
  readonly command: "store report";
  readonly contentDigest: undefined;
  readonly meta: Omit<PreparedReport["meta"], "hash">;
}

type EventText = "old_value" | "new_value" | "message";

export type PreparedEvent = Omit<ReportEvent, EventText> & Readonly<Record<EventText, RowText | null>>;

export interface PreparedInputs extends PreparedBase {
  readonly kind: "full";
  readonly command: "replace catalog inputs";
  readonly catalogUuid: string;
  readonly hash: string;
  readonly inputs: readonly (readonly [type: string, name: RowText])[];
}

export interface PreparedDeactivation extends PreparedBase {
  readonly kind: "full";
  readonly command: "deactivate node";
}

export interface PreparedExpiration extends PreparedBase {
  readonly kind: "full";
  readonly command: "configure expiration";
  readonly expireFacts: boolean;
}
