import {
  type HashedEdge,
  type HashedResource,
  hashedCatalog,
  hashedEdge,
  hashedResource,
  nameOfOrder,
  parametersOf,
  type Relationship,
  relationships,
} from "../hash/catalog-hash.ts";
import type { CanonicalMember } from "../hash/canonical.ts";
import { inSetOrder } from "../hash/tag-order.ts";
import { type Json, type JsonObject, parseJson } from "../json.ts";
import type { Timestamp } from "../time.ts";
import { boolean, cleanObject, looseTime, oneOf, roundedInteger, scalarText, text, uuid } from "./kinds.ts";
import { type Problems, quoted } from "./problems.ts";
import { check, type ReadContext } from "./payload.ts";
import { emptyAsList, isEmpty, type Kind, list, nullable, optional, record } from "./shape.ts";
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
  /** empty when none were sent; the hash differs */
  readonly parameters: JsonObject;
  /** the canonical text of each parameter */
  readonly parameterTexts: readonly CanonicalMember[];
  /** reference/hashing.md §4 */
  readonly hash: string;
}

export interface CatalogEdge {
  readonly source: ResourceName;
  readonly target: ResourceName;
  readonly relationship: Relationship;
}

type UnhashedResource = Omit<CatalogResource, "hash" | "parameterTexts">;
type UnhashedCatalog = Omit<Catalog, "hash" | "resources"> & { resources: UnhashedResource[] };

/** reference/commands.md §3.1 */
const TAG = /^(?!\p{Lu})[\p{L}\p{N}_](?:(?!\p{Lu})[\p{L}\p{N}_:.-])*$/u;
const NO_TAG = "not a tag: no upper case, letters, digits and _ first, then also : . -";
const PLAIN_TAG = /^[a-z0-9_][a-z0-9_:.-]*$/;

const tag: Kind<string> = {
  read(value, problems) {
    if (typeof value !== "string") {
      problems.mismatch("a string", value);
      return "";
    }
    if (!PLAIN_TAG.test(value) && !TAG.test(value)) {
      problems.addQuoting(`${quoted(value)} is ${NO_TAG}`, NO_TAG);
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
  read: (value, problems) => (value === null || isEmpty(value) ? {} : cleanObject.read(value, problems)),
};

const resource = record<UnhashedResource>(
  {
    type: scalarText,
    title: scalarText,
    exported: boolean,
    file: optional(nullable(scalarText)),
    line: optional(nullable(roundedInteger(32))),
    tags: emptyAsList(tags),
    parameters: optional(parameters),
  },
  "dropped",
);

const resourceName = record<ResourceName>({ type: scalarText, title: scalarText }, "refused");

const edge = record<CatalogEdge>(
  { source: resourceName, target: resourceName, relationship: oneOf(relationships) },
  "dropped",
);

// The newest PuppetDB requires strict times here, earlier ones accepted any time of a fact set; both are supported.
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
    edges: emptyAsList(list(edge)),
  },
  "dropped",
);

/** Upgrades of old versions (reference/commands.md §3.1). */
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

/** What a whole catalog needs of one of its resources. */
export interface ResourcePart {
  /** `order` is unique among the resources of a catalog */
  readonly hashed: HashedResource;
}

/** What it needs of an edge. */
export interface EdgePart {
  readonly hashed: HashedEdge;
}

/** A resource that was read separately. */
interface ReadResource extends ResourcePart {
  readonly resource: CatalogResource;
}

/** An edge that was read separately. */
interface ReadEdge extends EdgePart {
  readonly edge: CatalogEdge;
}

/** A catalog whose resources and edges were read separately. */
interface CatalogOf<R extends ResourcePart, E extends EdgePart> extends Omit<Catalog, "resources" | "edges"> {
  readonly resources: readonly R[];
  /** without repetitions */
  readonly edges: readonly E[];
}

