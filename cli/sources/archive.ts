import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { type ArchivePart, type DocumentKind, documentKinds } from "#storage/archive/document-kinds.ts";
import { CensusError } from "#storage/errors.ts";
import { openStore } from "#storage/open.ts";
import type { Store } from "#storage/store.ts";
import { type Clock, fixedClock, systemClock } from "#storage/time.ts";
import type { Series } from "../import/series.ts";
import type { ImportOptions } from "../import-archive.ts";
import {
  type About,
  copyStore,
  type Entry,
  entriesFolder,
  findEntries,
  makeEntry,
  removeEntry,
  touchEntry,
  trimEntries,
} from "../cache/entries.ts";
import { rememberedHash } from "../cache/known-hashes.ts";
import { contentOptions } from "../content-options.ts";
import { cacheLimit, makePrivateFolder } from "../cache/place.ts";

/** An archive that is ready for queries. */
export interface OpenedArchive {
  readonly store: Store;
  /** Commands in it. */
  readonly commands: number;
  /** The kinds of documents whose content it has. */
  readonly kinds: Kinds;
  /** Adds others to the same store, where that is possible. */
  readonly withMore?: ((more: Kinds, importing: Importing) => Promise<OpenedArchive>) | undefined;
}

type Kinds = ReadonlySet<DocumentKind>;

export const everything: Kinds = new Set(documentKinds);

/** Shows a store while an archive is still being imported into it. */
export interface Showing {
  /** Called when there is something to show, and again when there is more. */
  readonly show: (store: Store) => void;
  /** Called before the store is closed or complete; resolves when nothing reads it. */
  readonly hide: () => Promise<void>;
}

export interface OpenArchiveOptions extends Importing {
  /** The kinds of documents whose content is needed; default: all. */
  readonly kinds?: Kinds | undefined;
  /** Shows an archive that is not in the cache while it is imported; absent: nothing can be read before it is complete. */
  readonly showing?: Showing | undefined;
  /** A clock to use instead of the export time. */
  readonly clock?: Clock | undefined;
  /** Whether to use the cache of opened archives. */
  readonly cached?: boolean;
}

/** How an archive that is not in the cache is imported. */
type Importing = Pick<ImportOptions, "onProgress" | "signal">;
type ImportingShown = Importing & Pick<OpenArchiveOptions, "showing">;

/**
 * Opens an archive for queries, from the cache if possible. The clock is fixed at the time of the export and nothing
 * expires, so that an old export shows all its data.
 * @throws CensusError "bad-file" for an archive that cannot be read
 */
export async function openArchive(path: string, options: OpenArchiveOptions = {}): Promise<OpenedArchive> {
  return openArchives([path], options);
}

/**
 * The same for several exports of a site, in any order: the state is that of the newest, and the others are history.
 * @throws CensusError "bad-file" for an archive that cannot be read
 */
export async function openArchives(
  paths: readonly string[],
  { clock, cached = true, showing, signal, onProgress, kinds: wanted = everything }: OpenArchiveOptions = {},
): Promise<OpenedArchive> {
  const importing: ImportingShown = { signal, onProgress, showing };
  // Several are the history of each other. A history comes last: a store that records no changes is opened without any.
  const kinds = paths.length > 1 || wanted.has("history") ? everything : wanted;
  const limit = cached ? cacheLimit() : 0;
  if (limit === 0 || !makePrivateFolder(entriesFolder())) return openInMemory(paths, clock, kinds, importing);
  const hash = await hashOfAll(paths).catch(() => undefined);
  if (hash === undefined) return openInMemory(paths, clock, kinds, importing);
  const [base, ...others] = await findEntries(hash);
  const known = [base, ...others].find((entry) => entry !== undefined && kinds.isSubsetOf(entry.kinds));
  const opened = known && (await openKnown(paths, known, clock));
  if (opened !== undefined) return opened;
  const { seriesOf } = await import("../import/series.ts");
  const series = await seriesOf(paths);
  const make = async (from: Entry | undefined): Promise<Entry> => {
    const all = from === undefined ? kinds : kinds.union(from.kinds);
    return makeEntry(hash, all, async (folder) => fill(folder, series, { from, kinds: all }, importing));
  };
  const isGivenUp = (error: unknown): boolean =>
    signal?.aborted === true || (error instanceof CensusError && error.code === "bad-file");
  const entry = await (
    known === undefined && base !== undefined
      ? // What is wrong may be the entry: others may have removed it meanwhile.
        make(base).catch(async () => make(undefined))
      : make(undefined)
  ).catch((error: unknown) => {
    // Report errors of the archive, but ignore errors of the cache: the archive can be opened without it.
    if (isGivenUp(error)) throw error;
    return undefined;
  });
  if (entry === undefined) return openInMemory(paths, clock, kinds, importing);
  for (const other of [base, ...others]) {
    if (other !== undefined && other.key !== entry.key && other.kinds.isSubsetOf(entry.kinds)) await removeEntry(other);
  }
  await trimEntries(limit, entry);
  return openEntry(paths, entry, clock);
}

