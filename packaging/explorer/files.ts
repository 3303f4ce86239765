import { type BuiltPages, buildPages } from "#app/explorer/build/build.ts";
import { type Index, compressedName, indexName } from "./index-file.ts";
import { checkSizes, compressed } from "./sizes.ts";

/** The explorer's pages as packages contain them. */
export interface ExplorerFiles {
  /** Compressed files and an index, by name. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly metafile: BuiltPages["metafile"];
}

/**
 * Bundles the pages. The result depends on the sources only.
 * @throws CensusError "bad-file" when they cannot be bundled or are too large
 */
export async function explorerFiles(): Promise<ExplorerFiles> {
  const built = await buildPages();
  checkSizes(built);
  const names = [...built.files.keys()].sort();
  const index: Index = { entries: built.entries, names };
  const files = new Map<string, Uint8Array>([[indexName, Buffer.from(JSON.stringify(index))]]);
  for (const name of names) files.set(compressedName(name), compressed(built.files.get(name) ?? Buffer.alloc(0)));
  return { files, metafile: built.metafile };
}
