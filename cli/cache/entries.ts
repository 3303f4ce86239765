import { createHash, randomBytes } from "node:crypto";
import { constants, existsSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { cp, mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { version } from "#app/version.ts";
import { type DocumentKind, documentKinds } from "#storage/archive/document-kinds.ts";
import { makeFolders } from "#storage/folders.ts";
import { schemaVersion } from "#storage/schema/migrate.ts";
import { unfinished } from "../unfinished.ts";
import { cacheFolder, makePrivateFolder } from "./place.ts";

/** A cached archive, or a copy of servers: a directory with a store and a description. */
export interface Entry {
  /**
   * The parts of its name: the archive's SHA-256, the schema's version, our version, and kinds of documents unless it has all. Those
   * of copies begin with {@link COPY}.
   */
  readonly key: string;
  /** The kinds of documents whose content it has. */
  readonly kinds: ReadonlySet<DocumentKind>;
  readonly folder: string;
  readonly about: About;
}

export interface About {
  /** The archive's name when it was opened first; the URLs of servers. */
  readonly archive: string;
  /** When it was made, in microseconds; null when it does not say. */
  readonly time: string | null;
  /** Commands in it; 0 for a copy, which grows. */
  readonly commands: number;
  /** Of a copy: the process that opened it the last time, and writes to it while it runs. */
  readonly pid?: number;
}

const ABOUT = "archive.json";
/** Prefix of entries that are being written. */
const UNFINISHED = ".unfinished-";
/** Prefix of copies of servers, whose stores every version opens. */
const COPY = "copy-";

/** The directory of cached archives. */
export function entriesFolder(): string {
  return join(cacheFolder(), "archives");
}

const BEFORE_KIND = "+";

/** The name of an archive's entry for this version of the program. */
export function keyOf(sha256: string, kinds: ReadonlySet<DocumentKind>): string {
  const named = kinds.size === 0 ? [""] : documentKinds.filter((kind) => kinds.has(kind));
  const suffix = kinds.size === documentKinds.length ? "" : named.map((kind) => BEFORE_KIND + kind).join("");
  return `${sha256}-${schemaVersion}-${version}${suffix}`;
}

/** The entries of an archive, those with the most kinds of documents first. */
export async function findEntries(sha256: string): Promise<Entry[]> {
  const whole = keyOf(sha256, new Set(documentKinds));
  const names = await readdir(entriesFolder()).catch(() => []);
  const own = names.filter((name) => name === whole || name.startsWith(whole + BEFORE_KIND));
  return own.flatMap((name) => readEntry(name) ?? []).sort((a, b) => b.kinds.size - a.kinds.size);
}

/** The entry of this name, if it exists. */
function readEntry(key: string): Entry | undefined {
  const folder = join(entriesFolder(), key);
  const named = key.split(BEFORE_KIND).slice(1);
  const kinds = new Set(named.length === 0 ? documentKinds : documentKinds.filter((kind) => named.includes(kind)));
  try {
    return { key, kinds, folder, about: JSON.parse(readFileSync(join(folder, ABOUT), "utf8")) as About };
  } catch {
    return undefined;
  }
}

/** Copies the store of an entry into another directory. */
export async function copyStore({ folder }: Entry, directory: string): Promise<void> {
  await cp(folder, directory, { recursive: true, filter: isOfStore, mode: constants.COPYFILE_FICLONE });
}

function isOfStore(path: string): boolean {
  return basename(path) !== ABOUT;
}

/** Marks an entry as just used: the least recently used ones are removed first. */
export function touchEntry({ folder }: Entry): void {
  const now = new Date();
  try {
    utimesSync(join(folder, ABOUT), now, now);
  } catch {
    // Ignore the error: another process may have removed the entry.
  }
}

/**
 * Creates an entry atomically. If several processes create the same one, the first wins.
 * @param make fills the directory, which is renamed afterwards
 */
export async function makeEntry(
  sha256: string,
  kinds: ReadonlySet<DocumentKind>,
  make: (folder: string) => Promise<About>,
): Promise<Entry> {
  const key = keyOf(sha256, kinds);
  const parent = entriesFolder();
  const draft = join(parent, `${UNFINISHED}${randomBytes(8).toString("hex")}`);
  const folder = join(parent, key);
  const finished = unfinished(draft);
  try {
    await mkdir(draft, { mode: 0o700 });
    const about = await make(draft);
    writeFileSync(join(draft, ABOUT), `${JSON.stringify(about)}\n`);
    await rename(draft, folder).catch((error: unknown) => {
      if (!existsSync(join(folder, ABOUT))) throw error;
    });
    return { key, kinds, folder, about };
  } finally {
    await rm(draft, { recursive: true, force: true });
    finished();
  }
}

/**
 * The copy of servers, which is empty the first time, and space for it. This process uses it from now on.
 * @param name their URLs
 * @returns undefined where nothing can be cached
 */
export async function copyEntry(name: string, limit: number): Promise<Entry | undefined> {
  if (limit === 0 || !makePrivateFolder(entriesFolder())) return undefined;
  const key = `${COPY}${createHash("sha256").update(name).digest("hex").slice(0, 32)}`;
  const known = readEntry(key);
  if (known !== undefined && isInUse(known)) return known;
  const kinds = new Set(documentKinds);
  const entry = { key, kinds, folder: join(entriesFolder(), key), about: aboutCopy(name) };
  makeFolders(entry.folder, 0o700);
  writeFileSync(join(entry.folder, ABOUT), `${JSON.stringify(entry.about)}\n`);
  await trimEntries(limit, entry);
  return entry;
}

function aboutCopy(archive: string): About {
  return { archive, time: null, commands: 0, pid: process.pid };
}

/** Whether a process writes to an entry: another one with the same number keeps it for longer, which does no harm. */
export function isInUse({ about: { pid } }: Entry): boolean {
  if (pid === undefined || pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** An entry as `census cache list` shows it. */
export interface ListedEntry extends Entry {
  readonly bytes: number;
  /** When it was last of use, ms. */
  readonly used: number;
}

/** All entries, of every program version, most recently used first. */
export async function listEntries(): Promise<ListedEntry[]> {
  const names = await readdir(entriesFolder()).catch(() => []);
  const listed = await Promise.all(names.map(async (name) => measured(name).catch(() => undefined)));
  return listed.filter((entry) => entry !== undefined).sort((a, b) => b.used - a.used);
}

async function measured(key: string): Promise<ListedEntry | undefined> {
  const entry = key.startsWith(UNFINISHED) ? undefined : readEntry(key);
  if (entry === undefined) return undefined;
  const files = await readdir(entry.folder, { recursive: true });
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(entry.folder, file))).size));
  const { mtimeMs } = await stat(join(entry.folder, ABOUT));
  return { ...entry, bytes: sizes.reduce((sum, size) => sum + size, 0), used: mtimeMs };
}

/** Removes an entry atomically: no other process sees half of it. */
export async function removeEntry({ folder }: Entry): Promise<void> {
  const removed = join(
    entriesFolder(),
    `${UNFINISHED}${basename(folder).slice(0, 8)}-${randomBytes(8).toString("hex")}`,
  );
  // Keep the entry if an open file prevents the move (Windows).
  if (
    await rename(folder, removed).then(
      () => true,
      () => false,
    )
  ) {
    await rm(removed, { recursive: true, force: true });
  }
}

/**
 * Removes the least recently used entries above a total size that nobody writes to, and abandoned unfinished ones.
 * @param keep is never removed
 */
export async function trimEntries(limit: number, keep: Entry): Promise<void> {
  let remaining = limit;
  for (const entry of await listEntries()) {
    remaining -= entry.bytes;
    if (remaining < 0 && entry.key !== keep.key && !isInUse(entry)) await removeEntry(entry);
  }
  for (const name of await readdir(entriesFolder())) {
    if (!name.startsWith(UNFINISHED)) continue;
    const path = join(entriesFolder(), name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > 24 * 3_600_000) await rm(path, { recursive: true, force: true });
  }
}
