import { lstat, open, readdir, type FileHandle } from "node:fs/promises";
import type { Dirent } from "node:fs";
import { join } from "node:path";
import { shown, type ArchiveGuard } from "./guard.ts";
import { FOLDER_ORDER, METADATA_FILES, TOP_DIRECTORIES } from "./layout.ts";
import { unreadable, type ArchiveMember, type MemberOptions } from "./source.ts";

/** A file below the folder. */
interface Listed {
  readonly name: string;
  /** bytes; 0 when progress is not reported */
  readonly size: number;
}

/**
 * The members of a folder that an archive was unpacked to: of its `puppetdb-bak`, its `svc-bak`, or of the folder
 * itself if the metadata are there. Nothing else is read, so naming a home directory does no harm. The order is that of
 * an export, by name within each group; names are in memory, contents are not.
 * @throws CensusError `bad-file`
 */
export async function* folderMembers(
  path: string,
  guard: ArchiveGuard,
  { onProgress, only }: MemberOptions,
): AsyncGenerator<ArchiveMember> {
  const top = await findTop(path, guard);
  const files = await list(path, top, guard, onProgress !== undefined);
  const total = files.reduce((sum, { size }) => sum + size, 0);
  let done = 0;
  for (const { name, size } of files) {
    if (only === undefined || only(name)) yield { name, body: await readMember(path, name, guard) };
    done += size;
    onProgress?.(done, total);
  }
}

/**
 * Whether an archive was unpacked to this folder.
 * @throws CensusError `bad-file` when it cannot be read
 */
export async function isArchiveFolder(path: string): Promise<boolean> {
  const here = await entries(path);
  const names = here.map(({ name }) => name);
  return (
    METADATA_FILES.some((file) => names.includes(file)) ||
    TOP_DIRECTORIES.some((top) => names.includes(top.slice(0, -1)))
  );
}

/** The top directory (with its `/`, or empty) that has a metadata file. */
async function findTop(path: string, guard: ArchiveGuard): Promise<string> {
  const here = await entries(path);
  for (const top of TOP_DIRECTORIES) {
    const directory = here.find(({ name }) => `${name}/` === top);
    if (directory?.isSymbolicLink()) throw guard.error(`member ${shown(top)} is a symbolic link`);
    const inside = top === "" ? here : directory?.isDirectory() ? await entries(join(path, top)) : [];
    if (METADATA_FILES.some((file) => inside.some(({ name }) => name === file))) return top;
  }
  throw guard.error("not an unpacked archive: no puppetdb-bak/export-metadata.json in this folder");
}

/** All files below `top`, in the order of an export. */
async function list(path: string, top: string, guard: ArchiveGuard, sizes: boolean): Promise<Listed[]> {
  const files: Listed[] = [];
  const waiting = [top];
  for (let directory = waiting.pop(); directory !== undefined; directory = waiting.pop()) {
    for (const entry of await entries(join(path, directory))) {
      const name = guard.enter(directory + entry.name, entry.isDirectory() ? "folder" : "file");
      if (entry.isDirectory()) waiting.push(`${name}/`);
      else if (entry.isFile()) files.push({ name, size: sizes ? await sizeOf(join(path, name)) : 0 });
      else throw guard.error(`member ${shown(name)} is ${kind(entry)}, not a file`);
    }
  }
  return files.sort((a, b) => rank(a.name, top) - rank(b.name, top) || (a.name < b.name ? -1 : 1));
}

/** Metadata first, then the groups in the order of exports, then anything else. */
function rank(name: string, top: string): number {
  const [first = "", ...rest] = name.slice(top.length).split("/");
  if (rest.length === 0) return METADATA_FILES.some((file) => file === first) ? -1 : FOLDER_ORDER.length;
  const group = FOLDER_ORDER.findIndex((folder) => folder === first);
  return group === -1 ? FOLDER_ORDER.length : group;
}

async function readMember(path: string, name: string, guard: ArchiveGuard): Promise<Buffer> {
  let file: FileHandle | undefined;
  try {
    file = await open(join(path, name), "r");
    const { size } = await file.stat();
    guard.member(name, size);
    const body = await file.readFile();
    guard.unpacked(body.length);
    return body;
  } catch (error) {
    throw unreadable(join(path, name), error);
  } finally {
    await file?.close();
  }
}

async function sizeOf(path: string): Promise<number> {
  return (await lstat(path).catch((error: unknown) => Promise.reject(unreadable(path, error)))).size;
}

async function entries(directory: string): Promise<Dirent[]> {
  return readdir(directory, { withFileTypes: true }).catch((error: unknown) =>
    Promise.reject(unreadable(directory, error)),
  );
}

function kind(entry: Dirent): string {
  if (entry.isSymbolicLink()) return "a symbolic link";
  if (entry.isFIFO()) return "a named pipe";
  return entry.isSocket() ? "a socket" : "a device";
}
