import { createHash } from "node:crypto";
import { flat } from "../flat-text.ts";
import { isObject, type JsonObject } from "../json.ts";
import {
  canonicalMembers,
  type CanonicalMember,
  canonicalString,
  canonicalText,
  compareText,
  textOfMembers,
} from "./canonical.ts";
import { type HashedPart, inOrder, orderBy } from "./hashes.ts";
import { addList, sha1 } from "./sha1.ts";

/** What a catalog's hash needs of a resource, and the resource's own hash. */
export interface HashedResource extends HashedPart {
  /** Over type, title and parameters only (reference/hashing.md §4). */
  readonly hash: string;
}

/** What a catalog's hash needs of an edge. */
export interface HashedEdge {
  /** The `order` of the resources that it connects. */
  readonly source: string;
  readonly target: string;
  readonly relationship: Relationship;
  readonly text: string;
}

/** The kinds of edge between two resources. */
export const relationships = ["contains", "required-by", "notifies", "before", "subscription-of"] as const;
export type Relationship = (typeof relationships)[number];

const sortedRelationships = relationships.toSorted(compareText);

/** The names of a resource as they are stored. */
interface Name {
  readonly type: string;
  readonly title: string;
}

/**
 * @param resource as in a valid payload: the presence of a key counts, even if it is null
 * @param read its names as they are stored, and its tags in set order
 * @param parameters what {@link parametersOf} returns
 */
export function hashedResource(
  resource: JsonObject,
  { type, title, tags }: Name & { readonly tags: readonly string[] },
  parameters = parametersOf(resource),
): HashedResource {
  const { type: sentType = null, title: sentTitle = null, parameters: sent = null } = resource;
  const text = parameters === undefined ? canonicalText(sent, "symbols") : textOfMembers(parameters);
  return {
    order: orderBy(title, type),
    text: flat(resourceText(resource, text, tags)),
    hash: sha1(`[${canonicalText(sentType, "symbols")},${canonicalText(sentTitle, "symbols")},${text}]`),
  };
}

/** A resource's parameters with their canonical texts; undefined where there is no object of them. */
export function parametersOf({ parameters }: JsonObject): readonly CanonicalMember[] | undefined {
  return isObject(parameters) ? canonicalMembers(parameters, "symbols") : undefined;
}

/** The keys of a resource in a catalog's hash, sorted. */
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

/** The resource with this `order`. */
export function nameOfOrder(order: string): { type: string; title: string } {
  const [title = "", type = ""] = order.split("\0");
  return { type, title };
}

/**
 * @param edge as in a valid payload; keys besides the usual ones count
 * @param read its names as they are stored
 */
export function hashedEdge(
  edge: JsonObject,
  {
    source,
    target,
    relationship,
  }: { readonly source: Name; readonly target: Name; readonly relationship: Relationship },
): HashedEdge {
  return {
    source: orderBy(source.title, source.type),
    target: orderBy(target.title, target.type),
    relationship,
    text: flat(canonicalText(edge, "symbols")),
  };
}

/** A catalog's hash (reference/hashing.md §5), and its edges without repetitions of the same relationship. */
export interface HashedCatalog<E> {
  readonly hash: string;
  readonly edges: readonly E[];
}

/**
 * Hashes a catalog. The order of its parts does not count; repeated edges count where their texts differ.
 *
 * Edges are sorted by the resources that they connect, in the order of resources, then by relationship, then by text.
 * The positions of the resources are looked up, because comparing their names took half of the hash's time.
 * @returns undefined where two resources have the same name, or an edge refers to a missing one
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
