import {
  closeSync,
  cpSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Random } from "#fixtures/random.ts";
import { databaseFile } from "#storage/store-database.ts";
import { type Extent, extentsInUse } from "./extents.ts";

type LogDamage = (log: string, random: Random) => void;

/**
 * Damages a database file.
 * @param inUse the blocks and headers that the engine reads
 * @returns what was in the damaged place
 */
type DatabaseDamage = (file: string, random: Random, inUse: readonly Extent[]) => string;

/** What a power cut or a failing disk does to the engine's log after the server has been killed. The queue makes up for it. */
const logDamages = {
  "log cut": (log, random) => truncateSync(log, random.integer(0, statSync(log).size)),
  "log gone": (log) => rmSync(log),
  "log followed by zeros": (log, random) => write(log, statSync(log).size, Buffer.alloc(random.integer(1, 70_000))),
  "log with a zeroed end": (log, random) => {
    const { size } = statSync(log);
    const from = random.integer(0, size);
    write(log, from, Buffer.alloc(size - from));
  },
  "log with a flipped bit": (log, random) => flipBit(log, random.integer(0, statSync(log).size - 1), random),
} as const satisfies Record<string, LogDamage>;

/** Bytes that a disk loses together. */
const PAGE = 4096;

/** Damage that the store cannot repair: it must report it and never run with less. */
const databaseDamages = {
  "database cut": (file, random) => {
    truncateSync(file, random.integer(0, statSync(file).size - 1));
    return "its end";
  },
  "database with a zeroed block": (file, random, inUse) => {
    // A page of zeros is not damaged by zeros.
    const pages = inUse.flatMap(({ from, to, use }) => {
      const starts = Array.from({ length: Math.ceil((to - from) / PAGE) }, (_, index) => from + index * PAGE);
      const used = starts.filter((at) => read(file, at, PAGE).some((byte) => byte !== 0));
      return used.map((at) => ({ at, use }));
    });
    if (pages.length === 0) throw new Error(`${file}: no block is in use`);
    const { at, use } = random.pick(pages);
    write(file, at, Buffer.alloc(PAGE));
    return use;
  },
  "database with a flipped bit": (file, random, inUse) => {
    const { from, to, use } = random.pick(inUse);
    flipBit(file, random.integer(from, Math.min(to, statSync(file).size) - 1), random);
    return use;
  },
  "database gone": (file) => {
    rmSync(file);
    return "everything";
  },
} as const satisfies Record<string, DatabaseDamage>;

/** Damages a file of the queue, which is not empty. */
type QueueDamage = (segment: string, random: Random) => void;

const segmentDamages: Readonly<Record<"gone" | "cut" | "with a flipped bit", QueueDamage>> = {
  gone: (segment) => rmSync(segment),
  cut: (segment, random) => truncateSync(segment, random.integer(0, statSync(segment).size - 1)),
  "with a flipped bit": (segment, random) => flipBit(segment, random.integer(0, statSync(segment).size - 1), random),
};

/**
 * Damage to the last file of the queue, with or without the engine's log: either nothing is lost, or the store must report
 * it and not run.
 */
const queueDamages = {
  "queue gone": { damage: segmentDamages.gone, isLogGone: false },
  "queue cut": { damage: segmentDamages.cut, isLogGone: false },
  "queue with a flipped bit": { damage: segmentDamages["with a flipped bit"], isLogGone: false },
  "queue and log gone": { damage: segmentDamages.gone, isLogGone: true },
  "queue cut, log gone": { damage: segmentDamages.cut, isLogGone: true },
  "queue with a flipped bit, log gone": { damage: segmentDamages["with a flipped bit"], isLogGone: true },
} as const satisfies Record<string, { damage: QueueDamage; isLogGone: boolean }>;

export type QueueDamageKind = keyof typeof queueDamages;
export type LogDamageKind = keyof typeof logDamages;
export type DatabaseDamageKind = keyof typeof databaseDamages;

export const logDamageNames = Object.keys(logDamages) as LogDamageKind[];
export const queueDamageNames = Object.keys(queueDamages) as QueueDamageKind[];
export const databaseDamageNames = Object.keys(databaseDamages) as DatabaseDamageKind[];

/**
 * Damages the database file in a data directory.
 * @returns what was in the damaged place, and puts the directory back as it was; undefined where nothing has been written
 *   to the file yet
 */
export async function damageDatabase(
  kind: DatabaseDamageKind,
  directory: string,
  random: Random,
): Promise<{ use: string; restore: () => void } | undefined> {
  const file = join(directory, databaseFile);
  if (!existsSync(file) || statSync(file).size <= 3 * PAGE) return undefined;
  const restore = save(directory);
  return { use: databaseDamages[kind](file, random, await extentsInUse(file)), restore };
}

/**
 * Damages the queue in a data directory, and perhaps the engine's log.
 * @returns puts the directory back as it was; undefined where the queue has no files
 */
export function damageQueue(kind: QueueDamageKind, directory: string, random: Random): (() => void) | undefined {
  const folder = join(directory, "queue", "commands");
  const segments = existsSync(folder) ? readdirSync(folder).sort() : [];
  const last = join(folder, segments.at(-1) ?? "");
  if (segments.length === 0 || statSync(last).size === 0) return undefined;
  const restore = save(directory);
  const { damage, isLogGone } = queueDamages[kind];
  damage(last, random);
  if (isLogGone) rmSync(join(directory, `${databaseFile}.wal`), { force: true });
  return restore;
}

/** Copies a data directory. @returns puts the directory back as it was */
function save(directory: string): () => void {
  const saved = mkdtempSync(join(tmpdir(), "census-saved-"));
  cpSync(directory, saved, { recursive: true });
  return () => {
    rmSync(directory, { recursive: true });
    cpSync(saved, directory, { recursive: true });
    rmSync(saved, { recursive: true });
  };
}

/** Damages the engine's log in a data directory. @returns whether there is one */
export function damageLog(kind: LogDamageKind, directory: string, random: Random): boolean {
  const name = readdirSync(directory).find((each) => each.endsWith(".duckdb.wal"));
  const log = join(directory, name ?? "none.wal");
  if (!existsSync(log) || statSync(log).size === 0) return false;
  logDamages[kind](log, random);
  return true;
}

function flipBit(path: string, at: number, random: Random): void {
  const [byte] = read(path, at, 1);
  write(path, at, Buffer.of((byte ?? 0) ^ (1 << random.integer(0, 7))));
}

function write(path: string, at: number, bytes: Buffer): void {
  const file = openSync(path, "r+");
  writeSync(file, bytes, 0, bytes.length, at);
  closeSync(file);
}

function read(path: string, at: number, count: number): Buffer {
  const bytes = Buffer.alloc(count);
  const file = openSync(path, "r");
  const length = readSync(file, bytes, 0, count, at);
  closeSync(file);
  return bytes.subarray(0, length);
}
