import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CensusError } from "#storage/errors.ts";
import { readNamedFile } from "../listeners/named-file.ts";

const KEY_BYTES = 32;

/**
 * The keys of sessions: of the named file, else of `session.key` in the data directory, which is made at the first start. A
 * store in memory has a new key at each start.
 * @throws CensusError "bad-file" when the file is missing or has no keys
 */
export async function sessionKeys(path: string | undefined, directory: string | undefined): Promise<Buffer[]> {
  if (path !== undefined) return readSessionKeys(path);
  if (directory === undefined) return [randomBytes(KEY_BYTES)];
  const own = join(directory, "session.key");
  const made = `${randomBytes(KEY_BYTES).toString("hex")}\n`;
  await writeFile(own, made, { mode: 0o600, flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  return readSessionKeys(own);
}

/** @throws CensusError "bad-file", as {@link sessionKeys} */
export async function readSessionKeys(path: string): Promise<Buffer[]> {
  const lines = (await readNamedFile("session-key-file", path)).split("\n").map((line) => line.trim());
  const keys = lines.filter((line) => line !== "");
  if (keys.length > 0 && keys.length <= 2 && keys.every((line) => /^[0-9a-f]{64}$/i.test(line))) {
    return keys.map((line) => Buffer.from(line, "hex"));
  }
  const expected = "expected one or two lines of 64 hex digits, as openssl rand -hex 32 prints them";
  throw new CensusError("bad-file", `session-key-file: ${path}: ${expected}`);
}
