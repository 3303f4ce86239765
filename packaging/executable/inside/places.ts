import { tmpdir } from "node:os";
import { join } from "node:path";
import { getAsset } from "node:sea";
import { cacheFolder } from "#cli/cache/place.ts";
import { messageOf } from "#storage/errors.ts";
import { type EmbeddedKind, type Manifest, manifestAsset } from "./manifest.ts";
import { useUnpacked } from "./unpack.ts";

/** The variable with the directory to unpack into. */
export const placeVariable = "CENSUS_NATIVE_DIR";

/** The result, or the error of each directory that was tried. */
export type Used<T> = { readonly value: T } | { readonly reasons: readonly string[] };

/** Unpacks the embedded files of one kind to the first directory where that is possible, and uses them there. */
export async function useEmbedded<T>(
  kind: EmbeddedKind,
  use: (folder: string, manifest: Manifest) => T | Promise<T>,
): Promise<Used<T>> {
  const manifest = JSON.parse(getAsset(manifestAsset(kind), "utf8")) as Manifest;
  const reasons: string[] = [];
  for (const base of places()) {
    try {
      return { value: await useUnpacked(base, manifest, (folder) => use(folder, manifest)) };
    } catch (error) {
      reasons.push(`${base}: ${messageOf(error)}`);
    }
  }
  return { reasons };
}

/** The directory that the variable names; without it the cache directory, then the one for temporary files. */
function places(): string[] {
  const named = process.env[placeVariable] ?? "";
  if (named !== "") return [named];
  return [join(cacheFolder(), "engine"), join(tmpdir(), `census-${process.getuid?.() ?? ""}`, "engine")];
}