/**
 * Checks a catalog of any supported version and upgrades it to the current one.
 * @throws WireError
 */
export function readCatalog(payload: Json, version: number, { received, problems }: ReadContext): Catalog {
  const current = upgrade(unpacked(payload, problems), version, catalogUpgrades, received);
  const { resources, edges, ...head } = check(format, current, problems);
  const sent = current as { certname: string; resources: JsonObject[]; edges: JsonObject[] };
  const parts = {
    resources: resources.map((read, index) => resourcePart(read, sent.resources[index] ?? {})),
    edges: edges.map((read, index) => edgePart(read, sent.edges[index] ?? {})),
  };
  const catalog = assembled(sent.certname, head, parts, problems);
  return {
    ...catalog,
    resources: catalog.resources.map((part) => part.resource),
    edges: catalog.edges.map((part) => part.edge),
  };
}

/**
 * Reads a resource of a current catalog separately.
 * @returns undefined where it is invalid
 */
export function readResource(sent: Json, problems: Problems): ReadResource | undefined {
  const read = resource.read(sent, problems);
  return read === undefined || problems.hasAny ? undefined : resourcePart(read, sent as JsonObject);
}

/** The same for an edge. */
export function readEdge(sent: Json, problems: Problems): ReadEdge | undefined {
  const read = edge.read(sent, problems);
  return read === undefined || problems.hasAny ? undefined : edgePart(read, sent as JsonObject);
}

/** @param certname as sent, because this is hashed */
function assembled<R extends ResourcePart, E extends EdgePart>(
  certname: string,
  head: Omit<Catalog, "resources" | "edges" | "hash">,
  { resources, edges }: { readonly resources: readonly R[]; readonly edges: readonly E[] },
  problems: Problems,
): CatalogOf<R, E> {
  const hashed = hashedCatalog(certname, resources, edges);
  if (hashed === undefined) findUnconnected(resources, edges, problems);
  problems.throwIfAny();
  return { ...head, resources, edges: hashed?.edges ?? [], hash: hashed?.hash ?? "" };
}

function resourcePart(read: UnhashedResource, sent: JsonObject): ReadResource {
  const sentTexts = parametersOf(sent);
  const hashed = hashedResource(sent, read, sentTexts);
  // What is stored is another object only where a text had to be cleaned, or nothing was sent in its place.
  const isAsSent = read.parameters === sent["parameters"];
  const parameterTexts = (isAsSent ? sentTexts : parametersOf({ parameters: read.parameters })) ?? [];
  return { resource: { ...read, hash: hashed.hash, parameterTexts }, hashed };
}

function edgePart(read: CatalogEdge, sent: JsonObject): ReadEdge {
  return { edge: read, hashed: hashedEdge(sent, read) };
}

/** A payload may be a string with the object's JSON. */
function unpacked(payload: Json, problems: Problems): Json {
  if (typeof payload !== "string") return payload;
  try {
    return parseJson(payload);
  } catch {
    problems.add("a string that is not JSON text");
    problems.throwIfAny();
    return null;
  }
}

/** Resource names must be unique, and edges may only connect existing resources. */
function findUnconnected(resources: readonly ResourcePart[], edges: readonly EdgePart[], problems: Problems): void {
  const indexes = new Map<string, number>();
  for (const [index, { hashed }] of resources.entries()) {
    const first = indexes.get(hashed.order);
    if (first === undefined) indexes.set(hashed.order, index);
    else problems.add(`${shown(hashed.order)} occurs twice, first as resources[${first}]`, "resources", index);
  }
  for (const [index, { hashed }] of edges.entries()) {
    for (const end of ["source", "target"] as const) {
      if (!indexes.has(hashed[end]))
        problems.add(`${shown(hashed[end])} is not among the resources`, "edges", index, end);
    }
  }
}

function shown(order: string): string {
  const { type, title } = nameOfOrder(order);
  return quoted(`${type}[${title}]`);
}
