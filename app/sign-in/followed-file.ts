import { stat } from "node:fs/promises";
import { messageOf } from "#storage/errors.ts";
import { type AccessFile, emptyAccessFile, readAccessFile } from "./access-file.ts";

/** Milliseconds between two looks at the file: with the time to read it, a change is in force within a second. */
const LOOK_MS = 400;

/** A content of the access file, and since when the file is unusable. */
export interface FollowedFile {
  /** Undefined: there is none. */
  readonly path: string | undefined;
  readonly current: AccessFile;
  /** What is wrong with the file now; undefined: nothing. */
  readonly problem: { readonly text: string; readonly since: string } | undefined;
  close(): void;
}

/** Called after each look, with the contents before and after if they changed. */
type OnLook = (
  change?: { readonly before: AccessFile; readonly after: AccessFile } | { readonly problem: string },
) => void;

/**
 * Reads the access file, and again when it changes. While it is missing or invalid, the old content remains in force.
 * @param path undefined: nobody is known
 * @throws CensusError "bad-file" when it cannot be read at first
 */
export async function followAccessFile(path: string | undefined, onLook: OnLook): Promise<FollowedFile> {
  let seen = path === undefined ? "" : await versionOf(path);
  let current = path === undefined ? emptyAccessFile : await readAccessFile(path);
  let problem: FollowedFile["problem"];
  let isLooking = false;
  const look = async (): Promise<void> => {
    const version = path === undefined ? "" : await versionOf(path);
    if (path === undefined || version === seen) return onLook();
    seen = version;
    try {
      const before = current;
      current = await readAccessFile(path);
      problem = undefined;
      onLook({ before, after: current });
    } catch (error) {
      problem = { text: messageOf(error), since: problem?.since ?? new Date().toISOString() };
      onLook({ problem: problem.text });
    }
  };
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    void look().finally(() => (isLooking = false));
  }, LOOK_MS).unref();
  return {
    path,
    get current() {
      return current;
    },
    get problem() {
      return problem;
    },
    close: () => clearInterval(timer),
  };
}

/** Changes with the file; empty where it cannot be found. */
async function versionOf(path: string): Promise<string> {
  try {
    const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return [ino, size, mtimeNs, ctimeNs].join(" ");
  } catch {
    return "";
  }
}
