import { stat } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { type Asset, type Assets, assetType } from "./asset.ts";
import type { BuiltPages } from "./build/build.ts";

const root = join(import.meta.dirname, "../..");

interface Built {
  readonly assets: Assets;
  /** When the build began, ms. */
  readonly began: number;
  /** Modification times of the sources, ms, by path. */
  readonly times: ReadonlyMap<string, number>;
}

let building: Promise<Built> | undefined;

/**
 * The files of the pages. A program that runs from source bundles them when they are first requested. Packaged programs
 * replace this file and have them ready.
 * @param isPage whether they are for a new page: then they are bundled again if one of their sources has changed
 * @throws CensusError "bad-file" with the messages for the developer
 */
export async function openAssets(isPage: boolean): Promise<Assets> {
  const before = building;
  const isReady = before?.then(isPage ? isUnchanged : () => true, () => false);
  // Another request may have begun to build meanwhile.
  if (!(await isReady) && building === before) building = built();
  const { assets } = await (building as Promise<Built>);
  return assets;
}

async function built(): Promise<Built> {
  const began = Date.now();
  const { buildPages } = await import("./build/build.ts");
  const pages = await buildPages();
  const sources = Object.keys(pages.metafile.inputs)
    .map((input) => join(root, input))
    .filter((path) => !/[/\\]node_modules[/\\]/.test(path));
  return { assets: assetsOf(pages), began, times: await timesOf(sources) };
}

/** A source that was changed during the build may be in it or not. */
async function isUnchanged({ began, times }: Built): Promise<boolean> {
  const now = await timesOf([...times.keys()]);
  return [...times].every(([path, time]) => time < began && now.get(path) === time);
}

/** Files that do not exist, such as a sheet that is made of others, have no time. */
async function timesOf(paths: readonly string[]): Promise<Map<string, number>> {
  const found = await Promise.all(
    paths.map(async (path) =>
      stat(path).then(
        ({ mtimeMs }) => [[path, mtimeMs] as const],
        () => [],
      ),
    ),
  );
  return new Map(found.flat());
}

function assetsOf({ entries, files }: BuiltPages): Assets {
  const assets = new Map([...files].map(([name, content]) => [name, assetOf(name, content)]));
  return { entries, find: (name) => assets.get(name) };
}

function assetOf(name: string, content: Uint8Array): Asset {
  let zipped: Uint8Array | undefined;
  return { type: assetType(name), plain: () => content, gzip: () => (zipped ??= gzipSync(content)) };
}
