import { createHash } from "node:crypto";
import {
  createReadStream,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { getRawAsset } from "node:sea";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createZstdDecompress } from "node:zlib";
import { type CargoKind, fileAsset, type Manifest, type PackedFile } from "./manifest.ts";
import { doubtAbout } from "./ownership.ts";

/** Bytes given to the decompressor at a time. */
const PIECE = 256 * 1024;

/** Folders of other versions that nobody has made for so long are removed, ms. */
const OLD = 30 * 86_400_000;

/**
 * Uses the files of a manifest in a folder below `base`, where they are unpacked unless they are there already, and unpacked
 * once more if they cannot be used and are not what was packed.
 * @throws Error when `base` cannot be used, or somebody else could have written it; what `use` throws
 */
export async function useUnpacked<T>(
  base: string,
  manifest: Manifest,
  use: (folder: string) => T | Promise<T>,
): Promise<T> {
  const folder = await unpackedIn(base, manifest);
  try {
    return await use(folder);
  } catch (error) {
    if (await repaired(folder, base, manifest)) return use(folder);
    throw error;
  }
}

/** The folder gets its name only when it is complete, so that programs which start at the same moment never see a part. */
async function unpackedIn(base: string, manifest: Manifest): Promise<string> {
  const folder = join(base, manifest.id);
  mkdirSync(base, { recursive: true, mode: 0o700 });
  refuseDoubtful(base);
  if (isComplete(folder, manifest)) {
    refuseDoubtful(folder);
    return folder;
  }
  await unpack(base, folder, manifest);
  removeOld(base, manifest.id);
  return folder;
}

/** Unpacks it once more where what is there is not what was packed; whether that was so. */
async function repaired(folder: string, base: string, manifest: Manifest): Promise<boolean> {
  const sums = await Promise.all(manifest.files.map(({ name }) => checksum(join(folder, name))));
  if (manifest.files.every(({ sha256 }, index) => sums[index] === sha256)) return false;
  rmSync(folder, { recursive: true, force: true });
  await unpack(base, folder, manifest);
  return true;
}

function refuseDoubtful(folder: string): void {
  const doubt = doubtAbout(folder);
  if (doubt !== undefined) throw new Error(doubt);
}

/** By names and sizes: to hash 70 MB at each start would take as long as everything else. */
function isComplete(folder: string, { files }: Manifest): boolean {
  return files.every(({ name, size }) => statSync(join(folder, name), { throwIfNoEntry: false })?.size === size);
}

async function unpack(base: string, folder: string, manifest: Manifest): Promise<void> {
  const made = mkdtempSync(join(base, `.${manifest.id}-`));
  try {
    for (const file of manifest.files) await unpackFile(manifest.kind, file, join(made, file.name));
    try {
      renameSync(made, folder);
    } catch {
      // Somebody was faster, or what lies there is damaged.
      if (isComplete(folder, manifest)) return;
      rmSync(folder, { recursive: true, force: true });
      renameSync(made, folder);
    }
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

async function unpackFile(kind: CargoKind, file: PackedFile, path: string): Promise<void> {
  const hash = createHash("sha256");
  const hashing = new Transform({
    transform: (piece: Buffer, _encoding, done) => {
      hash.update(piece);
      done(null, piece);
    },
  });
  // Written through to the disk: a crash must not leave a file of the right size with nothing in it.
  const target = createWriteStream(path, { flags: "wx", mode: 0o500, flush: true });
  await pipeline(pieces(new Uint8Array(getRawAsset(fileAsset(kind, file)))), createZstdDecompress(), hashing, target);
  if (hash.digest("hex") !== file.sha256) throw new Error(`${path}: the program file is damaged, copy it again`);
}

/** In pieces, so that the program never holds a library whole. */
function* pieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
}

async function checksum(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

/** What is in use can be removed as well: it is mapped into memory, or read. Whatever cannot be removed stays. */
function removeOld(base: string, present: string): void {
  for (const name of readdirSync(base)) {
    if (name === present || kindOf(name) !== kindOf(present)) continue;
    const path = join(base, name);
    try {
      if (statSync(path).mtimeMs < Date.now() - OLD) rmSync(path, { recursive: true, force: true });
    } catch {
      // It is another user's.
    }
  }
}

/** What stands before the version; a dot before that has what was never complete. */
function kindOf(name: string): string {
  return /^\.?(\D*)/.exec(name)?.[1] ?? "";
}
