import { type CommandBounds, defaultBounds, survey } from "../wire/bounds.ts";
import { readCommand } from "../wire/read.ts";
import { abridge, abridgeKnown } from "./shortcuts/content-digest.ts";
import { fromParts } from "./shortcuts/catalog-items.ts";
import type { KnownParts } from "./shortcuts/item-cache.ts";
import { parsePayload, unpacked } from "./payload.ts";
import type { Prepared, PreparedReplacement } from "./prepared.ts";
import { edgeRow, factRows, listsOf, reportRows, resourceRow } from "./rows.ts";
import type { Submission } from "./submission.ts";

/** What preparing a command goes by besides the command. */
export interface PrepareOptions {
  /** What the content of the node's present data is told by; the same content is left out. */
  readonly stored?: string | undefined;
  /** Which facts are stored; all, unless told. */
  readonly keepFact?: ((name: string) => boolean) | undefined;
  /** What the command may become; as by default, unless told. */
  readonly bounds?: CommandBounds | undefined;
  /** What the thread has made of parts of documents before; without it every document is read as a whole. */
  readonly parts?: KnownParts | undefined;
}

/**
 * Parses, checks, upgrades and hashes a command and shapes its rows. Pure: runs on whatever thread has time.
 * @throws CensusError "bad-input" when the command can never succeed
 */
export function prepare(submission: Submission, options: PrepareOptions = {}): Prepared {
  const { stored, keepFact, bounds = defaultBounds, parts } = options;
  const { command, version } = submission;
  const json = unpacked(submission, bounds.unpackedBytes);
  survey(submission, json, bounds);
  const known = stored === undefined ? undefined : abridgeKnown(command, version, json, stored);
  if (known !== undefined) return shaped(submission, known.json, { content: stored, isAbridged: true }, options);
  const abridged = abridge(command, version, json);
  const read = abridged && parts && fromParts(submission, json, { abridged, parts, keepFact });
  return read ?? shaped(submission, json, { content: abridged?.content, isAbridged: false }, options);
}

/**
 * Prepares a command whose content its node has already: that takes a tenth of a millisecond.
 * @param stored what the content of the node's present data is told by
 * @returns undefined where the content is another one
 * @throws CensusError "bad-input" when the command can never succeed
 */
export function prepareKnown(submission: Submission, stored: string): Prepared | undefined {
  const known = abridgeKnown(submission.command, submission.version, unpacked(submission), stored);
  return known && shaped(submission, known.json, { content: stored, isAbridged: true });
}

/** @param json the payload, or what is to be read in its place */
function shaped(
  submission: Submission,
  json: Buffer,
  replacement: Pick<PreparedReplacement, "content" | "isAbridged">,
  { keepFact, bounds = defaultBounds }: Pick<PrepareOptions, "keepFact" | "bounds"> = {},
): Prepared {
  const { command, version, received } = submission;
  const payload = parsePayload(submission, json);
  // A catalog may be a text that holds its JSON.
  if (typeof payload === "string") survey(submission, Buffer.from(payload), bounds);
  const read = readCommand({
    command,
    version,
    payload,
    received: new Date(Number(received / 1000n)),
    keepFact,
  });
  const base = { certname: read.payload.certname, producerTimestamp: read.payload.producer_timestamp, received };
  switch (read.command) {
    case "replace facts": {
      const { environment, producer, hash, values, package_inventory: packages } = read.payload;
      const rows = Object.entries(values).map(([name, value]) => factRows(name, value));
      return {
        ...base,
        ...replacement,
        command: read.command,
        environment,
        producer,
        hash,
        ...listsOf(rows),
        packages,
      };
    }
    case "replace catalog": {
      const { resources, edges, ...meta } = read.payload;
      const rows = { resources: resources.map(resourceRow), edges: edges.map(edgeRow) };
      return { ...base, ...replacement, command: read.command, meta, ...rows };
    }
    case "store report":
      return { ...base, command: read.command, ...reportRows(read.payload) };
    case "replace catalog inputs": {
      const { catalog_uuid: catalogUuid, hash: inputsHash, inputs } = read.payload;
      return { ...base, command: read.command, catalogUuid, hash: inputsHash, inputs };
    }
    case "configure expiration":
      return { ...base, command: read.command, expireFacts: read.payload.expire.facts };
    case "deactivate node":
      return { ...base, command: read.command };
  }
}
