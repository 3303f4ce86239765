import { rmSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What folders of stores in memory are called: behind it is the process that made them. */
const PREFIX = "census-upload-";

/**
 * Where archives are kept while they are taken in, and files while they are made for a download: in the data directory, whose disk has to have room for them anyway; for a
 * store in memory in the folder for temporary files. What a process that was killed has left is removed.
 */
export class UploadFolder {
  readonly #folder: string | undefined;

  /** @param folder used by this process alone; undefined: the folder for temporary files */
  constructor(folder: string | undefined) {
    this.#folder = folder;
    if (folder === undefined) void removeLeftovers(tmpdir());
    else rmSync(folder, { recursive: true, force: true });
  }

  /** Has `work` use a file in a folder of its own, which is removed afterwards, whatever comes of it. */
  async use<T>(work: (path: string) => Promise<T>): Promise<T> {
    const folder = await this.make();
    try {
      return await work(join(folder, "archive"));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Makes a folder, which whoever uses it removes. */
  async make(): Promise<string> {
    if (this.#folder === undefined) return mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    return mkdtemp(join(this.#folder, "archive-"));
  }
}

/** Removes the folders of processes that are gone. What is not ours to remove stays. */
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
