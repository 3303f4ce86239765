import { readFile } from "node:fs/promises";
import { CensusError, messageOf } from "#storage/errors.ts";

/** Texts for the system's error codes. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  EACCES: "cannot be read: permission denied",
  EISDIR: "is a directory, not a file",
};

/**
 * Reads the text of a file that a setting names.
 * @param setting name of the setting, e.g. `ssl-cert`
 * @throws CensusError "bad-file" naming the setting, the file and what is wrong
 */
export async function readNamedFile(setting: string, path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    const reason = reasons[code] ?? `cannot be read: ${messageOf(error)}`;
    throw new CensusError("bad-file", `${setting}: ${path} ${reason}`, { cause: error });
  }
}
