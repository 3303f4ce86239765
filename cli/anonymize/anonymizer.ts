import { readFile } from "node:fs/promises";
import { type Anonymizer, createAnonymizer } from "#storage/anonymize/anonymizer.ts";
import { namesInArchive } from "#storage/anonymize/names-in-archive.ts";
import type { ProfileName } from "#storage/anonymize/profiles.ts";
import { CensusError, messageOf } from "#storage/errors.ts";
import { startProgress } from "../progress.ts";

/** Fewer bytes could be tried out. */
const SHORTEST_SALT = 16;

/**
 * The anonymizer for an archive, which is read through for the names of its nodes, showing progress on a terminal.
 * @param salt the key of the replacements; random unless given
 * @throws CensusError "bad-file" when the archive cannot be read
 */
export async function archiveAnonymizer(
  path: string,
  profile: ProfileName,
  salt: Uint8Array | undefined,
): Promise<Anonymizer> {
  if (profile === "none") return createAnonymizer({ profile });
  const progress = startProgress(`Reading names in ${path}`);
  try {
    return createAnonymizer({ profile, salt, certnames: await namesInArchive(path, progress.update) });
  } finally {
    progress.stop();
  }
}

/**
 * The bytes of a salt file, where one is given.
 * @throws CensusError "bad-file" when there are none, or too few for a secret
 */
export async function readSalt(path: string | undefined): Promise<Uint8Array | undefined> {
  if (path === undefined) return undefined;
  const salt = await readFile(path).catch((error: unknown) => {
    throw new CensusError("bad-file", `${path}: cannot read the salt: ${messageOf(error)}`, { cause: error });
  });
  if (salt.length >= SHORTEST_SALT) return salt;
  const text = `${path}: the salt has ${salt.length} bytes, needs at least ${SHORTEST_SALT}; create one with: openssl rand 32 > FILE`;
  throw new CensusError("bad-file", text);
}
