import { constants } from "node:fs";
import { access, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { CensusError, messageOf } from "../errors.ts";
import { remedyOf } from "../remedy.ts";
import { formatTimestamp } from "../time.ts";
import { commandNames, type CommandName } from "../wire/commands.ts";
import { makeFolder, syncFolder, writeDurably } from "../durable-file.ts";
import type { Fault, NewEntry, QueueEntry } from "./entry.ts";
import { fileName, folderName, readFileName } from "./file-name.ts";

/** A command that can never be stored, or that failed too often. */
export interface DeadLetter {
  /** Its path in the dead letter office: `replace_facts/17-….json`; the name that users give. */
  readonly name: string;
  readonly command: CommandName;
  readonly version: number;
  readonly certname: string;
  readonly received: bigint;
  /** Bytes. */
  readonly size: number;
  /** Its reason: the first line of the latest diagnosis. */
  readonly reason: string;
}

/**
 * The dead letter office of a data directory: a folder per command in `queue/discarded`, two files per letter with
 * PuppetDB's layout (`reference/commands.md §2.6`): the payload as it arrived, and the diagnosis. Letters are only
 * removed by users. It only uses files, so that it can be read while a service runs on the directory.
 */
export class DeadLetters {
  readonly #folder: string;
  readonly #retried: string;
  /** Letters that were accepted and could not be removed: they must not be accepted again. */
  readonly #left = new Set<string>();

  /** @param queue the folder of the queue in a data directory */
  constructor(queue: string) {
    this.#folder = join(queue, "discarded");
    this.#retried = join(queue, "again");
  }

  /** Stores a discarded command; resolves when it is on disk. */
  async discard(entry: QueueEntry, payload: Uint8Array, faults: readonly Fault[]): Promise<string> {
    const folder = join(this.#folder, folderName(entry.command));
    await makeFolder(folder);
    const name = fileName(entry);
    await writeFile(join(folder, diagnosisName(name)), Buffer.from(diagnosisText(faults)));
    await writeFile(join(folder, name), payload);
    await syncFolder(folder);
    return `${folderName(entry.command)}/${name}`;
  }

  /** All letters, oldest first. */
  async list(): Promise<DeadLetter[]> {
    const letters: DeadLetter[] = [];
    // One after another: there may be more letters than files that can be open.
    for (const command of commandNames) {
      const names = await namesIn(join(this.#folder, folderName(command)));
      for (const name of names) letters.push(...(await this.#letter(command, name)));
    }
    return letters.sort((a, b) => Number(a.received - b.received));
  }

  /**
   * The newest letters, newest first, without reading the others.
   * @returns these, and how many there are
   */
  async newest(limit: number): Promise<{ readonly total: number; readonly letters: readonly DeadLetter[] }> {
    const found: { readonly command: CommandName; readonly name: string; readonly received: bigint }[] = [];
    for (const command of commandNames) {
      for (const name of await namesIn(join(this.#folder, folderName(command)))) {
        found.push({ command, name, received: readFileName(name)?.received ?? 0n });
      }
    }
    found.sort((a, b) => Number(b.received - a.received));
    const letters: DeadLetter[] = [];
    for (const { command, name } of found.slice(0, limit)) letters.push(...(await this.#letter(command, name)));
    return { total: found.length, letters };
  }

  async #letter(command: CommandName, name: string): Promise<DeadLetter[]> {
    const known = readFileName(name);
    if (known === undefined) return [];
    const { version, certname, received } = known;
    const path = join(this.#folder, folderName(command), name);
    const [found, diagnosis] = await Promise.all([stat(path).catch(() => undefined), this.#diagnosis(path)]);
    // Deleted or returned to the queue meanwhile.
    if (found === undefined) return [];
    const { size } = found;
    const reason = diagnosis.split("\n")[1] ?? "";
    return [{ name: `${folderName(command)}/${name}`, command, version, certname, received, size, reason }];
  }

  /** A letter with its payload (as it arrived, not unpacked) and the whole diagnosis. */
  async read(name: string): Promise<{ payload: Uint8Array; diagnosis: string }> {
    const path = await this.#path(name);
    return { payload: await readFile(path), diagnosis: await this.#diagnosis(path) };
  }

  async delete(name: string): Promise<void> {
    const path = await this.#path(name);
    await rm(path);
    await rm(diagnosisName(path), { force: true });
  }

  /**
   * Returns a letter to the queue. A running service accepts it within seconds, otherwise the next one does when it
   * starts.
   */
  async retry(name: string): Promise<void> {
    const path = await this.#path(name);
    await makeFolder(this.#retried);
    await rename(path, join(this.#retried, path.split(/[\\/]/).at(-1) ?? ""));
    await syncFolder(this.#retried);
    await rm(diagnosisName(path), { force: true });
  }

  /**
   * Accepts the letters that were returned to the queue; `take` must have made each durable when it resolves.
   * @throws CensusError "bad-file" where letters cannot be removed afterwards: they are not accepted, or not again
   */
  async acceptRetried(take: (entry: NewEntry, payload: Uint8Array) => Promise<void>): Promise<void> {
    for (const name of (await namesIn(this.#retried)).sort()) {
      const entry = readFileName(name);
      if (entry === undefined || this.#left.has(name)) continue;
      const { id: _, ...again } = entry;
      const path = join(this.#retried, name);
      const payload = await whileRemovable(this.#retried, async () => readFile(path));
      await take(again, payload);
      this.#left.add(name);
      await whileRemovable(this.#retried, async () => rm(path));
      this.#left.delete(name);
    }
  }

  async #diagnosis(path: string): Promise<string> {
    return readFile(diagnosisName(path), "utf8").catch(() => "");
  }

  /** @throws CensusError "not-found" for a name that is not a letter's */
  async #path(name: string): Promise<string> {
    const [folder = "", file = "", ...more] = name.split("/");
    const isOurs = more.length === 0 && commandNames.some((command) => folderName(command) === folder);
    const path = join(this.#folder, folder, file);
    if (!isOurs || readFileName(file) === undefined || /[\\/]/.test(file) || !(await isFile(path))) {
      throw new CensusError("not-found", `dead letter ${JSON.stringify(name)} not found`);
    }
    return path;
  }
}

/** @throws CensusError "bad-file" where the files of a folder cannot be removed, or the operation fails */
async function whileRemovable<T>(folder: string, operation: () => Promise<T>): Promise<T> {
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return await operation();
  } catch (error) {
    const reason = `${folder}: dead letters wait here, and cannot be accepted: ${messageOf(error)}`;
    throw new CensusError("bad-file", `${reason}; ${remedyOf(error)}`, { cause: error });
  }
}

/** The name ends in place of a plain payload's `.json`, but after that of a gzipped one, as in PuppetDB. */
function diagnosisName(name: string): string {
  return `${name.replace(/\.json$/, "")}_err.txt`;
}

/** The newest attempt comes first. */
function diagnosisText(faults: readonly Fault[]): string {
  const attempts = faults.map(
    ({ at, message }, index) => `Attempt ${index + 1} @ ${formatTimestamp(at)}\n${message}\n`,
  );
  return attempts.reverse().join("\n");
}

async function writeFile(path: string, content: Uint8Array): Promise<void> {
  const file = await open(path, "w");
  try {
    await writeDurably(file, [content], 0);
  } finally {
    await file.close();
  }
}

async function namesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => readFileName(name) !== undefined);
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
