import { createHash } from "node:crypto";
import { flat } from "../flat-text.ts";
import type { JsonObject } from "../json.ts";
import { canonicalString, canonicalText, compareText } from "./canonical.ts";
import { type HashedPart, inOrder, orderBy } from "./hashes.ts";
import { addList, sha1 } from "./sha1.ts";

/** What a catalog's hash takes of a resource, and the resource's own hash. */
export interface HashedResource extends HashedPart {
  /** Over type, title and parameters alone (reference/hashing.md §4). */
  readonly hash: string;
}

/** What a catalog's hash takes of an edge. */
export interface HashedEdge {
  /** The `order` of the resources that it joins. */
  readonly source: string;
  readonly target: string;
  readonly relationship: Relationship;
  readonly text: string;
}

/** What an edge can say of two resources. */
export const relationships = ["contains", "required-by", "notifies", "before", "subscription-of"] as const;
export type Relationship = (typeof relationships)[number];

const sortedRelationships = relationships.toSorted(compareText);

/**
 * @param resource as in a valid payload: which keys it *has* counts, a null one included
 * @param tags its tags in set order
 */
export function hashedResource(resource: JsonObject, tags: readonly string[]): HashedResource {
  const { type, title } = resource as { type: string; title: string };
  const parameters = canonicalText(resource["parameters"] ?? null, "symbols");
  return {
    order: orderBy(title, type),
    text: flat(resourceText(resource, parameters, tags)),
    hash: sha1(`[${canonicalString(type)},${canonicalString(title)},${parameters}]`),
  };
}

/** What of a resource is in a catalog's hash, sorted. */
const RESOURCE_KEYS = ["exported", "file", "line", "parameters", "tags", "title", "type"] as const;

function resourceText(resource: JsonObject, parameters: string, tags: readonly string[]): string {
  let text = "{";
  for (const key of RESOURCE_KEYS) {
    const value = resource[key];
    if (value === undefined) continue;
    if (text.length > 1) text += ",";
    text += `"${key}":`;
    if (key === "parameters") text += parameters;
    else text += canonicalText(key === "tags" ? [...tags] : value, "symbols");
  }
  return `${text}}`;
}

/** The resource whose `order` this is. */
export function nameOfOrder(order: string): { type: string; title: string } {
  const [title = "", type = ""] = order.split("\0");
  return { type, title };
}

/** @param edge as in a valid payload; what it has besides the usual keys counts */
export function hashedEdge(edge: JsonObject): HashedEdge {
  const { source, target, relationship } = edge as unknown as {
    readonly source: { readonly type: string; readonly title: string };
    readonly target: { readonly type: string; readonly title: string };
    readonly relationship: Relationship;
  };
  return {
    source: orderBy(source.title, source.type),
    target: orderBy(target.title, target.type),
    relationship,
    text: flat(canonicalText(edge, "symbols")),
  };
}

/** A catalog's hash (reference/hashing.md §5), and its edges without those that join the same in the same way again. */
export interface HashedCatalog<E> {
  readonly hash: string;
  readonly edges: readonly E[];
}

/**
 * Hashes a catalog. The order of its parts does not count; of repeated edges other texts do.
 *
 * Edges are sorted by what they join, as resources are sorted, by their relationship, and by their texts. Where the resources
 * stand is looked up: to compare what they are called took half of the hash's time.
 * @returns undefined where two resources have one name, or an edge joins one that is not there
 */
export function hashedCatalog<E extends { readonly hashed: HashedEdge }>(
  certname: string,
  resources: readonly { readonly hashed: HashedResource }[],
  edges: readonly E[],
): HashedCatalog<E> | undefined {
  const sorted = inOrder(resources.map(({ hashed }) => hashed));
  const places = new Map(sorted.map(({ order }, place) => [order, place]));
  if (places.size < resources.length) return undefined;
  const texts = new Map<number, string | string[]>();
  const distinct: E[] = [];
  for (const edge of edges) {
    const { source, target, relationship, text } = edge.hashed;
    const [from, to] = [places.get(source), places.get(target)];
    if (from === undefined || to === undefined) return undefined;
    const joined = from * resources.length + to;
    const place = joined * sortedRelationships.length + sortedRelationships.indexOf(relationship);
    const before = texts.get(place);
    if (before === undefined) {
      texts.set(place, text);
      distinct.push(edge);
    } else if (before !== text) {
      texts.set(place, [...new Set([before, text].flat())].sort(compareText));
    }
  }
  const edgeTexts = Array.from(Float64Array.from(texts.keys()).sort(), (place) => texts.get(place));
  const digest = createHash("sha1");
  digest.update(`{"certname":${canonicalString(certname)},"edges":[`);
  addList(
    digest,
    edgeTexts.flatMap((each) => each ?? []),
  );
  digest.update('],"resources":[');
  addList(
    digest,
    sorted.map(({ text }) => text),
  );
  digest.update("]}");
  return { hash: digest.digest("hex"), edges: distinct };
}
