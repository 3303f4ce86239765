import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { isComplete } from "./complete.ts";
import type { Manifest } from "./manifest.ts";
import { doubtAbout } from "./ownership.ts";

/**
 * Uses the files of a manifest in a directory below `base`. Unpacks them if they are missing, and again if `use` fails and
 * their checksums are wrong.
 * @throws Error if `base` is not usable or another user could have written to it; what `use` throws
 */
export async function useUnpacked<T>(
  base: string,
  manifest: Manifest,
  use: (folder: string) => T | Promise<T>,
): Promise<T> {
  const folder = await unpackedIn(base, manifest);
  try {
    return await use(folder);
  } catch (error) {
    const { repaired } = await import("./unpacking.ts");
    if (await repaired(folder, base, manifest)) return use(folder);
    throw error;
  }
}

/** The directory gets its name when it is complete, so that processes that start at the same time never see a part of it. */
async function unpackedIn(base: string, manifest: Manifest): Promise<string> {
  const folder = join(base, manifest.id);
  mkdirSync(base, { recursive: true, mode: 0o700 });
  refuseDoubtful(base);
  if (isComplete(folder, manifest)) {
    refuseDoubtful(folder);
    return folder;
  }
  const { unpackInto } = await import("./unpacking.ts");
  await unpackInto(base, folder, manifest);
  return folder;
}

function refuseDoubtful(folder: string): void {
  const doubt = doubtAbout(folder);
  if (doubt !== undefined) throw new Error(doubt);
}
