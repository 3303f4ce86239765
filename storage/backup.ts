import { mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "./engine/database.ts";
import { isWriteFault } from "./engine/faults.ts";
import { CensusError, messageOf, systemCodeOf } from "./errors.ts";
import { remedyOf } from "./remedy.ts";

/** A copy of a store as one file, which is removed when it is disposed of. */
export interface Backup extends Disposable {
  readonly path: string;
  readonly bytes: number;
}

/**
 * Copies a store while it is in use: the data committed at one moment, as one compact file that is itself a store.
 * Commands that are in the queue at that moment are not included.
 */
export class Backups {
  readonly #database: Database;
  #isMaking = false;

  constructor(database: Database) {
    this.#database = database;
    const { copyFolder } = database;
    // Files left by a process that was killed.
    if (copyFolder !== undefined) rmSync(copyFolder, { recursive: true, force: true });
  }

  /**
   * @throws CensusError "bad-input" for a store in memory, "conflict" while another copy is made or read, "unavailable"
   */
  async make(): Promise<Backup> {
    const folder = this.#database.copyFolder;
    if (folder === undefined) {
      throw new CensusError("bad-input", "a store in memory cannot be backed up; export it instead");
    }
    if (this.#isMaking) throw new CensusError("conflict", "another backup is being made");
    this.#isMaking = true;
    const path = join(folder, "copy.duckdb");
    const remove = (): void => {
      rmSync(folder, { recursive: true, force: true });
      this.#isMaking = false;
    };
    try {
      mkdirSync(folder, { mode: 0o700 });
      await this.#database.copyTo(path);
      return { path, bytes: statSync(path).size, [Symbol.dispose]: remove };
    } catch (error) {
      remove();
      if (systemCodeOf(error) === undefined && !isWriteFault(error)) throw error;
      const text = `the backup cannot be written: ${messageOf(error).split("\n")[0]}; ${remedyOf(error)}`;
      throw new CensusError("unavailable", text, { cause: error });
    }
  }
}
