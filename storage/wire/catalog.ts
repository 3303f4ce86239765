import { catalogHashes } from "../hash/hashes.ts";
import { inSetOrder } from "../hash/tag-order.ts";
import { type Json, type JsonObject, parseJson } from "../json.ts";
import type { Timestamp } from "../time.ts";
import { boolean, cleanObject, integer, looseTime, oneOf, text, uuid } from "./kinds.ts";
import { type Problems, quoted } from "./problems.ts";
import { check, type ReadContext } from "./payload.ts";
import { type Kind, list, nullable, optional, record } from "./shape.ts";
import { onObject, renamed, underscored, upgrade, type Upgrades } from "./upgrade.ts";

/** `replace catalog`, version 9 (reference/commands.md §3.1). */
export interface Catalog {
  readonly certname: string;
  readonly version: string;
  readonly environment: string | null;
  readonly transaction_uuid: string | null;
  readonly catalog_uuid: string | null;
  readonly code_id: string | null;
  readonly job_id: string | null;
  readonly producer_timestamp: Timestamp;
  readonly producer: string | null;
  readonly resources: readonly CatalogResource[];
  /** without repetitions */
  readonly edges: readonly CatalogEdge[];
  /** reference/hashing.md §5 */
  readonly hash: string;
}

export interface ResourceName {
  readonly type: string;
  readonly title: string;
}

export interface CatalogResource extends ResourceName {
  readonly exported: boolean;
  readonly file: string | null;
  readonly line: number | null;
  /** without repetitions, in set order (reference/hashing.md §3) */
  readonly tags: readonly string[];
  /** empty when none were sent; the hash knows the difference */
  readonly parameters: JsonObject;
  /** reference/hashing.md §4 */
  readonly hash: string;
}

export const relationships = ["contains", "required-by", "notifies", "before", "subscription-of"] as const;
export type Relationship = (typeof relationships)[number];

export interface CatalogEdge {
  readonly source: ResourceName;
  readonly target: ResourceName;
  readonly relationship: Relationship;
}

type Unhashed<T> = Omit<T, "hash">;
type UnhashedCatalog = Omit<Catalog, "hash" | "resources"> & { resources: Unhashed<CatalogResource>[] };

/** reference/commands.md §3.1 */
const TAG = /^(?!\p{Lu})[\p{L}\p{N}_](?:(?!\p{Lu})[\p{L}\p{N}_:.-])*$/u;
const PLAIN_TAG = /^[a-z0-9_][a-z0-9_:.-]*$/;

const tag: Kind<string> = {
  read(value, problems) {
    if (typeof value !== "string") {
      problems.mismatch("a string", value);
      return "";
    }
    if (!PLAIN_TAG.test(value) && !TAG.test(value)) {
      problems.add(`${quoted(value)} is not a tag: no upper case, letters, digits and _ first, then also : . -`);
    }
    return value;
  },
};

const tags: Kind<string[]> = {
  read(value, problems) {
    const texts = tagList.read(value, problems);
    return texts === undefined ? [] : inSetOrder(texts);
  },
};
const tagList: Kind<string[] | undefined> = list(tag);

const parameters: Kind<JsonObject> = {
  read: (value, problems) => (value === null ? {} : cleanObject.read(value, problems)),
};

const resource = record<Unhashed<CatalogResource>>(
  {
    type: text,
    title: text,
    exported: boolean,
    file: optional(nullable(text)),
    line: optional(nullable(integer(32))),
    tags,
    parameters: optional(parameters),
  },
  "dropped",
);

const resourceName = record<ResourceName>({ type: text, title: text }, "refused");

const edge = record<CatalogEdge>(
  { source: resourceName, target: resourceName, relationship: oneOf(relationships) },
  "dropped",
);

// The newest peer wants strict times here, its predecessors took what a fact set may have; both are served.
const format = record<UnhashedCatalog>(
  {
    certname: text,
    version: text,
    environment: optional(nullable(text)),
    transaction_uuid: optional(nullable(uuid)),
    catalog_uuid: nullable(uuid),
    code_id: nullable(text),
    job_id: optional(nullable(text)),
    producer_timestamp: looseTime,
    producer: nullable(text),
    resources: list(resource),
    edges: list(edge),
  },
  "dropped",
);

/** The steps that make old catalogs current ones (reference/commands.md §3.1). */
export const catalogUpgrades: Upgrades = {
  4: onObject((catalog, received) => ({ ...catalog, producer_timestamp: received.toISOString() })),
  5: onObject((catalog) => {
    const { api_version: _, ...rest } = underscored(renamed(catalog, { name: "certname" }));
    return rest;
  }),
  6: onObject((catalog) => ({ ...catalog, code_id: null })),
  7: onObject((catalog) => ({ ...catalog, catalog_uuid: catalog["transaction_uuid"] ?? null })),
  8: onObject((catalog) => ({ ...catalog, producer: null, job_id: null })),
};

/**
 * Checks a catalog of any processed version and makes it a current one.
 * @throws WireError
 */
export function readCatalog(payload: Json, version: number, { received, problems }: ReadContext): Catalog {
  const sent = upgrade(unpacked(payload, problems), version, catalogUpgrades, received);
  const catalog = check(format, sent, problems);
  const { edges, resources } = sent as { edges: JsonObject[]; resources: JsonObject[] };
  const distinct = connectedEdges(catalog, problems);
  problems.refuseIfAny();
  const hashes = catalogHashes((sent as { certname: string }).certname, resources, edges);
  return {
    ...catalog,
    resources: catalog.resources.map((resource, index) => ({ ...resource, hash: hashes.resources[index] ?? "" })),
    edges: distinct,
    hash: hashes.catalog,
  };
}

/** A payload may be a string that holds the object's JSON. */
function unpacked(payload: Json, problems: Problems): Json {
  if (typeof payload !== "string") return payload;
  try {
    return parseJson(payload);
  } catch {
    problems.add("a string that is not JSON text");
    problems.refuseIfAny();
    return null;
  }
}

/** The distinct edges. No two resources may have one name, and edges may only join resources that are there. */
function connectedEdges(catalog: UnhashedCatalog, problems: Problems): CatalogEdge[] {
  const indexes = new Map<string, number>();
  for (const [index, resource] of catalog.resources.entries()) {
    const name = nameKey(resource);
    const first = indexes.get(name);
    if (first === undefined) indexes.set(name, index);
    else problems.add(`${shown(resource)} is there twice, first as resources[${first}]`, "resources", index);
  }
  const seen = new Set<number>();
  return catalog.edges.filter(({ source, target, relationship }, index) => {
    const from = indexes.get(nameKey(source));
    const to = indexes.get(nameKey(target));
    if (from === undefined) problems.add(`${shown(source)} is not among the resources`, "edges", index, "source");
    if (to === undefined) problems.add(`${shown(target)} is not among the resources`, "edges", index, "target");
    if (from === undefined || to === undefined) return false;
    const key = (from * catalog.resources.length + to) * relationships.length + relationships.indexOf(relationship);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Unambiguous, as neither half can hold U+0000. */
function nameKey({ type, title }: ResourceName): string {
  return `${type}\0${title}`;
}

function shown({ type, title }: ResourceName): string {
  return quoted(`${type}[${title}]`);
}
