import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { getAsset } from "node:sea";
import { cacheFolder } from "#cli/cache/place.ts";
import { CensusError, messageOf } from "#storage/errors.ts";
import { manifestAsset, type NativeManifest } from "./manifest.ts";
import { repaired, unpackedIn } from "./unpack.ts";

/** The variable that names the folder to unpack into. */
const FOLDER = "CENSUS_NATIVE_DIR";

let library: unknown;
let placing: Promise<void> | undefined;

/**
 * Stands for `storage/engine/native-library.ts` in the packaged program: unpacks the engine's library, which the system
 * can only load from a file, and loads it.
 * @throws CensusError "bad-file" naming each folder that was tried, and the variable to set
 */
export async function placeNativeLibrary(): Promise<void> {
  placing ??= place();
  await placing;
}

/** What the library exports; for `bindings.cjs`, which runs after {@link placeNativeLibrary}. */
export function binding(): unknown {
  return library;
}

async function place(): Promise<void> {
  const manifest = JSON.parse(getAsset(manifestAsset, "utf8")) as NativeManifest;
  const reasons: string[] = [];
  for (const base of folders()) {
    try {
      library = await loadedFrom(base, manifest);
      return;
    } catch (error) {
      reasons.push(`${base}: ${messageOf(error)}`);
    }
  }
  throw new CensusError(
    "bad-file",
    `the engine's library cannot be unpacked; set ${FOLDER} to a folder of yours in which programs may run (${reasons.join("; ")})`,
  );
}

/** Where the variable says and nowhere else, or else in the cache, or with the temporary files. */
function folders(): string[] {
  const named = process.env[FOLDER] ?? "";
  if (named !== "") return [named];
  return [join(cacheFolder(), "engine"), join(tmpdir(), `census-${process.getuid?.() ?? ""}`, "engine")];
}

async function loadedFrom(base: string, manifest: NativeManifest): Promise<unknown> {
  const folder = await unpackedIn(base, manifest);
  const file = join(folder, manifest.files.at(-1)?.name ?? "");
  try {
    return dlopen(file);
  } catch (error) {
    // A file system that programs may not run from refuses a sound one as well.
    if (await repaired(folder, base, manifest)) return dlopen(file);
    throw error;
  }
}

function dlopen(file: string): unknown {
  const module = { exports: {} };
  process.dlopen(module, file, constants.dlopen.RTLD_NOW);
  return module.exports;
}