/** One hash of several archives, in whichever order they are given; undefined for anything else. */
async function hashOfAll(paths: readonly string[]): Promise<string | undefined> {
  const hashes: string[] = [];
  for (const path of paths) {
    const hash = await sha256(path);
    if (hash === undefined) return undefined;
    hashes.push(hash);
  }
  const [first, ...others] = hashes.sort();
  return others.length === 0
    ? first
    : createHash("sha256")
        .update([first, ...others].join(" "))
        .digest("hex");
}

/** The hash of a file's bytes or a directory's members; undefined for anything else. */
async function sha256(path: string): Promise<string | undefined> {
  const info = await stat(path);
  if (info.isFile()) {
    return rememberedHash(path, async () => {
      const hash = createHash("sha256");
      await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), hash);
      return hash.digest("hex");
    });
  }
  if (!info.isDirectory()) return undefined;
  const { openMembers } = await import("#storage/archive/members.ts");
  const hash = createHash("sha256");
  for await (const { name, body } of openMembers(path)) hash.update(`${name}\0${body.length}\0`).update(body);
  return hash.digest("hex");
}

/** Opens archives from the cache; undefined when the entry is damaged. */
async function openKnown(
  paths: readonly string[],
  entry: Entry,
  clock: Clock | undefined,
): Promise<OpenedArchive | undefined> {
  touchEntry(entry);
  try {
    return await openEntry(paths, entry, clock);
  } catch {
    await removeEntry(entry);
    return undefined;
  }
}

async function openEntry(
  paths: readonly string[],
  { folder, about, kinds }: Entry,
  clock: Clock | undefined,
): Promise<OpenedArchive> {
  const own = about.time === null ? undefined : fixedClock(BigInt(about.time));
  const store = await openStore({
    directory: folder,
    readOnly: true,
    clock: clock ?? own ?? withoutTime(paths),
    retention: contentOptions.retention,
  });
  return { store, commands: about.commands, kinds };
}

/** What an entry is made of: another one of fewer kinds, if there is one, and what it lacks of the kinds. */
interface Filling {
  readonly from: Entry | undefined;
  readonly kinds: Kinds;
}

/** Imports archives into a store on disk. */
async function fill(
  directory: string,
  series: Series,
  { from, kinds }: Filling,
  importing: ImportingShown,
): Promise<About> {
  const { seriesOptions } = await import("../import/series.ts");
  const { paths, clock } = series;
  if (from !== undefined) await copyStore(from, directory);
  const store = await openStore({ ...seriesOptions(series), directory, clock: clock ?? systemClock });
  try {
    const commands = await importPart(store, series, partOf(kinds, from?.kinds), importing);
    const names = paths.map((path) => basename(resolve(path)));
    return {
      archive: names.join(", "),
      time: clock === undefined ? null : String(clock.now()),
      commands: from?.about.commands ?? commands,
    };
  } finally {
    await store.close();
  }
}

async function openInMemory(
  given: readonly string[],
  clock: Clock | undefined,
  kinds: Kinds,
  importing: ImportingShown,
): Promise<OpenedArchive> {
  const { seriesOf, seriesOptions } = await import("../import/series.ts");
  const series = await seriesOf(given);
  const store = await openStore({ ...seriesOptions(series), clock: clock ?? series.clock ?? withoutTime(given) });
  try {
    const commands = await importPart(store, series, partOf(kinds, undefined), importing);
    return inMemory(store, series, { kinds, commands });
  } catch (error) {
    await store.close();
    throw error;
  }
}

function inMemory(store: Store, series: Series, { kinds, commands }: Omit<OpenedArchive, "store">): OpenedArchive {
  const withMore: OpenedArchive["withMore"] = async (more, importing) => {
    const all = kinds.union(more);
    await importPart(store, series, partOf(all, kinds), importing);
    return inMemory(store, series, { kinds: all, commands });
  };
  return { store, commands, kinds, withMore };
}

/** Undefined: the whole archive, into an empty store. */
function partOf(kinds: Kinds, stored: Kinds | undefined): ArchivePart | undefined {
  if (stored === undefined && everything.isSubsetOf(kinds)) return undefined;
  return { stored, adds: kinds.difference(stored ?? new Set()) };
}

/**
 * Imports archives; shows the store meanwhile, and not any more when the promise settles. What was imported in parts is not shown:
 * it would be without what is being added.
 */
async function importPart(
  store: Store,
  series: Series,
  part: ArchivePart | undefined,
  { showing, ...importing }: ImportingShown,
): Promise<number> {
  const { importSeries } = await import("../import/series.ts");
  if (showing === undefined || part !== undefined) return importSeries(store, series, { ...importing, part });
  try {
    return await importSeries(store, series, { ...importing, onReadable: () => showing.show(store) });
  } finally {
    await showing.hide();
  }
}

function withoutTime(paths: readonly string[]): Clock {
  process.stderr.write(
    `census: ${paths.join(", ")} contains no export time; using the current time (set another with --now)\n`,
  );
  return systemClock;
}
