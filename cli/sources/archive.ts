import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { openMembers } from "#storage/archive/members.ts";
import { CensusError } from "#storage/errors.ts";
import { queueFolder } from "#storage/queue/open.ts";
import { Store } from "#storage/store.ts";
import { type Clock, fixedClock, systemClock } from "#storage/time.ts";
import type { ImportOptions } from "../import-archive.ts";
import {
  type About,
  type Entry,
  entriesFolder,
  findEntry,
  keyOf,
  makeEntry,
  removeEntry,
  touchEntry,
  trimEntries,
} from "../cache/entries.ts";
import { contentOptions } from "../content-options.ts";
import { cacheLimit, makePrivateFolder } from "../cache/place.ts";

/** An archive that is ready for queries. */
export interface OpenedArchive {
  readonly store: Store;
  /** Commands in it. */
  readonly commands: number;
}

export interface OpenArchiveOptions extends Importing {
  /** A clock to use instead of the export time. */
  readonly clock?: Clock | undefined;
  /** Whether to use the cache of opened archives. */
  readonly cached?: boolean;
}

/** How an archive that is not in the cache is imported. */
type Importing = Pick<ImportOptions, "onProgress" | "signal">;

/**
 * Opens an archive for queries, from the cache if possible. The clock is fixed at the time of the export and nothing
 * expires, so that an old export shows all its data.
 * @throws CensusError "bad-file" for an archive that cannot be read
 */
export async function openArchive(
  path: string,
  { clock, cached = true, ...importing }: OpenArchiveOptions = {},
): Promise<OpenedArchive> {
  const limit = cached ? cacheLimit() : 0;
  if (limit === 0 || !makePrivateFolder(entriesFolder())) return openInMemory(path, clock, importing);
  const hash = await sha256(path).catch(() => undefined);
  if (hash === undefined) return openInMemory(path, clock, importing);
  const key = keyOf(hash);
  const known = await openKnown(path, key, clock);
  if (known !== undefined) return known;
  const { archiveClock } = await import("../import-archive.ts");
  const own = await archiveClock(path);
  const entry = await makeEntry(key, async (folder) => fill(folder, path, own, importing)).catch((error: unknown) => {
    // Report errors of the archive, but ignore errors of the cache: the archive can be opened without it.
    if (importing.signal?.aborted === true || (error instanceof CensusError && error.code === "bad-file")) throw error;
    return undefined;
  });
  if (entry === undefined) return openInMemory(path, clock, importing);
  await trimEntries(limit, entry);
  return openEntry(path, entry, clock);
}

/** The hash of a file's bytes or a directory's members; undefined for anything else. */
async function sha256(path: string): Promise<string | undefined> {
  const hash = createHash("sha256");
  const info = await stat(path);
  if (info.isFile()) {
    await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), hash);
  } else if (info.isDirectory()) {
    for await (const { name, body } of openMembers(path)) hash.update(`${name}\0${body.length}\0`).update(body);
  } else return undefined;
  return hash.digest("hex");
}

/** Opens an archive from the cache; undefined when it is not cached or damaged. */
async function openKnown(path: string, key: string, clock: Clock | undefined): Promise<OpenedArchive | undefined> {
  const entry = findEntry(key);
  if (entry === undefined) return undefined;
  touchEntry(entry);
  try {
    return await openEntry(path, entry, clock);
  } catch {
    await removeEntry(entry);
    return undefined;
  }
}

async function openEntry(path: string, { folder, about }: Entry, clock: Clock | undefined): Promise<OpenedArchive> {
  const own = about.time === null ? undefined : fixedClock(BigInt(about.time));
  const store = await Store.open({
    directory: folder,
    readOnly: true,
    clock: clock ?? own ?? withoutTime(path),
    retention: contentOptions.retention,
  });
  return { store, commands: about.commands };
}

/** Imports an archive into a store on disk. */
async function fill(directory: string, path: string, own: Clock | undefined, importing: Importing): Promise<About> {
  const store = await Store.open({ ...contentOptions, directory, clock: own ?? systemClock });
  try {
    const commands = await importReporting(store, path, importing);
    return { archive: basename(resolve(path)), time: own === undefined ? null : String(own.now()), commands };
  } finally {
    await store.close();
    await rm(join(directory, queueFolder), { recursive: true, force: true });
  }
}

async function openInMemory(path: string, given: Clock | undefined, importing: Importing): Promise<OpenedArchive> {
  const { archiveClock } = await import("../import-archive.ts");
  const clock = given ?? (await archiveClock(path)) ?? withoutTime(path);
  const store = await Store.open({ ...contentOptions, clock });
  try {
    return { store, commands: await importReporting(store, path, importing) };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Imports an archive, and reports what of its history cannot be read. @returns the number of commands */
async function importReporting(store: Store, path: string, importing: Importing): Promise<number> {
  const [{ importArchive, totalOf }, { LeftOut }] = await Promise.all([
    import("../import-archive.ts"),
    import("../import/left-out.ts"),
  ]);
  const leftOut = new LeftOut();
  const imported = await importArchive(store, path, { ...importing, onHistoryLeftOut: leftOut.note });
  leftOut.report();
  return totalOf(imported);
}

function withoutTime(path: string): Clock {
  process.stderr.write(`census: ${path} contains no export time; using the current time (set another with --now)\n`);
  return systemClock;
}
