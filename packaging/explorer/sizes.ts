import { gzipSync } from "node:zlib";
import type { BuiltPages } from "#app/explorer/build/build.ts";
import { loadedFiles } from "#app/explorer/build/loaded-files.ts";
import { CensusError } from "#storage/errors.ts";

/** What a page may load when it is opened first: bytes, compressed. An editor and other parts on demand come later. */
export const FIRST_LOAD_LIMIT = 120_000;

/** Compressed as it is embedded. */
export function compressed(content: Uint8Array): Buffer {
  return gzipSync(content, { level: 9 });
}

/** What each page loads when it is opened first, by page (`nodes`): bytes, compressed. */
export function firstLoads({ entries, files, metafile: { outputs } }: BuiltPages): Readonly<Record<string, number>> {
  const { atStart, pages } = loadedFiles(outputs, entries.main);
  const sizeOf = (names: readonly string[]): number =>
    names.reduce((sum, name) => sum + compressed(files.get(name) ?? Buffer.alloc(0)).length, 0);
  const common = sizeOf([...atStart, entries.style, entries.theme, entries.icon]);
  return Object.fromEntries([...pages].map(([page, names]) => [page, common + sizeOf(names)]));
}

/** @throws CensusError "bad-file" naming the pages that are too large */
export function checkSizes(built: BuiltPages, limit = FIRST_LOAD_LIMIT): void {
  const large = Object.entries(firstLoads(built)).filter(([, size]) => size > limit);
  if (large.length === 0) return;
  const list = large.map(([page, size]) => `the first load of ${page}: ${size} of ${limit} bytes`);
  throw new CensusError("bad-file", `the explorer's pages are too large: ${list.join("; ")}`);
}
