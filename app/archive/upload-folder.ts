import { rmSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The prefix of folders for stores in memory; the id of the process that created the folder follows. */
const PREFIX = "census-upload-";

/**
 * Contains archives while they are received, and files while they are made for a download. It is in the data directory,
 * whose disk needs space for them anyway; for a store in memory, in the folder for temporary files. Files that a killed
 * process left are removed.
 */
export class UploadFolder {
  readonly #folder: string | undefined;

  /** @param folder used by this process alone; undefined: the folder for temporary files */
  constructor(folder: string | undefined) {
    this.#folder = folder;
    if (folder === undefined) void removeLeftovers(tmpdir());
    else rmSync(folder, { recursive: true, force: true });
  }

  /** Calls `work` with a file in a folder of its own, which is removed afterwards in any case. */
  async use<T>(work: (path: string) => Promise<T>): Promise<T> {
    const folder = await this.make();
    try {
      return await work(join(folder, "archive"));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Makes a folder that the caller removes. */
  async make(): Promise<string> {
    if (this.#folder === undefined) return mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    return mkdtemp(join(this.#folder, "archive-"));
  }
}

/** Removes the folders of processes that have ended, except where permission is denied. */
async function removeLeftovers(parent: string): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  for (const name of names) {
    const [, pid] = /^census-upload-(\d+)-/.exec(name) ?? [];
    if (pid === undefined || isRunning(Number(pid))) continue;
    await rm(join(parent, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
