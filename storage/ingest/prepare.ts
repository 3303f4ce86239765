import type { VolatilePaths } from "../history/volatile-facts.ts";
import { type CommandBounds, defaultBounds, survey } from "../wire/bounds.ts";
import { readCommand, type WireCommand } from "../wire/read.ts";
import { digestOfPackages, digestOfSteadyFacts } from "./fact-digests.ts";
import { parsePayload, unpacked } from "./payload.ts";
import type { Prepared, Unchanged } from "./prepared.ts";
import { rowText } from "./row-text.ts";
import { edgeRow, factRows, FactTexts, reportRows, resourceRow } from "./rows.ts";
import { prepareItems } from "./shortcuts/catalog-items.ts";
import { digestContent, matchDigest } from "./shortcuts/content-digest.ts";
import type { ItemCache } from "./shortcuts/item-cache.ts";
import { hasSteadyDigests, type SteadyDigests, volatilePart } from "./shortcuts/volatile-part.ts";
import { freeBytes, type Submission } from "./submission.ts";

/** What preparing a command uses besides the command. */
export interface PrepareOptions {
  /** The digest of the content that the node has stored: a command with the same content is {@link Unchanged}. */
  readonly storedDigest?: string | undefined;
  /** Digests of the fact set that the node has stored: of a fact set with the same digests, only volatile facts become rows. */
  readonly storedSteady?: SteadyDigests | undefined;
  /** Which facts are stored; default: all. */
  readonly keepFact?: ((name: string) => boolean) | undefined;
  /** Facts whose changes are not recorded; undefined: no changes are. */
  readonly volatileFacts?: VolatilePaths | undefined;
  /** The limits of a command; default: {@link defaultBounds}. */
  readonly bounds?: CommandBounds | undefined;
  /** Items that this thread has read before; without it each catalog is read as a whole. */
  readonly items?: ItemCache | undefined;
  /** Whether the payload's memory is freed as soon as it has been read. */
  readonly freesPayload?: boolean | undefined;
}

/**
 * Parses, checks, upgrades and hashes a command and shapes its rows. Pure: runs on any thread.
 * @throws CensusError "bad-input" when the command can never succeed
 */
export function prepare(submission: Submission, options: PrepareOptions = {}): Prepared {
  const { storedDigest, bounds = defaultBounds, items } = options;
  const { command, version } = submission;
  const json = unpacked(submission, bounds.unpackedBytes);
  survey(submission, json, bounds);
  const unchanged = storedDigest === undefined ? undefined : ifUnchanged(submission, json, storedDigest);
  if (unchanged !== undefined) return unchanged;
  const content = digestContent(command, version, json);
  const fromItems = content && items && prepareItems(submission, json, content, items);
  return fromItems ?? prepareFull(submission, json, content?.digest, options);
}

/**
 * Prepares a command only if its content is what its node has stored, in a tenth of a millisecond.
 * @returns undefined where the content is another one
 * @throws CensusError "bad-input" when the command can never succeed
 */
export function prepareUnchanged(submission: Submission, storedDigest: string): Unchanged | undefined {
  return ifUnchanged(submission, unpacked(submission), storedDigest);
}

function ifUnchanged(submission: Submission, json: Buffer, storedDigest: string): Unchanged | undefined {
  const content = matchDigest(submission.command, submission.version, json, storedDigest);
  if (content === undefined) return undefined;
  const read = readCommand(inputOf(submission, content.head));
  const base = { kind: "unchanged", ...baseOf(read, submission), contentDigest: storedDigest } as const;
  if (read.command === "replace facts") {
    const { environment, producer } = read.payload;
    return { ...base, command: read.command, environment, producer };
  }
  if (read.command === "replace catalog") {
    const { resources: _, edges: __, hash: ___, ...meta } = read.payload;
    return { ...base, command: read.command, meta };
  }
  throw new Error(`no content digest is taken of the command ${read.command}`);
}

function prepareFull(
  submission: Submission,
  json: Buffer,
  contentDigest: string | undefined,
  { keepFact, volatileFacts, storedSteady, bounds = defaultBounds, freesPayload = false }: PrepareOptions,
): Prepared {
  const input = inputOf(submission, json);
  if (freesPayload) freeBytes(json);
  // A catalog may be a string that contains its JSON.
  if (typeof input.payload === "string") survey(submission, Buffer.from(input.payload), bounds);
  const read = readCommand({ ...input, keepFact });
  const base = { kind: "full", ...baseOf(read, submission) } as const;
  switch (read.command) {
    case "replace facts": {
      const { environment, producer, hash, values, package_inventory: packages } = read.payload;
      const facts = Object.entries(values).map(([name, value]) => new FactTexts(name, value));
      const steadyDigest = volatileFacts && digestOfSteadyFacts(facts, volatileFacts);
      const packagesDigest = digestOfPackages(packages);
      const digests = { contentDigest, steadyDigest, packagesDigest, hash };
      const part = hasSteadyDigests(digests, storedSteady) && volatileFacts && volatilePart(facts, volatileFacts);
      const rows = part || ({ part: "all", ...factRows(facts), packages } as const);
      const empty = volatileFacts === undefined ? [] : facts.flatMap((fact) => fact.empty);
      return { ...base, command: read.command, environment, producer, ...digests, ...rows, empty };
    }
    case "replace catalog": {
      const { resources, edges, ...meta } = read.payload;
      const rows = { resources: resources.map(resourceRow), edges: edges.map(edgeRow) };
      return { ...base, command: read.command, contentDigest, meta, ...rows };
    }
    case "store report":
      return { ...base, command: read.command, ...reportRows(read.payload) };
    case "replace catalog inputs": {
      const { catalog_uuid: catalogUuid, hash } = read.payload;
      const inputs = read.payload.inputs.map(([type, name]) => [type, rowText(name)] as const);
      return { ...base, command: read.command, catalogUuid, hash, inputs };
    }
    case "configure expiration":
      return { ...base, command: read.command, expireFacts: read.payload.expire.facts };
    case "deactivate node":
      return { ...base, command: read.command };
  }
}

/** @param json the payload, or its head */
function inputOf(submission: Submission, json: Buffer): Parameters<typeof readCommand>[0] {
  const { command, version, received } = submission;
  return { command, version, payload: parsePayload(submission, json), received: new Date(Number(received / 1000n)) };
}

function baseOf(
  { payload }: WireCommand,
  { received }: Submission,
): Pick<Prepared, "certname" | "producerTimestamp" | "received"> {
  return { certname: payload.certname, producerTimestamp: payload.producer_timestamp, received };
}
