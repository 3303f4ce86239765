import type { VolatilePaths } from "../history/volatile-facts.ts";
import { type CommandBounds, defaultBounds } from "../wire/bounds.ts";
import { readCommand, type WireCommand } from "../wire/read.ts";
import { type Content, scan } from "../wire/scan.ts";
import { digestOfPackages, digestOfSteadyFacts } from "./fact-digests.ts";
import { parsePayload, unpacked } from "./payload.ts";
import type { Head, Prepared, Unchanged } from "./prepared.ts";
import { rowText } from "./row-text.ts";
import { edgeRow, factRows, FactTexts, reportRows, resourceRow } from "./rows.ts";
import { freeBytes, type Submission } from "./submission.ts";

/** What preparing a command uses besides the command. */
export interface PrepareOptions {
  /** Which facts are stored; default: all. */
  readonly keepFact?: ((name: string) => boolean) | undefined;
  /** Facts whose changes are not recorded; undefined: no changes are. */
  readonly volatileFacts?: VolatilePaths | undefined;
  /** The limits of a command; default: {@link defaultBounds}. */
  readonly bounds?: CommandBounds | undefined;
  /** Whether the payload's memory is freed as soon as it has been read. */
  readonly freesPayload?: boolean | undefined;
}

/**
 * Parses, checks, upgrades and hashes a command and shapes its rows. Pure: runs on any thread.
 * @throws CensusError "bad-input" when the command can never succeed
 */
export function prepare(submission: Submission, options: PrepareOptions = {}): Prepared {
  const { bounds = defaultBounds } = options;
  const json = unpacked(submission, bounds.unpackedBytes);
  if (submission.isHead === true) return prepareHead(submission, json);
  const content = submission.content === undefined ? scan(submission, json, bounds) : submission.content;
  return prepareFull(submission, json, content?.digest, options);
}

/**
 * Prepares a fact set or catalog whose content its node has stored: only what may differ is read.
 * @throws CensusError "bad-input" when the command can never succeed
 */
export function prepareUnchanged(submission: Submission, { digest, head }: Content): Unchanged {
  if (head === undefined) throw new Error("the head of the command is not there any more");
  const prepared = prepareHead(submission, head);
  if (prepared.command === "store report") throw new Error("no content digest is taken of reports");
  return { ...prepared, contentDigest: digest };
}

/**
 * Prepares a fact set, a catalog or a report of which only what the row of its node repeats is stored.
 * @param json its head, or all of it
 */
function prepareHead(submission: Submission, json: Buffer): Head {
  const read = readCommand(inputOf(submission, json));
  const base = { kind: "unchanged", ...baseOf(read, submission), contentDigest: undefined } as const;
  if (read.command === "replace facts") {
    const { environment, producer } = read.payload;
    return { ...base, command: read.command, environment, producer };
  }
  if (read.command === "replace catalog") {
    const { resources: _, edges: __, hash: ___, ...meta } = read.payload;
    return { ...base, command: read.command, meta };
  }
  if (read.command === "store report") {
    const { resources: _, resources_as_sent: __, metrics: ___, logs: ____, hash: _____, ...meta } = read.payload;
    return { ...base, command: read.command, meta };
  }
  throw new Error(`the command ${read.command} has no head`);
}

function prepareFull(
  submission: Submission,
  json: Buffer,
  contentDigest: string | undefined,
  { keepFact, volatileFacts, bounds = defaultBounds, freesPayload = false }: PrepareOptions,
): Prepared {
  const input = inputOf(submission, json);
  if (freesPayload) freeBytes(json);
  // A catalog may be a string that contains its JSON.
  if (typeof input.payload === "string") scan(submission, Buffer.from(input.payload), bounds);
  const read = readCommand({ ...input, keepFact });
  const base = { kind: "full", ...baseOf(read, submission) } as const;
  switch (read.command) {
    case "replace facts": {
      const { environment, producer, hash, values, package_inventory: packages } = read.payload;
      const facts = Object.entries(values).map(([name, value]) => new FactTexts(name, value));
      const steadyDigest = volatileFacts && digestOfSteadyFacts(facts, volatileFacts);
      const packagesDigest = digestOfPackages(packages);
      const digests = { contentDigest, steadyDigest, packagesDigest, hash };
      const rows = { ...factRows(facts), packages };
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
