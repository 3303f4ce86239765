import { CensusError } from "../../errors.ts";
import { parseJson } from "../../json.ts";
import { catalogOf, type EdgePart, readEdge, readResource, type ResourcePart } from "../../wire/catalog.ts";
import { commands } from "../../wire/commands.ts";
import { Problems } from "../../wire/problems.ts";
import { parsePayload } from "../payload.ts";
import type { PreparedCatalog } from "../prepared.ts";
import { edgeRow, resourceRow } from "../rows.ts";
import type { Submission } from "../submission.ts";
import type { DigestedContent } from "./content-digest.ts";
import type { Item, ItemCache, ItemKind } from "./item-cache.ts";
import { itemsOf, type Member } from "./json-bounds.ts";

/** A list cannot be read item by item, or one of its items is invalid. */
class NotItems extends Error {}

/**
 * Prepares a catalog of the current version item by item; cached items are not read again. The result is the same as
 * for reading the whole catalog.
 * @param json the payload
 * @returns undefined where the catalog must be read as a whole: its layout is unexpected, or it is invalid, and reading
 *   the whole reports the reason
 */
export function prepareItems(
  submission: Submission,
  json: Buffer,
  { digest, head, large }: DigestedContent,
  cache: ItemCache,
): PreparedCatalog | undefined {
  if (submission.command !== "replace catalog" || large === undefined) return undefined;
  try {
    const lists = {
      resources: readItems(json, large.get("resources"), resourceItems, cache),
      edges: readItems(json, large.get("edges"), edgeItems, cache),
    };
    const { resources, edges, ...meta } = catalogOf(parsePayload(submission, head), lists, discardedProblems());
    return {
      kind: "full",
      command: "replace catalog",
      certname: meta.certname,
      producerTimestamp: meta.producer_timestamp,
      received: submission.received,
      contentDigest: digest,
      meta,
      resources: itemRows(resources),
      edges: itemRows(edges),
    };
  } catch (error) {
    if (error instanceof NotItems || error instanceof SyntaxError || error instanceof CensusError) return undefined;
    throw error;
  }
}

const resourceItems: ItemKind<ResourcePart & Item> = {
  read(text) {
    const { resource, hashed } = valid(readResource(parseJson(text), discardedProblems()));
    return { hashed, row: resourceRow(resource) };
  },
  cached: ({ hashed }, shared) => ({ hashed: { ...hashed, order: shared(hashed.order) } }),
};

const edgeItems: ItemKind<EdgePart & Item> = {
  read(text) {
    const { edge, hashed } = valid(readEdge(parseJson(text), discardedProblems()));
    return { hashed, row: edgeRow(edge) };
  },
  cached: ({ hashed }, shared) => ({
    hashed: { ...hashed, source: shared(hashed.source), target: shared(hashed.target) },
  }),
};

function readItems<T extends Item>(json: Buffer, list: Member | undefined, kind: ItemKind<T>, cache: ItemCache): T[] {
  const bounds = list && itemsOf(json, list);
  if (bounds === undefined) throw new NotItems();
  return cache.read(kind, json, bounds);
}

function itemRows<T>(items: readonly Item[]): T[] {
  return items.map(({ row }) => row as T);
}

function valid<T>(read: T | undefined): T {
  if (read === undefined) throw new NotItems();
  return read;
}

/** These problems are not reported: where there are any, the catalog is read as a whole, which reports them. */
function discardedProblems(): Problems {
  return new Problems("replace catalog", commands["replace catalog"].newest);
}
