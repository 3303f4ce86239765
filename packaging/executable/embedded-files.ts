import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { constants, zstdCompressSync } from "node:zlib";
import { version } from "#app/version.ts";
import { type EmbeddedKind, fileAsset, type Manifest, manifestAsset, type PackedFile } from "./inside/manifest.ts";
import { cache } from "./places.ts";

/** Higher levels take a minute and save 2 of 20 MB. */
const LEVEL = 12;

/** The files of a directory that are embedded, in order. */
const embedded: Readonly<Record<EmbeddedKind, (names: readonly string[]) => readonly string[]>> = {
  // The addon comes last: it is the file that is loaded, and it loads the library next to it.
  native: (names) =>
    names
      .filter((name) => /\.(?:so|dylib|dll|node)$/.test(name))
      .sort((a, b) => Number(a.endsWith(".node")) - Number(b.endsWith(".node")) || (a < b ? -1 : 1)),
  population: (names) => names.toSorted(),
};

/**
 * Compresses the files of a directory, or takes them from the cache.
 * @param folder the directory
 * @param work the directory for the manifest
 * @returns paths of the asset files, by asset name
 */
export function embeddedAssets(kind: EmbeddedKind, folder: string, work: string): Readonly<Record<string, string>> {
  const assets: Record<string, string> = {};
  const files = embedded[kind](readdirSync(folder)).map((name): PackedFile => {
    const content = readFileSync(join(folder, name));
    const sha256 = createHash("sha256").update(content).digest("hex");
    const file = { name, size: content.length, sha256 };
    assets[fileAsset(kind, file)] = compressed(content, sha256);
    return file;
  });
  const sum = createHash("sha256").update(JSON.stringify(files)).digest("hex");
  const manifest: Manifest = {
    kind,
    id: `${kind === "native" ? "" : `${kind}-`}${version}-${sum.slice(0, 16)}`,
    files,
  };
  const path = join(work, `${kind}.json`);
  writeFileSync(path, JSON.stringify(manifest));
  return { ...assets, [manifestAsset(kind)]: path };
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
