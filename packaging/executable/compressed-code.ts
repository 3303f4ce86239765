import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { cachedAsset, codeAsset, compressedAsset } from "./inside/code.ts";

type Assets = Readonly<Record<string, string>>;

/**
 * Compresses the pieces of code that a start does not load, which are those without a code cache. Where none was recorded,
 * nothing is compressed: every start compiles what it needs there, and that takes long enough.
 * @param embedded paths of the asset files, by asset name
 * @param codeCache the same for the code cache
 * @param work the directory for the compressed files
 * @returns `embedded` with these pieces compressed
 */
export function withCompressedCode(
  pieces: ReadonlyMap<string, string>,
  embedded: Assets,
  codeCache: Assets,
  work: string,
): Record<string, string> {
  const compressed =
    Object.keys(codeCache).length === 0 ? [] : [...pieces.keys()].filter((name) => !(cachedAsset(name) in codeCache));
  const left = new Set(compressed.map(codeAsset));
  return {
    ...Object.fromEntries(Object.entries(embedded).filter(([name]) => !left.has(name))),
    ...Object.fromEntries(
      compressed.map((name) => {
        const path = join(work, compressedAsset(name));
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, deflateRawSync(pieces.get(name) ?? "", { level: 9 }));
        return [compressedAsset(name), path];
      }),
    ),
  };
}
