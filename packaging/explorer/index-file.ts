import { gunzipSync } from "node:zlib";
import { type Assets, type EntryNames, assetType } from "#app/explorer/asset.ts";

/** What pages a package contains. */
export interface Index {
  readonly entries: EntryNames;
  /** Of all files. */
  readonly names: readonly string[];
}

/** The file with the index. */
export const indexName = "index.json";

/** The file with the compressed content of another. */
export function compressedName(name: string): string {
  return `${name}.gz`;
}

/**
 * The files of the pages in a package, which are read when they are requested.
 * @param read the content of a file of `explorerFiles` by its name
 */
export function packagedAssets(read: (name: string) => Uint8Array): Assets {
  const { entries, names } = JSON.parse(Buffer.from(read(indexName)).toString()) as Index;
  const known = new Set(names);
  return {
    entries,
    find: (name) => {
      if (!known.has(name)) return undefined;
      const gzip = (): Uint8Array => read(compressedName(name));
      return { type: assetType(name), gzip, plain: () => gunzipSync(gzip()) };
    },
  };
}
