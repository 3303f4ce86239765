import { CensusError } from "../../errors.ts";
import { isObject, type Json, parseJson } from "../../json.ts";
import { catalogOf, type EdgePart, readEdge, readResource, type ResourcePart } from "../../wire/catalog.ts";
import { type CommandName, commands } from "../../wire/commands.ts";
import { type FactPart, factsOf, type PackagePart, readFact, readPackage } from "../../wire/facts.ts";
import { Problems } from "../../wire/problems.ts";
import type { Abridged } from "./content-digest.ts";
import type { Kind, KnownParts, Part } from "./item-cache.ts";
import { parsePayload } from "../payload.ts";
import type { Prepared, PreparedCatalog, PreparedFact, PreparedFacts, PreparedLeaf } from "../prepared.ts";
import { edgeRow, type FactRows, factRows, resourceRow } from "../rows.ts";
import type { Submission } from "../submission.ts";
import { itemsOf, type Member } from "./json-bounds.ts";

/*
 * Nearly all edges of a catalog, many of its resources and most facts are those of other nodes, letter by letter. A document
 * is therefore taken apart where it is known to have many of the like, and each part is looked up by its text before it is
 * read. What comes out is what reading the whole gives.
 */

interface Options {
  readonly abridged: Abridged;
  readonly parts: KnownParts;
  /** Which facts are stored; all, unless told. */
  readonly keepFact?: ((name: string) => boolean) | undefined;
}

/** A part cannot be read by itself, or is wrong. */
class NotAPart extends Error {}

/**
 * Prepares a current catalog or fact set part by part.
 * @param json the payload
 * @returns undefined where it has to be read as a whole: it is spelt in an unusual way, or something is wrong with it, and
 *   the whole tells what
 */
export function fromParts(submission: Submission, json: Buffer, options: Options): Prepared | undefined {
  const { large } = options.abridged;
  if (large === undefined) return undefined;
  try {
    if (submission.command === "replace catalog") return catalog(submission, json, options, large);
    return submission.command === "replace facts" ? facts(submission, json, options, large) : undefined;
  } catch (error) {
    if (error instanceof NotAPart || error instanceof SyntaxError || error instanceof CensusError) return undefined;
    throw error;
  }
}

type Large = ReadonlyMap<string, Member>;

function catalog(submission: Submission, json: Buffer, { abridged, parts }: Options, large: Large): PreparedCatalog {
  const read = {
    resources: partsOf(json, large.get("resources"), resources, parts),
    edges: partsOf(json, large.get("edges"), edges, parts),
  };
  const head = parsePayload(submission, abridged.json);
  const { resources: resourceParts, edges: edgeParts, ...meta } = catalogOf(head, read, unheard("replace catalog"));
  return {
    ...baseOf(submission, meta),
    content: abridged.content,
    isAbridged: false,
    command: "replace catalog",
    meta,
    resources: rowsOf(resourceParts),
    edges: rowsOf(edgeParts),
  };
}

function facts(
  submission: Submission,
  json: Buffer,
  { abridged, parts, keepFact }: Options,
  large: Large,
): PreparedFacts {
  const all = partsOf(json, large.get("values"), values, parts);
  // Of two facts with one name the last counts, in the place of the first.
  if (new Set(all.map(({ name }) => name)).size < all.length) throw new NotAPart();
  const packages = large.get("package_inventory");
  const read = {
    facts: keepFact === undefined ? all : all.filter(({ name }) => keepFact(name)),
    packages: packages === undefined ? [] : partsOf(json, packages, inventory, parts),
  };
  const head = parsePayload(submission, abridged.json);
  const factset = factsOf(head, read, unheard("replace facts"));
  const { environment, producer, hash } = factset;
  return {
    ...baseOf(submission, factset),
    content: abridged.content,
    isAbridged: false,
    command: "replace facts",
    environment,
    producer,
    hash,
    facts: factset.facts.map(({ rows: [row] }) => row as PreparedFact),
    leaves: factset.facts.flatMap(({ rows }) => rows.slice(1) as unknown as PreparedLeaf[]),
    structured: factset.facts.flatMap(({ structured }) => structured ?? []),
    packages: rowsOf(factset.packages),
  };
}

function baseOf(
  { received }: Submission,
  { certname, producer_timestamp: producerTimestamp }: Pick<PreparedCatalog["meta"], "certname" | "producer_timestamp">,
): Pick<Prepared, "certname" | "producerTimestamp" | "received"> {
  return { certname, producerTimestamp, received };
}

const resources: Kind<ResourcePart & Part> = {
  bracket: "[",
  read(text) {
    const { resource, hashed } = sound(readResource(parseJson(text), unheard("replace catalog")));
    return { hashed, rows: [resourceRow(resource)] };
  },
  kept: ({ hashed }, shared) => ({ hashed: { ...hashed, order: shared(hashed.order) } }),
};

const edges: Kind<EdgePart & Part> = {
  bracket: "[",
  read(text) {
    const { edge, hashed } = sound(readEdge(parseJson(text), unheard("replace catalog")));
    return { hashed, rows: [edgeRow(edge)] };
  },
  kept: ({ hashed }, shared) => ({
    hashed: { ...hashed, source: shared(hashed.source), target: shared(hashed.target) },
  }),
};

/** The first of a fact's rows is its own, the others are its leaves. */
const values: Kind<FactPart & Part & Pick<FactRows, "structured">> = {
  bracket: "{",
  read(text) {
    const [name, value] = onlyMember(parseJson(`{${text}}`));
    const { value: clean, hashed } = sound(readFact(name, value));
    const { fact, leaves, structured } = factRows(name, clean);
    return { name, hashed, structured, rows: [fact, ...leaves] };
  },
  kept: ({ name, hashed, structured }) => ({ name, hashed, structured }),
};

const inventory: Kind<PackagePart & Part> = {
  bracket: "[",
  read(text) {
    const { tuple, hashed } = sound(readPackage(parseJson(text), unheard("replace facts")));
    return { hashed, rows: [tuple] };
  },
  kept: ({ hashed }) => ({ hashed }),
};

function partsOf<T extends Part>(json: Buffer, member: Member | undefined, kind: Kind<T>, parts: KnownParts): T[] {
  if (member === undefined || json[member.from] !== kind.bracket.charCodeAt(0)) throw new NotAPart();
  const bounds = itemsOf(json, member);
  if (bounds === undefined) throw new NotAPart();
  return parts.read(kind, json, bounds);
}

/** The rows of all parts. */
function rowsOf<T>(parts: readonly Part[]): T[] {
  return parts.flatMap(({ rows }) => rows as readonly T[]);
}

function sound<T>(part: T | undefined): T {
  if (part === undefined) throw new NotAPart();
  return part;
}

function onlyMember(object: Json): [name: string, value: Json] {
  const members = isObject(object) ? Object.entries(object) : [];
  const [member] = members;
  if (member === undefined || members.length > 1) throw new NotAPart();
  return member;
}

/** What is wrong here nobody hears; that something is will do. */
function unheard(command: CommandName): Problems {
  return new Problems(command, commands[command].newest);
}
