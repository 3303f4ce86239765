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

type Damage = (log: string, random: Random) => void;

/** What a power cut or a bad disk leaves of the engine's log, after the server has been killed. */
export const damages = {
  "log cut": (log, random) => truncateSync(log, random.integer(0, statSync(log).size)),
  "log gone": (log) => rmSync(log),
  "log followed by zeros": (log, random) => change(log, statSync(log).size, Buffer.alloc(random.integer(1, 70_000))),
  "log with a zeroed end": (log, random) => {
    const { size } = statSync(log);
    const from = random.integer(0, size);
    change(log, from, Buffer.alloc(size - from));
  },
  "log with a flipped bit": (log, random) => flip(log, random),
} as const satisfies Record<string, Damage>;

/** What the store cannot make good by itself: it has to say so instead of running with less. */
export const losses = {
  "database cut": (file, random) => truncateSync(file, random.integer(0, statSync(file).size - 1)),
  "database with a zeroed block": (file, random) => {
    const { size } = statSync(file);
    change(file, random.integer(0, Math.floor(size / 4096) - 1) * 4096, Buffer.alloc(4096));
  },
  "database with a flipped bit": (file, random) => flip(file, random),
  "database gone": (file) => rmSync(file),
} as const satisfies Record<string, Damage>;

export type DamageKind = keyof typeof damages;
export type LossKind = keyof typeof losses;

export const damageNames = Object.keys(damages) as DamageKind[];
export const lossNames = Object.keys(losses) as LossKind[];

/**
 * Damages the database file in a data directory.
 * @returns puts it back as it was; undefined where there is none yet
 */
export function damageDatabase(kind: LossKind, directory: string, random: Random): (() => void) | undefined {
  const file = join(directory, "census.duckdb");
  if (!existsSync(file) || statSync(file).size < 2 * 4096) return undefined;
  const saved = mkdtempSync(join(tmpdir(), "census-saved-"));
  cpSync(directory, saved, { recursive: true });
  losses[kind](file, random);
  return () => {
    rmSync(directory, { recursive: true });
    cpSync(saved, directory, { recursive: true });
    rmSync(saved, { recursive: true });
  };
}

/** Damages the engine's log in a data directory. @returns whether there is one */
export function damage(kind: DamageKind, directory: string, random: Random): boolean {
  const name = readdirSync(directory).find((each) => each.endsWith(".duckdb.wal"));
  const log = join(directory, name ?? "none.wal");
  if (!existsSync(log) || statSync(log).size === 0) return false;
  damages[kind](log, random);
  return true;
}

function flip(path: string, random: Random): void {
  const at = random.integer(0, Math.max(0, statSync(path).size - 1));
  const [byte] = read(path, at, 1);
  change(path, at, Buffer.of((byte ?? 0) ^ (1 << random.integer(0, 7))));
}

function change(path: string, at: number, bytes: Buffer): void {
  const file = openSync(path, "r+");
  writeSync(file, bytes, 0, bytes.length, at);
  closeSync(file);
}

function read(path: string, at: number, count: number): Buffer {
  const bytes = Buffer.alloc(count);
  const file = openSync(path, "r");
  readSync(file, bytes, 0, count, at);
  closeSync(file);
  return bytes;
}
