import { type ArchiveCommand, readArchive, type ReadArchiveOptions, readMetadata } from "../archive/contents.ts";
import { METADATA_FILES, TOP_DIRECTORIES } from "../archive/layout.ts";
import type { WrittenMember } from "../archive/write.ts";
import { CensusError, messageOf } from "../errors.ts";
import { parsePayload } from "../ingest/payload.ts";
import { type JsonObject } from "../json.ts";
import { timestampOfMillis } from "../time.ts";
import { commands } from "../wire/commands.ts";
import { currentDocument } from "../wire/current.ts";
import type { Anonymizer } from "./anonymizer.ts";

/**
 * The members of an archive in other words, in its order: the metadata, which now name the newest versions, and every
 * command under its node's new name. What is no command is left out. Memory holds a member at a time.
 * @throws CensusError `bad-file` as `readArchive`, and for a command that is no document
 */
export async function* anonymizedMembers(
  path: string,
  anonymizer: Anonymizer,
  options: ReadArchiveOptions = {},
): AsyncGenerator<WrittenMember> {
  const { directory, timestamp } = await readMetadata(path, options.limits);
  const top = directory === "" ? TOP_DIRECTORIES[0] : directory;
  const received = timestamp === undefined ? new Date() : new Date(timestamp);
  const metadata = { ...(timestamp === undefined ? {} : { timestamp }), command_versions: newestVersions() };
  yield { name: top + METADATA_FILES[0], body: bodyOf(metadata) };
  for await (const found of readArchive(path, options)) {
    const document = anonymizedCommand(path, found, anonymizer, received);
    yield { name: top + nameOf(found, directory, document), body: bodyOf(document) };
  }
}

/**
 * A command of an archive in the newest version and in other words.
 * @param received the time that old formats without one get
 * @throws CensusError `bad-file` naming archive and member
 */
export function anonymizedCommand(
  path: string,
  { command, version, certname, payload, member }: ArchiveCommand,
  anonymizer: Anonymizer,
  received: Date,
): JsonObject {
  const submission = { command, version, certname, payload, received: timestampOfMillis(received.getTime()) };
  try {
    const sent = parsePayload(submission, Buffer.from(payload.buffer, payload.byteOffset, payload.length));
    return anonymizer.apply(command, currentDocument({ command, version, payload: sent, received }));
  } catch (error) {
    if (!(error instanceof CensusError)) throw error;
    const text = `${path}: member ${JSON.stringify(member)}: ${messageOf(error)}`;
    throw new CensusError("bad-file", text, { cause: error });
  }
}

function newestVersions(): JsonObject {
  return Object.fromEntries(
    Object.values(commands).flatMap(({ archive, newest }) =>
      archive === undefined ? [] : [[archive.versionKey, newest]],
    ),
  );
}

/** The member's name below the top directory: with the name that the node has now, the rest as it was. */
function nameOf({ command, certname, member }: ArchiveCommand, directory: string, document: JsonObject): string {
  const folder = `${commands[command].archive.folder}/`;
  const ending = member.slice(directory.length + folder.length + certname.length);
  const node = document["certname"];
  return folder + (typeof node === "string" ? node : "") + ending;
}

function bodyOf(document: JsonObject): string {
  return JSON.stringify(document, null, 2);
}
