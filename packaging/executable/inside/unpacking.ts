import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { getRawAsset } from "node:sea";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createZstdDecompress } from "node:zlib";
import { type EmbeddedKind, fileAsset, type Manifest, type PackedFile } from "./manifest.ts";
import { isComplete } from "./complete.ts";

/** Bytes passed to the decompressor at a time. */
const PIECE = 256 * 1024;

/** Directories of other versions are removed at this age, ms. */
const OLD = 30 * 86_400_000;

/** Unpacks the files of a manifest into a directory of `base`, and removes old directories of other versions. */
export async function unpackInto(base: string, folder: string, manifest: Manifest): Promise<void> {
  await unpack(base, folder, manifest);
  removeOld(base, manifest.id);
}

/** Unpacks again if checksums are wrong. @returns whether they were */
export async function repaired(folder: string, base: string, manifest: Manifest): Promise<boolean> {
  const sums = await Promise.all(manifest.files.map(({ name }) => checksum(join(folder, name))));
  if (manifest.files.every(({ sha256 }, index) => sums[index] === sha256)) return false;
  rmSync(folder, { recursive: true, force: true });
  await unpack(base, folder, manifest);
  return true;
}

async function unpack(base: string, folder: string, manifest: Manifest): Promise<void> {
  const made = mkdtempSync(join(base, `.${manifest.id}-`));
  try {
    for (const file of manifest.files) await unpackFile(manifest.kind, file, join(made, file.name));
    try {
      renameSync(made, folder);
    } catch {
      // Another process was faster, or the present directory is damaged.
      if (isComplete(folder, manifest)) return;
      rmSync(folder, { recursive: true, force: true });
      renameSync(made, folder);
    }
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

async function unpackFile(kind: EmbeddedKind, file: PackedFile, path: string): Promise<void> {
  const hash = createHash("sha256");
  const hashing = new Transform({
    transform: (piece: Buffer, _encoding, done) => {
      hash.update(piece);
      done(null, piece);
    },
  });
  // Sync the file: a crash must not leave a file of the right size without content.
  const target = createWriteStream(path, { flags: "wx", mode: 0o500, flush: true });
  await pipeline(pieces(new Uint8Array(getRawAsset(fileAsset(kind, file)))), createZstdDecompress(), hashing, target);
  if (hash.digest("hex") !== file.sha256) throw new Error(`${path}: the program file is damaged, copy it again`);
}

/** In pieces, so that the library is never completely in memory. */
function* pieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
}

async function checksum(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

/** Files in use can be removed as well, since they are mapped or open. Failures are ignored. */
function removeOld(base: string, present: string): void {
  for (const name of readdirSync(base)) {
    if (name === present || kindOf(name) !== kindOf(present)) continue;
    const path = join(base, name);
    try {
      if (statSync(path).mtimeMs < Date.now() - OLD) rmSync(path, { recursive: true, force: true });
    } catch {
      // It belongs to another user.
    }
  }
}

/** The part before the version; a leading dot marks an incomplete directory. */
function kindOf(name: string): string {
  return /^\.?(\D*)/.exec(name)?.[1] ?? "";
}
