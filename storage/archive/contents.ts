import { isObject, parseJson, type JsonObject } from "#storage/json.ts";
import { messageOf } from "#storage/errors.ts";
import { type CommandName, commands } from "#storage/wire/commands.ts";
import { archiveError, shown, type ArchiveLimits } from "./guard.ts";
import { HISTORY, metadataDirectory, METADATA_FILES, TOP_DIRECTORIES } from "./layout.ts";
import { openMembers } from "./members.ts";

/** The metadata of an archive. */
export interface ArchiveMetadata {
  /** when it was made, as written (ISO 8601); absent where it is missing or invalid */
  readonly timestamp?: string;
  /** e.g. `{ replace_catalog: 9 }`; exporters of old releases wrote fewer keys and lower versions */
  readonly commandVersions: Readonly<Record<string, number>>;
  /** the top directory of all members, with its `/`: `puppetdb-bak/`, `svc-bak/` or empty */
  readonly directory: string;
}

/** The commands that an archive can contain (reference/archive.md §4). */
export type ArchiveCommandName = Exclude<CommandName, "deactivate node">;

/** One member, as a command. */
export interface ArchiveCommand {
  readonly command: ArchiveCommandName;
  /** wire format version, from the metadata */
  readonly version: number;
  /** from the member's name; the payload has its own */
  readonly certname: string;
  /** the member's bytes, which should be JSON; not checked */
  readonly payload: Uint8Array;
  /** the member's name */
  readonly member: string;
}

export interface ReadArchiveOptions {
  readonly limits?: Partial<ArchiveLimits> | undefined;
  /** returns only such commands; where the container allows it the others are not unpacked */
  readonly only?: ((command: ArchiveCommandName) => boolean) | undefined;
  /** bytes of the file on disk */
  readonly onProgress?: ((bytesRead: number, bytesTotal: number) => void) | undefined;
  /** called with every member that is neither metadata nor a command nor history */
  readonly onIgnored?: ((name: string) => void) | undefined;
  /** called with every member of the history */
  readonly onHistory?: (() => void) | undefined;
}

interface Kind {
  readonly command: ArchiveCommandName;
  readonly versionKey: string;
  /** group 1 is the certname; matched against the name below the top directory */
  readonly pattern: RegExp;
}

/**
 * The members that are commands (reference/archive.md §4): a file per certname in the command's folder, with a hash
 * after the name where a node can have several.
 */
const KINDS: readonly Kind[] = Object.entries(commands).flatMap(([command, { archive }]) => {
  if (archive === undefined) return [];
  const suffix = archive.folder === "facts" ? "" : "-[0-9A-Fa-f]{40}";
  const pattern = new RegExp(`^${archive.folder}/(.*)${suffix}\\.json$`, "s");
  return [{ command: command as ArchiveCommandName, versionKey: archive.versionKey, pattern }];
});

/**
 * The metadata of an archive, from the first member in archive order with the name of a metadata file. Exports begin
 * with it, so little is read; in other archives it is searched for.
 * @throws CensusError `bad-file`: invalid archive, no metadata, metadata that are not JSON or contain no versions
 */
export async function readMetadata(path: string, limits?: Partial<ArchiveLimits>): Promise<ArchiveMetadata> {
  for await (const { name, body } of openMembers(path, limits, { only: isMetadata })) {
    return { ...parseMetadata(path, name, body), directory: metadataDirectory(name) ?? "" };
  }
  const expected = `${TOP_DIRECTORIES[0]}${METADATA_FILES[0]}`;
  throw archiveError(path, `Unable to find export metadata file '${expected}' in archive`);
}

/**
 * The commands in an archive, in archive order. PuppetDB ignores members before the metadata (reference/archive.md §4);
 * here the metadata are read first, so their position does not matter.
 * @throws CensusError `bad-file` as {@link readMetadata} and `openMembers`, or for a command without a version
 */
export async function* readArchive(path: string, options: ReadArchiveOptions = {}): AsyncGenerator<ArchiveCommand> {
  const { limits, only, onProgress, onIgnored, onHistory } = options;
  const { directory, commandVersions } = await readMetadata(path, limits);
  const find = (name: string) => (name.startsWith(directory) ? findKind(name.slice(directory.length)) : undefined);
  const isWanted = (name: string): boolean => {
    const found = find(name);
    return found === undefined || only === undefined || only(found.command);
  };
  for await (const { name, body } of openMembers(path, limits, { onProgress, only: isWanted })) {
    const found = find(name);
    if (found === undefined) {
      if (name.startsWith(directory + HISTORY)) onHistory?.();
      else if (metadataDirectory(name) !== directory) onIgnored?.(name);
      continue;
    }
    const { command, versionKey, certname } = found;
    const version = commandVersions[versionKey];
    if (version === undefined) {
      throw archiveError(
        path,
        `no version for ${versionKey} in the export metadata, but there is member ${shown(name)}`,
      );
    }
    yield { command, version, certname, payload: body, member: name };
  }
}

function isMetadata(name: string): boolean {
  return metadataDirectory(name) !== undefined;
}

function findKind(name: string): (Kind & { certname: string }) | undefined {
  for (const kind of KINDS) {
    const certname = kind.pattern.exec(name)?.[1];
    if (certname !== undefined) return { ...kind, certname };
  }
  return undefined;
}

function parseMetadata(path: string, name: string, body: Buffer): Omit<ArchiveMetadata, "directory"> {
  const metadata = parse(path, name, body);
  const versions = metadata["command_versions"];
  if (!isObject(versions)) throw archiveError(path, `no command_versions in ${shown(name)}`);
  const commandVersions: Record<string, number> = Object.create(null) as Record<string, number>;
  for (const [key, version] of Object.entries(versions)) {
    if (typeof version !== "number" || !Number.isSafeInteger(version)) {
      throw archiveError(path, `the version of ${shown(key)} in ${shown(name)} is not a whole number`);
    }
    commandVersions[key] = version;
  }
  const timestamp = metadata["timestamp"];
  const legible = typeof timestamp === "string" && !Number.isNaN(Date.parse(timestamp));
  return legible ? { timestamp, commandVersions } : { commandVersions };
}

function parse(path: string, name: string, body: Buffer): JsonObject {
  let metadata;
  try {
    metadata = parseJson(new TextDecoder().decode(body));
  } catch (error) {
    throw archiveError(path, `the export metadata ${shown(name)} is not JSON: ${messageOf(error)}`, error);
  }
  if (!isObject(metadata)) throw archiveError(path, `the export metadata ${shown(name)} is not a JSON object`);
  return metadata;
}
