import { type ArchiveCommand, readArchive, type ReadArchiveOptions, readMetadata } from "../archive/contents.ts";
import { METADATA_FILES, TOP_DIRECTORIES } from "../archive/layout.ts";
import type { WrittenMember } from "../archive/written-member.ts";
import { CensusError, messageOf } from "../errors.ts";
import { parsePayload } from "../ingest/payload.ts";
import { type JsonObject, stringifyJson } from "../json.ts";
import { timestampOfMillis } from "../time.ts";
import { commands } from "../wire/commands.ts";
import { currentDocument } from "../wire/current.ts";
import type { Anonymizer } from "./anonymizer.ts";

/**
 * Anonymizes the members of an archive, in their order: the metadata, which then name the newest versions, and every
 * command, under its node's new name. Members that are not commands are omitted. One member is in memory at a time.
 * @throws CensusError `bad-file` as `readArchive`, and for a command that is not a document
 */
export async function* anonymizedMembers(
  path: string,
  anonymizer: Anonymizer,
  options: ReadArchiveOptions = {},
): AsyncGenerator<WrittenMember> {
  const { directory, timestamp } = await readMetadata(path, options.limits);
  const top = directory === "" ? TOP_DIRECTORIES[0] : directory;
  const received = receiptTime(timestamp);
  const metadata = { ...(timestamp === undefined ? {} : { timestamp }), command_versions: newestVersions() };
  yield { name: top + METADATA_FILES[0], body: stringifyJson(metadata) };
  for await (const found of readArchive(path, options)) {
    const document = anonymizedCommand(path, found, anonymizer, received);
    yield { name: top + nameOf(found, directory, document), body: stringifyJson(document) };
  }
}

/**
 * Upgrades a command of an archive to the newest version and anonymizes it.
 * @param received the time for old formats without one
 * @throws CensusError `bad-file` naming archive and member
 */
export function anonymizedCommand(
  path: string,
  found: ArchiveCommand,
  anonymizer: Anonymizer,
  received: Date,
): JsonObject {
  return naming(path, found, () => anonymizer.apply(found.command, documentOf(found, received)));
}

/**
 * A command of an archive in the newest version, before and after it is anonymized.
 * @throws CensusError `bad-file` as {@link anonymizedCommand}
 */
export function beforeAndAfter(
  path: string,
  found: ArchiveCommand,
  anonymizer: Anonymizer,
  received: Date,
): { before: JsonObject; after: JsonObject } {
  const before = naming(path, found, () => documentOf(found, received));
  return { before, after: naming(path, found, () => anonymizer.apply(found.command, before)) };
}

function documentOf({ command, version, certname, payload }: ArchiveCommand, received: Date): JsonObject {
  const submission = { command, version, certname, payload, received: timestampOfMillis(received.getTime()) };
  const sent = parsePayload(submission, Buffer.from(payload.buffer, payload.byteOffset, payload.length));
  return currentDocument({ command, version, payload: sent, received });
}

function naming<T>(path: string, { member }: ArchiveCommand, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof CensusError)) throw error;
    const text = `${path}: member ${JSON.stringify(member)}: ${messageOf(error)}`;
    throw new CensusError("bad-file", text, { cause: error });
  }
}

/** The default time of documents without one: when the archive was made, if it contains that. */
export function receiptTime(timestamp: string | undefined): Date {
  return timestamp === undefined ? new Date() : new Date(timestamp);
}

function newestVersions(): JsonObject {
  return Object.fromEntries(
    Object.values(commands).flatMap(({ archive, newest }) =>
      archive === undefined ? [] : [[archive.versionKey, newest]],
    ),
  );
}

/** The member's name below the top directory: with the node's new name, otherwise unchanged. */
function nameOf({ command, certname, member }: ArchiveCommand, directory: string, document: JsonObject): string {
  const folder = `${commands[command].archive.folder}/`;
  const ending = member.slice(directory.length + folder.length + certname.length);
  const node = document["certname"];
  return folder + (typeof node === "string" ? node : "") + ending;
}
