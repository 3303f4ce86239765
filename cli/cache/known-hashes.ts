import { randomBytes } from "node:crypto";
import { type BigIntStats, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { cacheFolder, makePrivateFolder } from "./place.ts";

/** A file whose content has a known hash as long as the rest stays the same. All numbers are texts. */
interface KnownHash {
  readonly path: string;
  readonly device: string;
  readonly inode: string;
  readonly size: string;
  /** When its content was written, and when anything about it was changed: nanoseconds since 1970. */
  readonly modified: string;
  readonly changed: string;
  readonly sha256: string;
}

/**
 * A file that was changed less than this before its hash is computed can be changed again without another time, because file
 * systems count time in steps: up to 2 s.
 */
const SETTLED_NS = 3_000_000_000n;

/**
 * The hash of a file, without reading it again if it was not changed since. No program can set the time of the last change of a
 * file (`ctime`), so a file that was replaced or written to is read again.
 * @param compute reads the file
 */
export async function rememberedHash(path: string, compute: () => Promise<string>): Promise<string> {
  const place = resolve(path);
  const before = identityOf(place, await stat(place, { bigint: true }));
  const known = read();
  const found = known.find((entry) => entry.path === place && isSame(entry, before));
  if (found !== undefined) return found.sha256;
  const began = BigInt(Date.now()) * 1_000_000n;
  const sha256 = await compute();
  const after = identityOf(place, await stat(place, { bigint: true }));
  if (isSame(before, after) && BigInt(after.changed) < began - SETTLED_NS) {
    write([{ ...after, sha256 }, ...read().filter((entry) => entry.path !== place)].slice(0, 200));
  }
  return sha256;
}

/** Forgets all hashes. */
export function forgetHashes(): void {
  rmSync(folder(), { recursive: true, force: true });
}

function identityOf(path: string, { dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): Omit<KnownHash, "sha256"> {
  const [device, inode, bytes, modified, changed] = [dev, ino, size, mtimeNs, ctimeNs].map(String) as Five;
  return { path, device, inode, size: bytes, modified, changed };
}

type Five = [string, string, string, string, string];

function isSame(one: Omit<KnownHash, "sha256">, other: Omit<KnownHash, "sha256">): boolean {
  const names = ["device", "inode", "size", "modified", "changed"] as const;
  return names.every((name) => one[name] === other[name]);
}

function folder(): string {
  return join(cacheFolder(), "hashes");
}

function file(): string {
  return join(folder(), "archives.json");
}

/** What is remembered; nothing where that cannot be read or others could have written it. */
function read(): readonly KnownHash[] {
  if (!makePrivateFolder(folder())) return [];
  try {
    const known: unknown = JSON.parse(readFileSync(file(), "utf8"));
    return Array.isArray(known) ? (known as KnownHash[]) : [];
  } catch {
    return [];
  }
}

/** Ignores errors: an archive can be opened without it. */
function write(known: readonly KnownHash[]): void {
  if (!makePrivateFolder(folder())) return;
  const draft = `${file()}.${randomBytes(6).toString("hex")}`;
  try {
    writeFileSync(draft, JSON.stringify(known), { mode: 0o600 });
    renameSync(draft, file());
  } catch {
    rmSync(draft, { force: true });
  }
}
