import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { constants, zstdCompressSync } from "node:zlib";
import { version } from "#app/version.ts";
import { manifestAsset, type NativeFile, type NativeManifest, nativeAsset } from "./inside/manifest.ts";
import { cache } from "./places.ts";

/** Higher ones take a minute and spare 2 MB of 20. */
const LEVEL = 12;

/** The assets that carry the engine's library: their names, and the files that hold them. */
export interface NativeAssets {
  readonly manifest: NativeManifest;
  readonly assets: Readonly<Record<string, string>>;
}

/**
 * Compresses the library; what has been compressed before is taken from the cache.
 * @param folder the package with the library
 * @param work where the manifest is written to
 */
export function nativeAssets(folder: string, work: string): NativeAssets {
  // The addon comes last: it is what is loaded, and finds the library beside it.
  const names = readdirSync(folder)
    .filter((name) => /\.(?:so|dylib|dll|node)$/.test(name))
    .sort((a, b) => Number(a.endsWith(".node")) - Number(b.endsWith(".node")) || (a < b ? -1 : 1));
  const assets: Record<string, string> = {};
  const files = names.map((name): NativeFile => {
    const content = readFileSync(join(folder, name));
    const sha256 = createHash("sha256").update(content).digest("hex");
    const file = { name, size: content.length, sha256 };
    assets[nativeAsset(file)] = compressed(content, sha256);
    return file;
  });
  const sum = createHash("sha256").update(JSON.stringify(files)).digest("hex");
  const manifest = { id: `${version}-${sum.slice(0, 16)}`, files };
  assets[manifestAsset] = join(work, "manifest.json");
  writeFileSync(join(work, "manifest.json"), JSON.stringify(manifest));
  return { manifest, assets };
}

/** @returns the path of the compressed content */
function compressed(content: Buffer, sha256: string): string {
  const path = join(cache, `${sha256}.zst${LEVEL}`);
  if (existsSync(path)) return path;
  mkdirSync(cache, { recursive: true });
  const made = `${path}.${process.pid}`;
  writeFileSync(made, zstdCompressSync(content, { params: { [constants.ZSTD_c_compressionLevel]: LEVEL } }));
  renameSync(made, path);
  return path;
}
