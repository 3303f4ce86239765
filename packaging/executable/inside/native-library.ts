import { constants } from "node:os";
import { join } from "node:path";
import { CensusError } from "#storage/errors.ts";
import { placeVariable, useEmbedded } from "./places.ts";

let library: unknown;
let placing: Promise<void> | undefined;

/**
 * Replaces `storage/engine/native-library.ts` in the packaged program: unpacks the engine's library, which the operating system
 * loads from files only, and loads it.
 * @throws CensusError "bad-file" with each directory that was tried and the variable to set
 */
export async function placeNativeLibrary(): Promise<void> {
  placing ??= place();
  await placing;
}

/** The exports of the library, for `bindings.cjs`, which runs after {@link placeNativeLibrary}. */
export function binding(): unknown {
  return library;
}

async function place(): Promise<void> {
  // On a file system without execute permission loading fails although the library is intact.
  const loaded = await useEmbedded("native", (folder, { files }) => dlopen(join(folder, files.at(-1)?.name ?? "")));
  if ("value" in loaded) {
    library = loaded.value;
    return;
  }
  throw new CensusError(
    "bad-file",
    `the engine's library cannot be unpacked; set ${placeVariable} to a folder of yours in which programs may run (${loaded.reasons.join("; ")})`,
  );
}

function dlopen(file: string): unknown {
  const module = { exports: {} };
  process.dlopen(module, file, constants.dlopen.RTLD_NOW);
  return module.exports;
}
